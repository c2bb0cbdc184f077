import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCli } from './run-cli';
import type { TextTarget } from './system';

/** Keeps what is printed. */
export class PrintedText implements TextTarget {
  text = '';
  constructor(readonly isTTY: boolean = false) {}
  write(text: string): void {
    this.text += text;
  }
}

/** What a command line printed, and its exit code. */
export interface Outcome {
  readonly exitCode: number;
  readonly output: string;
  readonly errorOutput: string;
}

/** Runs a command line in a folder, with lines piped into it. */
export async function runIn(
  folder: string,
  args: readonly string[],
  options: {
    readonly lines?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
    readonly isTerminal?: boolean;
  } = {},
): Promise<Outcome> {
  const input = new PassThrough();
  input.end((options.lines ?? []).map((line) => `${line}\n`).join(''));
  const output = new PrintedText(options.isTerminal);
  const errorOutput = new PrintedText(options.isTerminal);
  const environment = options.environment ?? {};
  const exitCode = await runCli(args, { folder, environment, input, output, errorOutput });
  return { exitCode, output: output.text, errorOutput: errorOutput.text };
}

/** A folder that is gone when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
