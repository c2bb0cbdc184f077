import type { Argument, Command, Option } from 'commander';
import { exitCodesOf, guideOf } from './guide';
import { makeProgram } from './program';
import { processSystem } from './system';
import { markdownTable } from './table';

const HEAD = `# The command line

<!-- Written by packages/cli/scripts/write-reference.cjs from the commands themselves: change those. -->

\`callwright\` is the program of \`@callwright/cli\`. It needs no key and no network. In a project it is called by \`npx callwright\`, or by the
project's scripts.

- \`--help\` behind any command says what is said here.
- What was asked for is on standard output; what went wrong, and logs, on standard error.
- There is colour on a terminal only, and none with \`NO_COLOR\`.
- Commands that work on a project use the nearest \`package.json\`, in the folder or above it. The root module is the export \`AppModule\` of
  \`src/app.module.ts\`, or what \`--module path#Export\` says. TypeScript is compiled in memory by the project's \`@swc/core\`, as its
  \`.swcrc\` says.
`;

/** The page docs/reference/cli.md, made from the commands. */
export function referencePage(): string {
  const program = makeProgram(processSystem(), () => undefined);
  return `${[HEAD, ...program.commands.map(section)].join('\n')}`;
}

function section(command: Command): string {
  const guide = guideOf(command);
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  const parts = [
    `## ${command.name()}`,
    `${sentence(command.description())}`,
    `\`\`\`sh\n${usage(command)}\n\`\`\``,
    ...(rows.length === 0 ? [] : [markdownTable([['argument or option', 'what it is', 'default'], ...rows])]),
    ...(guide?.notes ?? []).map(paragraph),
    ...(guide === undefined
      ? []
      : [
          `\`\`\`sh\n${guide.examples.join('\n')}\n\`\`\``,
          markdownTable([
            ['exit code', 'meaning'],
            ...exitCodesOf(guide.exitCodes).map(([code, meaning]) => [String(code), meaning]),
          ]),
        ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function usage(command: Command): string {
  return ['callwright', command.name(), command.usage()].join(' ').trim();
}

function argumentRow(argument: Argument): readonly string[] {
  const name = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
  return [`\`${name}\``, described(argument.description, argument.argChoices), shown(argument.defaultValue)];
}

function optionRow(option: Option): readonly string[] {
  return [
    `\`${option.flags}\``,
    described(option.description, option.argChoices),
    shown(option.defaultValue),
  ];
}

function described(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined
    ? description
    : `${description}: ${choices.map((each) => `\`${each}\``).join(', ')}`;
}

function shown(value: unknown): string {
  return value === undefined || typeof value === 'boolean' ? '' : `\`${String(value)}\``;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A note of several lines is a list that is laid out already. */
function paragraph(note: string): string {
  return note.includes('\n') ? `\`\`\`text\n${note}\n\`\`\`` : note;
}
