import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** How a command line ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errorOutput: string;
}

// Without the commands of this repository's own node_modules, which npm puts before all others.
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((place) => !place.includes('node_modules'))
  .join(':');

/** A command line that runs in a folder, as a person would type it there. */
export class Running {
  readonly ended: Promise<Ended>;
  #output = '';
  #errorOutput = '';
  readonly #child: ChildProcessWithoutNullStreams;
  #look: () => void = () => undefined;

  constructor(folder: string, commandLine: string, environment: Readonly<Record<string, string>> = {}) {
    const env = { PATH: `${folder}/node_modules/.bin:${PATH}`, HOME: process.env.HOME, ...environment };
    this.#child = spawn('sh', ['-c', `exec ${commandLine}`], { cwd: folder, env, stdio: 'pipe' });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString('utf8');
      this.#look();
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#errorOutput += chunk.toString('utf8');
      this.#look();
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (exitCode) => {
        resolve({ exitCode, output: this.#output, errorOutput: this.#errorOutput });
        this.#look();
      });
    });
  }

  /** Types lines and ends the input. */
  type(lines: readonly string[]): void {
    this.#child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits until a pattern was printed `count` times; the last match is returned. */
  shows(pattern: RegExp, count = 1): Promise<RegExpMatchArray> {
    const all = new RegExp(pattern.source, 'g');
    return new Promise((resolve, reject) => {
      this.#look = () => {
        const text = this.#output + this.#errorOutput;
        const match = [...text.matchAll(all)][count - 1];
        if (match !== undefined) resolve(match);
        else if (this.#child.exitCode !== null) reject(new Error(`ended without ${pattern}:\n${text}`));
      };
      this.#look();
    });
  }
}

/** Runs a command line to its end, with what is typed into it. */
export function run(folder: string, commandLine: string, lines: readonly string[] = []): Promise<Ended> {
  const running = new Running(folder, commandLine);
  running.type(lines);
  return running.ended;
}

/** {@link run}; fails with everything that was printed unless it ended with 0. */
export async function runWell(
  folder: string,
  commandLine: string,
  lines: readonly string[] = [],
): Promise<string> {
  const { exitCode, output, errorOutput } = await run(folder, commandLine, lines);
  if (exitCode !== 0) throw new Error(`${commandLine} ended with ${exitCode}:\n${output}\n${errorOutput}`);
  return output;
}
