import type { Readable } from 'node:stream';

/** Where text goes: a terminal, a file, a pipe. */
export interface TextTarget {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** What a command sees of the machine. */
export interface CliSystem {
  /** The folder that the command runs in. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  /** What was asked for. */
  readonly output: TextTarget;
  /** What went wrong, and what is worth knowing meanwhile. */
  readonly errorOutput: TextTarget;
}

/** The process that this code runs in. */
export function processSystem(): CliSystem {
  return {
    folder: process.cwd(),
    environment: process.env,
    input: process.stdin,
    output: process.stdout,
    errorOutput: process.stderr,
  };
}

/** Whether somebody sits in front of it: only then are questions asked. */
export function isInteractive(system: CliSystem): boolean {
  return system.input.isTTY === true && system.output.isTTY === true;
}
