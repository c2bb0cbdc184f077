import { type ChildProcess, spawn } from 'node:child_process';
import { cpuTimeUs, residentKiB } from './cpu-time';

/** How an agent is started. */
export interface AgentProgram {
  /** As it stands in the tables: `bare`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const START_BUDGET_MS = 30_000;
const STOP_BUDGET_MS = 5_000;
const KEPT_ERROR_CHARACTERS = 2_000;

/** An agent that runs in a process of its own and listens on a port of this machine. */
export class AgentProcess {
  readonly program: AgentProgram;
  readonly port: number;
  /** CPU time from the start of the process to listening, in milliseconds, as the process itself read it. */
  readonly startUpCpuMs: number;
  /** Rejects when the process ends without having been asked to. */
  readonly died: Promise<never>;
  readonly #child: ChildProcess;

  private constructor(program: AgentProgram, child: ChildProcess, port: number, startUpCpuMs: number) {
    this.program = program;
    this.#child = child;
    this.port = port;
    this.startUpCpuMs = startUpCpuMs;
    this.died = new Promise((_, reject) => {
      child.once('exit', (code, signal) => {
        reject(new Error(`the agent "${program.name}" ended (${signal ?? code}) while it was measured`));
      });
    });
    this.died.catch(() => undefined);
  }

  /** Starts a program and waits for its line `LISTENING port cpuMs`. */
  static start(program: AgentProgram): Promise<AgentProcess> {
    return new Promise((resolve, reject) => {
      const child = spawn(program.command, program.args, {
        env: { ...process.env, NODE_ENV: 'production', ...program.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      let errors = '';
      const fail = (why: string): void => {
        clearTimeout(budget);
        child.kill('SIGKILL');
        reject(new Error(`the agent "${program.name}" did not start: ${why}\n${errors}`.trimEnd()));
      };
      const budget = setTimeout(() => fail('it said nothing'), START_BUDGET_MS);
      const ended = (code: number | null): void => fail(`it ended with code ${code}`);
      child.once('error', (error) => fail(error.message));
      child.once('exit', ended);
      child.stderr.on('data', (chunk: Buffer) => {
        errors = (errors + chunk.toString()).slice(-KEPT_ERROR_CHARACTERS);
      });
      child.stdout.on('data', (chunk: Buffer) => {
        if (output === 'done') return;
        output += chunk.toString();
        const line = /^LISTENING (\d+) ([\d.]+)$/m.exec(output);
        if (line === null) return;
        output = 'done';
        clearTimeout(budget);
        child.off('exit', ended);
        resolve(new AgentProcess(program, child, Number(line[1]), Number(line[2])));
      });
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`the agent "${this.program.name}" has no process`);
    return this.#child.pid;
  }

  cpuTimeUs(): number {
    return cpuTimeUs(this.pid);
  }

  residentKiB(): number {
    return residentKiB(this.pid);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const kill = setTimeout(() => this.#child.kill('SIGKILL'), STOP_BUDGET_MS);
      this.#child.once('exit', () => {
        clearTimeout(kill);
        resolve();
      });
      this.#child.kill('SIGTERM');
    });
  }
}
