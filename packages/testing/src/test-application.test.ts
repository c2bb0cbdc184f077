import { readFile } from 'node:fs/promises';
import { Call, CLOCK, type Clock, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import { Inject, Injectable, Module } from '@callwright/di';
import { FakeVoiceServer, memoryTransport, rules, Test, type TestApplication, when } from '.';

@Injectable()
class Log {
  readonly lines: string[] = [];
}

@VoiceAgent({ name: 'desk', greeting: 'Hello!', resume: true })
class DeskAgent {
  constructor(
    private readonly call: Call,
    private readonly log: Log,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Tool({ description: 'Takes 800 ms.', kind: 'side_effect' })
  async slow(): Promise<string> {
    await new Promise<void>((resolve) => void this.clock.setTimer(resolve, 800));
    this.log.lines.push(`done at ${this.clock.nowMs()}`);
    return 'done';
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    this.log.lines.push(`${this.call.sessionId} ${event.text}`);
    if (event.text === 'bye') await this.call.end({ say: 'Goodbye!' });
  }
}

@Module({ agents: [DeskAgent], providers: [Log] })
class DeskModule {}

const testing = () => Test.createTestingModule({ imports: [DeskModule] });
const yes = rules([when(/./).say('Yes.')]);

let app: TestApplication;

describe('a test application', () => {
  beforeEach(async () => {
    app = await testing().createApplication({ voiceServer: { brain: yes } });
  });

  it('takes a call without a port, from the greeting to the end', async () => {
    const call = await app.call({ from: '+390612345678' });
    await call.untilSilent();
    const turn = await call.user('bye');
    expect(turn.said).toBe('Yes.');
    expect(await call.ended).toBe('ended_by_agent');
    expect(app.get(Log).lines).toEqual(['1 bye']);
    expect(app.application.url).toBe('');
    expect(app.log.messages('debug')).toContain('a call was accepted');
    expect(app.log.text).not.toContain('12345678');
    await app.close();
  });

  it('has a clock that moves while something of a call is awaited, and stands still before', async () => {
    const call = await app.call();
    const startMs = app.clock.nowMs();
    const slow = call.tool('slow');
    await app.clock.settle();
    expect(app.clock.nowMs()).toBe(startMs);
    await app.clock.advance(500);
    expect(app.get(Log).lines).toEqual([]);
    expect(await slow).toMatchObject({ status: 'ok', value: 'done' });
    expect(app.get(Log).lines).toEqual([`done at ${startMs + 800}`]);
    await app.close();
  });

  it('cuts and resumes at the time of the test', async () => {
    const call = await app.call();
    const slow = call.tool('slow');
    await app.clock.advance(200);
    call.cut();
    expect(await slow).toMatchObject({ status: 'failed' });
    await call.resume();
    expect(call.isLinked).toBe(true);
    await app.close();
  });

  it('rejects where the promise does, also for the clock alone', async () => {
    const call = await app.call();
    await expect(call.waitFor(() => false, 50)).rejects.toMatchObject({ code: 'CW_CALL_WAITED' });
    await call.hangUp();
    await expect(call.user('hello')).rejects.toMatchObject({ code: 'CW_CALL_OVER' });
    await app.close();
  });

  it('answers each call with its own brain, or with that of the server', async () => {
    const own = await app.call({ brain: rules([when(/./).say('No.')]) });
    const other = await app.call();
    expect((await own.user('hello')).said).toBe('No.');
    expect((await other.user('hello')).said).toBe('Yes.');
    expect((await own.user('again')).said).toBe('No.');
    await app.close();
  });

  it('can be called by a second voice server with the same session ids', async () => {
    const first = await app.call();
    const second = await app.voiceServer({ brain: yes }).call();
    expect(second.sessionId).toBe(first.sessionId);
    await second.user('to the second');
    await first.user('to the first');
    expect(app.get(Log).lines).toEqual(['1 to the second', '1 to the first']);
    await app.close();
  });

  it('fails at its close when the agent sent what a voice server refuses', async () => {
    @VoiceAgent({ name: 'wrong' })
    class WrongAgent {
      constructor(call: Call) {
        // The way past the framework's own checks.
        this.answer = () => Reflect.get(call, Symbol.for('callwright:core:link')).sendToolResult(99, '1');
      }
      readonly answer: () => void;
      @OnEvent(UserText)
      heard(): void {
        this.answer();
      }
    }
    const wrong = await Test.createTestingModule({ agents: [WrongAgent] }).createApplication({
      voiceServer: { brain: yes },
    });
    const call = await wrong.call();
    await expect(call.user('hello')).rejects.toMatchObject({ code: 'CW_FRAME_REFUSED' });
    await expect(wrong.close()).rejects.toThrow('id 99');
    await app.close();
  });

  it('closes at the end of a block', async () => {
    {
      await using short = await testing().createApplication();
      await short.call();
      app = short;
    }
    expect(app.application.callCount).toBe(0);
    await expect(app.call()).rejects.toThrow('takes no calls');
  });
});

it('a tool that reads files is not outrun by the clock', async () => {
  @VoiceAgent({ name: 'reader' })
  class ReaderAgent {
    @Tool('Reads.')
    async read(): Promise<number> {
      let bytes = 0;
      for (let count = 0; count < 20; count += 1) bytes += (await readFile(__filename)).byteLength;
      return bytes;
    }
  }
  const reader = await Test.createTestingModule({ agents: [ReaderAgent] }).createApplication();
  const call = await reader.call();
  expect(await call.tool('read')).toMatchObject({ status: 'ok', value: expect.any(Number) });
  expect(reader.clock.nowMs()).toBe(0);
  await reader.close();
});

it('a call without a brain fails at the first word of the user', async () => {
  const silent = await testing().createApplication();
  const call = await silent.call();
  await expect(call.user('hello')).rejects.toMatchObject({ code: 'CW_BRAIN_NO_MATCH' });
  await silent.close();
});

it('the environment of a test run does not matter', async () => {
  const before = { ...process.env };
  Object.assign(process.env, { HOST: '0.0.0.0', PORT: 'none' });
  try {
    await (await testing().createApplication()).close();
  } finally {
    process.env = before;
  }
});

it('options about the network do not compile', () => {
  // @ts-expect-error nobody listens
  const options: Parameters<ReturnType<typeof testing>['createApplication']>[0] = { port: 80 };
  expect(options).toBeDefined();
});

it('only a virtual clock moves by itself', () => {
  const transport = memoryTransport(() => undefined);
  expect(() => new FakeVoiceServer({ transport, brain: yes, movesClock: true })).toThrow(
    expect.objectContaining({ code: 'CW_CALL_NEEDS_VIRTUAL_CLOCK' }),
  );
});
