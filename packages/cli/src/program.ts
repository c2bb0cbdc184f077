import { Command } from 'commander';
import type { CommandContext } from './command-context';
import { callCommand } from './commands/call';
import { completionCommand } from './commands/completion';
import { consoleCommand } from './commands/console';
import { devCommand } from './commands/dev';
import { diffCommand } from './commands/diff';
import { doctorCommand } from './commands/doctor';
import { generateCommand } from './commands/generate';
import { inspectCommand } from './commands/inspect';
import { newCommand } from './commands/new';
import { replayCommand } from './commands/replay';
import { startCommand } from './commands/start';
import { testCommand } from './commands/test';
import type { CliSystem } from './system';
import { ownVersion } from './version';

/** The way of a new project. */
const EXAMPLES = ['callwright new luigi', 'callwright console', 'callwright dev'];

/** All commands, ready to parse one command line. */
export function makeProgram(system: CliSystem, exitWith: (exitCode: number) => void): Command {
  const context: CommandContext = { system, exitWith };
  const program = new Command('callwright')
    .description('Voice agents from the first file to production: without a key, without a network.')
    .version(ownVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', `\nExamples:\n${EXAMPLES.map((each) => `  $ ${each}`).join('\n')}`);
  const commands = [
    newCommand(context),
    generateCommand(context),
    devCommand(context),
    startCommand(context),
    consoleCommand(context),
    callCommand(context),
    testCommand(context),
    replayCommand(context),
    inspectCommand(context),
    diffCommand(context),
    doctorCommand(context),
    completionCommand(context),
  ];
  for (const command of [program, ...commands]) {
    command
      .exitOverride()
      .helpOption('-h, --help', 'print this help')
      .showHelpAfterError('(--help says more)')
      .configureOutput({
        writeOut: (text) => void system.output.write(text),
        writeErr: (text) => void system.errorOutput.write(text),
        getOutHelpWidth: () => system.output.columns ?? 100,
        getErrHelpWidth: () => system.errorOutput.columns ?? 100,
      });
  }
  for (const command of commands) program.addCommand(command);
  return program;
}
