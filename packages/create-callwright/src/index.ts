import { runCli } from '@callwright/cli';

/**
 * Makes a project: what `npm create callwright NAME` runs, with the options of `callwright new`. Never rejects.
 * @returns the exit code: 0 when the project was made.
 *
 * @example
 * ```ts no-run
 * import { create } from 'create-callwright';
 *
 * void create(['luigi', '--lint', 'none']).then((exitCode) => console.log(exitCode));
 * ```
 */
export function create(args: readonly string[]): Promise<number> {
  return runCli(['new', ...args]);
}
