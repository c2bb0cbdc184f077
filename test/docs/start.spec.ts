import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { root } from './repository';

const playLimitMs = 90_000;

describe('npm start, as the README says', () => {
  it('plays a call that works, goes on serving, says how to reach it, and ends at a signal', async () => {
    // In a group of its own, since a terminal too sends its signals to all of npm, its shell and the program.
    const child = spawn('npm', ['start'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0' },
    });
    const output = new Output(child);
    await output.shows(/BRISVOX_AGENT_URL=ws:\/\/127\.0\.0\.1:\d+/);
    expect(output.text).toMatch(/ tool .*→ ok/);
    expect(output.text).toContain('ended_by_agent');
    expect(output.text).not.toMatch(/"level":"(error|fatal)"|refused/);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await output.shows(/Closed\./);
    await output.ended;
  }, 120_000);
});

/** What a program printed, so far. */
class Output {
  readonly ended: Promise<void>;
  text = '';
  #isOver = false;
  #look: () => void = () => undefined;

  constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.text += chunk.toString('utf8');
        this.#look();
      });
    }
    this.ended = new Promise((resolve) => {
      child.on('close', () => {
        this.#isOver = true;
        this.#look();
        resolve();
      });
    });
  }

  /** Waits until the text is there; fails when the program ends without it, or takes too long. */
  shows(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`npm start did not print ${pattern}, but:\n${this.text}`));
      const limit = setTimeout(fail, playLimitMs);
      this.#look = () => {
        if (!pattern.test(this.text) && !this.#isOver) return;
        clearTimeout(limit);
        if (pattern.test(this.text)) resolve();
        else fail();
      };
      this.#look();
    });
  }
}
