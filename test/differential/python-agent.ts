import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const requirement = 'brisvox-agent==0.1.2';
const folder = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'callwright',
  requirement.replace('==', '-'),
);
const python = join(folder, 'bin', 'python');

/** The agent of `agent.py`, in a process of its own with a Python environment of its own, which is kept. */
export class PythonAgent {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, port: string) {
    this.#process = child;
    this.url = `ws://127.0.0.1:${port}`;
  }

  static async start(): Promise<PythonAgent> {
    install();
    const child = spawn(python, [join(__dirname, 'agent.py')], { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const line of createInterface({ input: child.stdout })) return new PythonAgent(child, line);
    throw new Error('The Python agent ended before it listened.');
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await exited;
  }
}

function install(): void {
  if (existsSync(join(folder, 'installed'))) return;
  rmSync(folder, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'venv', folder]);
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement]);
  execFileSync('touch', [join(folder, 'installed')]);
}
