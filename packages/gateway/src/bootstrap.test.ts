import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { VoiceServerClient } from './voice-server.test-support';

const children: ChildProcess[] = [];

/** The program in a process of its own. */
class Program {
  readonly child: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  output = '';
  #check: () => void = () => undefined;

  constructor(environment: Readonly<Record<string, string>> = {}) {
    const program = join(__dirname, 'program.test-support.ts');
    this.child = spawn(process.execPath, ['-r', join(__dirname, '../test/load-sources.js'), program], {
      env: { PATH: process.env.PATH, PORT: '0', ...environment },
    });
    children.push(this.child);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
        this.#check();
      });
    }
    this.exited = new Promise((resolve) =>
      this.child.on('close', (code, signal) => resolve({ code, signal })),
    );
  }

  /** Waits for a line; one that cannot come any more fails with everything that was printed. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      this.#check = () => {
        const match = pattern.exec(this.output);
        if (match) resolve(match);
      };
      this.#check();
      void this.exited.then(() => reject(new Error(`the program ended and printed:\n${this.output}`)));
    });
  }

  async url(): Promise<string> {
    return (await this.printed(/started: (ws:\S+)/))[1] ?? '';
  }
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('bootstrap', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets calls go on to their own end at %s, and ends with exit code 0',
    async (signal) => {
      const program = new Program();
      const client = await VoiceServerClient.call(await program.url());
      program.child.kill(signal);
      await program.printed(/"closing; once more to cut live calls"/);
      client.toolCall(1, 'none');
      await client.result(1);
      client.send({ type: 'session.end', reason: 'call_ended' });
      client.socket.close(1000);
      expect(await program.exited).toEqual({ code: 0, signal: null });
      expect(program.output).toContain('ended: call_ended');
    },
  );

  it('cuts calls at a second signal, and says so by exit code 2', async () => {
    const program = new Program();
    const client = await VoiceServerClient.call(await program.url());
    program.child.kill('SIGTERM');
    await program.printed(/"closing; once more to cut live calls"/);
    program.child.kill('SIGTERM');
    expect((await client.whenClosed).code).toBe(1001);
    expect(await program.exited).toEqual({ code: 2, signal: null });
    expect(program.output).toContain('ended: shutdown');
  });

  it('ends a process that something else keeps alive', async () => {
    const program = new Program({ DRAIN_MS: '0' });
    const client = await VoiceServerClient.call(await program.url());
    client.send({ type: 'user.text', epoch: 1, text: 'keep alive' });
    client.toolCall(1, 'none');
    await client.result(1);
    program.child.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: 2, signal: null });
  });

  it('ends at once at a third signal, whatever a hook does', async () => {
    const program = new Program({ STUCK: '1' });
    await VoiceServerClient.call(await program.url());
    program.child.kill('SIGTERM');
    await program.printed(/"closing; once more to cut live calls"/);
    program.child.kill('SIGTERM');
    await program.printed(/ended: shutdown/);
    program.child.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: 2, signal: null });
  });

  it.each([
    ['an unhandled rejection', 'reject'],
    ['an uncaught exception', 'throw'],
  ])('logs %s without its message, ends the calls, and exits with 1', async (_what, text) => {
    const program = new Program({ DRAIN_MS: '0' });
    const client = await VoiceServerClient.call(await program.url());
    client.send({ type: 'user.text', epoch: 1, text });
    expect((await client.whenClosed).code).toBe(1001);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.output).toContain('ended: shutdown');
    expect(program.output).toMatch(/"level":"fatal"/);
    expect(program.output).not.toContain('nobody handles this');
  });

  it('prints what is wrong at boot, all of it, and exits with 1', async () => {
    const program = new Program({ PORT: 'x', HOST: '0.0.0.0' });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.output).toMatch(/2 problems[\s\S]*CW_OPTION_INVALID[\s\S]*CW_UNAUTHENTICATED_HOST/);
    expect(program.output).toContain('not started');
    expect(program.output).not.toMatch(/^\s+at /m);
  });

  it.each(['127.0.0.1', '0.0.0.0'])(
    'prints one plain sentence when the port of %s is taken, and exits with 1',
    async (host) => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, host, resolve));
      const { port } = other.address() as { port: number };
      const program = new Program({ PORT: String(port), HOST: host, BRISVOX_AGENT_TOKEN: 'token' });
      expect(await program.exited).toEqual({ code: 1, signal: null });
      expect(program.output).toContain(`Port ${port} of ${host} is in use`);
      other.close();
    },
  );

  it('says why a provider could not be made, and exits with 1, also when another one never ends', async () => {
    const program = new Program({ BOOT: 'fails' });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.output).toMatch(
      /Database \(AppModule\): onModuleInit failed[\s\S]*RangeError: no such database/,
    );
  });

  it('ends with 1 when the boot failed and something that was made still lives', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const program = new Program({ PORT: String(port), KEEP_ALIVE: '1' });
    expect(await program.exited).toEqual({ code: 1, signal: null });
    other.close();
  });
});
