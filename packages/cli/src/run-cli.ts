import { CommanderError } from 'commander';
import { textOf } from './error-text';
import { CliError } from './errors';
import { EXIT_CODES } from './guide';
import { makeProgram } from './program';
import { type CliSystem, processSystem } from './system';

/**
 * Runs one command line, without the name of the program: what `callwright` does in a shell. Never rejects.
 *
 * @param system where it runs and prints. @default the process
 * @returns the exit code: 0 done, 1 failed, 2 calls were cut, 64 the command line is wrong.
 *
 * @example
 * ```ts no-run
 * import { runCli } from '@callwright/cli';
 *
 * void runCli(['new', 'luigi']).then((exitCode) => console.log(exitCode));
 * ```
 */
export async function runCli(args: readonly string[], system: Partial<CliSystem> = {}): Promise<number> {
  const whole = { ...processSystem(), ...system };
  let exitCode: number = EXIT_CODES.ok;
  const program = makeProgram(whole, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    return failed(error, whole);
  }
  return exitCode;
}

function failed(error: unknown, { errorOutput }: CliSystem): number {
  if (error instanceof CommanderError) {
    // Commander has printed the help, the version or what is wrong.
    return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  }
  errorOutput.write(`${textOf(error)}\n`);
  return error instanceof CliError ? error.exitCode : EXIT_CODES.failed;
}
