import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf } from '../error-text';
import { type Paint, paintFor } from '../paint';
import type { CliSystem } from '../system';
import { ProjectCompiler, shortPath } from '../typescript-hook';
import { RunningProgram } from './running-program';
import { SourceWatcher } from './source-watcher';

/** What a development session runs. */
export interface DevPlan {
  readonly root: string;
  /** The program, absolute. */
  readonly main: string;
  /** How long live calls may go on with the old code. */
  readonly drainMs: number;
}

/** A program that ends at once says nothing; only one that waits for its calls is worth a line. */
const SILENT_STOP_MS = 700;

/**
 * Runs a program and starts it again when a source file is saved. Files with a mistake are shown and change nothing: the code before
 * them goes on. Live calls go on with the old code until they end, for a bounded time.
 */
export class DevSession {
  readonly #plan: DevPlan;
  readonly #system: CliSystem;
  readonly #paint: Paint;
  readonly #compiler: ProjectCompiler;
  #program: RunningProgram | undefined;
  /** Waits for the old code to end; a second save meanwhile needs no second restart. */
  #restart: Promise<void> | undefined;
  #isClosing = false;

  constructor(plan: DevPlan, system: CliSystem) {
    this.#plan = plan;
    this.#system = system;
    this.#paint = paintFor(system.errorOutput, system);
    this.#compiler = new ProjectCompiler(plan.root);
  }

  /** Runs until a signal. Resolves with the program's exit code. */
  async run(): Promise<number> {
    const folder = dirname(this.#plan.main);
    const watcher = new SourceWatcher(folder, (paths) =>
      this.#changed(paths.map((path) => join(folder, path))),
    );
    this.#say(`watching ${shortPath(folder, this.#plan.root)}; Ctrl+C ends it`);
    this.#start();
    const exitCode = await this.#untilSignal();
    watcher.close();
    return exitCode;
  }

  #start(): void {
    const program = new RunningProgram(this.#plan.root, this.#plan.main);
    this.#program = program;
    void program.ended.then((code) => {
      if (this.#isClosing || program.isStopping || this.#program !== program) return;
      this.#program = undefined;
      this.#say(`the program ended with exit code ${code}; it starts again when a file is saved`, code !== 0);
    });
  }

  #changed(files: readonly string[]): void {
    const names = files.map((file) => shortPath(file, this.#plan.root)).join(', ');
    const mistake = this.#mistakeIn(files);
    if (mistake !== undefined) {
      this.#system.errorOutput.write(`${mistake}\n`);
      this.#say('not reloaded: the code before this goes on', true);
      return;
    }
    if (this.#isClosing || this.#restart !== undefined) return;
    this.#say(`saved ${names}: reloading`);
    this.#restart = this.#stopThenStart().finally(() => {
      this.#restart = undefined;
    });
  }

  /** The compiler's words about the first file that it refuses. */
  #mistakeIn(files: readonly string[]): string | undefined {
    try {
      for (const file of files) if (file.endsWith('.ts') && existsSync(file)) this.#compiler.compile(file);
      return undefined;
    } catch (error) {
      return textOf(error);
    }
  }

  async #stopThenStart(): Promise<void> {
    const { drainMs } = this.#plan;
    const told = setTimeout(() => {
      this.#say(
        `live calls go on with the old code until they end, for at most ${drainMs / 1_000} s; then they are cut`,
      );
    }, SILENT_STOP_MS);
    await this.#program?.stop(drainMs);
    clearTimeout(told);
    if (!this.#isClosing) this.#start();
  }

  /** Each signal is passed on: the first one drains, the second one cuts, as without `dev`. */
  #untilSignal(): Promise<number> {
    return new Promise((resolve) => {
      const onSignal = (signal: NodeJS.Signals): void => {
        const program = this.#program;
        program?.signal(signal);
        if (this.#isClosing) return;
        this.#isClosing = true;
        void (program?.ended ?? Promise.resolve(0)).then((code) => {
          for (const each of ['SIGINT', 'SIGTERM'] as const) process.off(each, onSignal);
          resolve(code);
        });
      };
      for (const each of ['SIGINT', 'SIGTERM'] as const) process.on(each, onSignal);
    });
  }

  #say(text: string, isBad = false): void {
    this.#system.errorOutput.write(
      `${this.#paint('dev', 'cyan')} ${isBad ? this.#paint(text, 'red') : text}\n`,
    );
  }
}
