import { Argument, Command } from 'commander';
import type { CommandContext } from '../command-context';
import { completionScript, SHELLS, type Shell } from '../completion';
import { withGuide } from '../guide';

/** `callwright completion <shell>` */
export function completionCommand({ system }: CommandContext): Command {
  const command = new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices([...SHELLS]))
    .action((shell: Shell, _options: object, self: Command) => {
      system.output.write(completionScript(shell, self.parent ?? self));
    });
  return withGuide(command, {
    examples: [
      'source <(callwright completion bash)',
      'source <(callwright completion zsh)',
      'callwright completion fish > ~/.config/fish/completions/callwright.fish',
    ],
    exitCodes: [],
    notes: [
      'Put the line for your shell into its start-up file. npx callwright is not completed: only callwright itself is.',
    ],
  });
}
