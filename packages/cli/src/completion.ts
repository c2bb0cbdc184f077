import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell whose completion is known. */
export type Shell = (typeof SHELLS)[number];

interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  /** Options and the values of its first argument. */
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

/** A script for a shell that completes the commands of `program`, their options and their fixed arguments. */
export function completionScript(shell: Shell, program: Command): string {
  const commands = program.commands.map(completed);
  const scripts = { bash, zsh, fish } satisfies Record<
    Shell,
    (commands: readonly CompletedCommand[]) => string
  >;
  return scripts[shell](commands);
}

function completed(command: Command): CompletedCommand {
  const options = command.options.map(({ long, short, description }) => ({
    word: long ?? short ?? '',
    about: description,
  }));
  const [first] = command.registeredArguments;
  const choices = (first?.argChoices ?? []).map((word) => ({ word, about: first?.description ?? '' }));
  const help = { word: '--help', about: 'print this help' };
  return {
    name: command.name(),
    about: command.description(),
    words: [...choices, ...options, help],
  };
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ name, words }) => `    ${name}) words="${words.map(({ word }) => word).join(' ')}" ;;`,
  );
  return `# bash completion of callwright
_callwright() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} help --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _callwright callwright
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const entry = (word: string, about: string): string =>
    `'${word}:${about.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`;
  const cases = commands.map(
    ({ name, words }) =>
      `    ${name}) entries=(${words.map(({ word, about }) => entry(word, about)).join(' ')}) ;;`,
  );
  return `# zsh completion of callwright
_callwright() {
  local -a entries
  if (( CURRENT == 2 )); then
    entries=(${commands.map(({ name, about }) => entry(name, about)).join(' ')})
  else
    case "\${words[2]}" in
${cases.join('\n')}
    esac
  fi
  _describe 'callwright' entries || _files
}
compdef _callwright callwright
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ name, about, words }) => [
    `complete -c callwright -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}`,
    ...words.map(({ word, about: wordAbout }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quoted(word)}`;
      return `complete -c callwright -n ${quoted(`__fish_seen_subcommand_from ${name}`)} ${what} -d ${quoted(wordAbout)}`;
    }),
  ]);
  return `# fish completion of callwright\n${lines.join('\n')}\n`;
}
