import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** How long the program may take to end after its calls were cut, before it is killed. */
const PATIENCE_MS = 10_000;

const ENDING: readonly (NodeJS.Signals | null)[] = ['SIGINT', 'SIGTERM'];

/** One run of the program, in a process of its own. */
export class RunningProgram {
  /** Resolves with the exit code when the process is gone. */
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;
  #isStopping = false;

  constructor(root: string, main: string) {
    // A process group of its own: Ctrl+C reaches it only through the watching process, and so only once.
    this.#child = spawn(process.execPath, [join(__dirname, 'child.js'), root, main], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('error', () => resolve(1));
      // A signal that comes while the program still starts ends it at once, and as it was meant to.
      this.#child.on('exit', (code, signal) => resolve(code ?? (ENDING.includes(signal) ? 0 : 1)));
    });
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Ends the program: calls go on to their own end for `drainMs`, then they are cut. Resolves with the exit code. */
  async stop(drainMs: number): Promise<number> {
    this.#isStopping = true;
    this.signal('SIGTERM');
    const cut = setTimeout(() => this.signal('SIGTERM'), drainMs);
    const kill = setTimeout(() => this.signal('SIGKILL'), drainMs + PATIENCE_MS);
    const code = await this.ended;
    clearTimeout(cut);
    clearTimeout(kill);
    return code;
  }

  /** Gives the program a signal: the first one begins to end it, a second one cuts its calls. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
