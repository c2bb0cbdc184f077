import {
  type Accept,
  Arg,
  BootError,
  BotText,
  Call,
  type CallEnd,
  type CallStart,
  DeclineCall,
  EventsLost,
  Logger,
  OnEvent,
  systemClock,
  Tool,
  ToolError,
  UserText,
  VoiceAgent,
  VoiceServerError,
} from '@callwright/core';
import { Injectable, Module, Scope } from '@callwright/di';
import { Schema } from '@callwright/schema';
import { VirtualClock } from '@callwright/testing';
import { IsString } from 'class-validator';
import type { Application } from './application';
import { createApplication } from './assembly';
import { LogRecorder } from './connected.test-support';
import type { GatewayOptions } from './options';
import { VoiceServerClient } from './voice-server.test-support';

/** What the agents below saw, in order. */
let journal: string[] = [];
let onStart: (start: CallStart, call: Call) => unknown = () => undefined;
let running: Application | undefined;
let log = new LogRecorder();

@Injectable({ scope: Scope.CALL })
class Audit {
  constructor(private readonly call: Call) {}

  onCallEnd(end: CallEnd): void {
    journal.push(`audit end ${end.reason} ${this.call.state}`);
  }

  [Symbol.dispose](): void {
    journal.push('audit disposed');
  }
}

@VoiceAgent({ name: 'luigi', greeting: "Luigi's!", systemPrompt: 'You are the host.', default: true })
class LuigiAgent {
  constructor(
    readonly call: Call,
    readonly audit: Audit,
  ) {}

  async onCallStart(start: CallStart): Promise<Accept | undefined> {
    journal.push(`start ${start.sessionId}`);
    return onStart(start, this.call) as Promise<Accept | undefined>;
  }

  @Tool('Opening hours on a weekday.')
  openingHours(@Arg('day') day: string): string {
    if (day === 'monday') throw new ToolError('closed on mondays');
    if (day === 'bad') throw new RangeError('secret 555');
    return `${day}: 18:00`;
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    journal.push(`heard ${event.text}`);
    if (event.text === 'say') await this.call.say('Hello');
    if (event.text === 'end') await this.call.end({ say: 'Bye' });
  }

  @OnEvent(EventsLost)
  lost(event: EventsLost): void {
    journal.push(`lost ${event.count}`);
  }

  @OnEvent(VoiceServerError)
  failed(event: VoiceServerError): void {
    journal.push(`error ${event.stage}`);
  }

  onCallEnd(end: CallEnd): void {
    journal.push(`end ${end.reason}`);
  }
}

@VoiceAgent({ name: 'mario' })
class MarioAgent {
  @OnEvent(BotText)
  bot(): void {}
}

@Module({ agents: [LuigiAgent, MarioAgent], providers: [Audit] })
class AppModule {}

@Module({ agents: [MarioAgent] })
class MarioModule {}

async function serve(options: GatewayOptions = {}, root: typeof AppModule = AppModule): Promise<Application> {
  log = new LogRecorder();
  running = await createApplication(root, {
    port: 0,
    drainMs: 0,
    log: { sink: log.sink, level: 'debug' },
    ...options,
  });
  await running.listen();
  return running;
}

beforeEach(() => {
  journal = [];
  onStart = () => undefined;
});

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const isAccept = (message: Readonly<Record<string, unknown>>): boolean => message.type === 'session.accept';

/** The answer to a start and how the connection was closed. */
async function refusalOf(url: string, start: Readonly<Record<string, unknown>> = {}) {
  const client = await VoiceServerClient.connect(url);
  client.start(start);
  const { code } = await client.whenClosed;
  return { answers: client.received, closeCode: code };
}

const rejected = (code: string) => ({
  answers: [{ type: 'session.reject', code, message: expect.any(String) }],
  closeCode: 1000,
});

describe('a call', () => {
  it('is accepted with what its agent declares', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    expect(client.received).toEqual([
      {
        type: 'session.accept',
        version: 1,
        greeting: "Luigi's!",
        system_prompt: 'You are the host.',
        events: ['user.text'],
        tools: [
          {
            name: 'openingHours',
            description: 'Opening hours on a weekday.',
            kind: 'read_only',
            parameters: expect.objectContaining({ type: 'object', required: ['day'] }),
          },
        ],
      },
    ]);
  });

  it('is answered with what its start hook changes', async () => {
    onStart = () => ({
      greeting: 'Welcome back!',
      systemPrompt: 'Short answers.',
      context: [{ role: 'system', text: 'A regular.' }],
      events: [],
      tools: [],
    });
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    expect(client.received[0]).toEqual({
      type: 'session.accept',
      version: 1,
      greeting: 'Welcome back!',
      system_prompt: 'Short answers.',
      context: [{ role: 'system', text: 'A regular.' }],
      events: [],
      tools: [],
    });
  });

  it('runs tools, and tells the model of failures in words that are safe', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    client.toolCall(1, 'openingHours', { day: 'friday' });
    client.toolCall(2, 'openingHours', { day: 'monday' });
    client.toolCall(3, 'openingHours', { day: 'bad' });
    client.toolCall(4, 'openingHours', {});
    client.toolCall(5, 'constructor');
    expect(await client.result(1)).toEqual({ type: 'tool.result', id: 1, result: 'friday: 18:00' });
    expect(await client.result(2)).toEqual({ type: 'tool.result', id: 2, error: 'closed on mondays' });
    expect(await client.result(3)).toEqual({ type: 'tool.result', id: 3, error: 'tool failed: RangeError' });
    expect(await client.result(4)).toMatchObject({ error: expect.stringContaining('day') });
    expect(await client.result(5)).toMatchObject({ error: 'unknown tool "constructor"' });
    expect(JSON.stringify(log.entries)).not.toContain('secret');
  });

  it('hears events in order and names the one it reacts to in its commands', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    client.send({ type: 'user.text', epoch: 1, text: 'one' });
    client.send({ type: 'events.lost', count: 3 });
    client.send({ type: 'error', stage: 'stt', message: 'x', fatal: false });
    client.send({ type: 'user.text', epoch: 2, text: 'say' });
    const say = await client.next((message) => message.type === 'say');
    expect(say).toEqual({ type: 'say', text: 'Hello', id: expect.any(String), re: 5 });
    expect(journal).toEqual(['start 1', 'heard one', 'lost 3', 'error stt', 'heard say']);
  });

  it('ends once: handlers, end hooks, then the teardown', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    client.send({ type: 'user.text', epoch: 1, text: 'end' });
    const end = await client.next((message) => message.type === 'end');
    client.send({ type: 'command.result', id: end.id, ok: true });
    client.send({ type: 'session.end', reason: 'ended_by_agent' });
    client.socket.close(1000);
    await client.whenClosed;
    await running?.close();
    expect(journal.slice(2)).toEqual([
      'end ended_by_agent',
      'audit end ended_by_agent ended',
      'audit disposed',
    ]);
  });

  it('whose link is reset ends with link_closed, and others go on', async () => {
    const application = await serve();
    const [lost, other] = await Promise.all([
      VoiceServerClient.call(application.url),
      VoiceServerClient.call(application.url, { session_id: '2' }),
    ]);
    lost.socket.terminate();
    other.send({ type: 'user.text', epoch: 1, text: 'say' });
    await other.next((message) => message.type === 'say');
    expect(journal).toContain('end link_closed');
    expect(application.callCount).toBe(1);
  });

  it('survives frames that nobody can read, and answers an unreadable tool call', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    for (const frame of ['', '{', '[]', '{"type":7}', '['.repeat(20_000), '{"type":"user.text"}'])
      client.socket.send(frame);
    client.socket.send(Buffer.from([1, 2, 3]));
    client.toolCall(1, 'openingHours', { day: 'friday' }, { arguments: 'none' });
    client.send({ type: 'new.type', value: 1 });
    client.start();
    client.toolCall(2, 'openingHours', { day: 'friday' });
    expect(await client.result(2)).toMatchObject({ result: 'friday: 18:00' });
    expect(await client.result(1)).toMatchObject({ error: 'the tool call could not be read' });
  });
});

describe('the handshake', () => {
  it.each([
    ['luigi', 'luigi'],
    ['mario', 'mario'],
    ['toad', 'luigi'],
  ])('gives the definition %s to the agent %s', async (agent, taken) => {
    const { url } = await serve();
    await VoiceServerClient.call(url, { agent });
    expect(log.entries.find((entry) => entry.message === 'a call was accepted')?.fields).toEqual({
      agent: taken,
    });
  });

  it('gives every call to an only agent', async () => {
    const { url } = await serve({}, MarioModule);
    expect((await VoiceServerClient.call(url, { agent: 'toad' })).received[0]).toMatchObject({
      events: ['bot.text'],
    });
  });

  it('rejects a name that no agent has, without a default', async () => {
    @VoiceAgent({ name: 'peach' })
    class PeachAgent {}
    @Module({ agents: [MarioAgent, PeachAgent] })
    class TwoModule {}
    const { url } = await serve({}, TwoModule);
    expect(await refusalOf(url, { agent: 'toad' })).toEqual(rejected('unknown_agent'));
  });

  it('takes the highest version both speak', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url, { versions: [3, 1, 2] });
    expect(client.received[0]).toMatchObject({ version: 1 });
    expect(await refusalOf(url, { versions: [2] })).toEqual(rejected('unsupported_version'));
    expect(await refusalOf(url, { versions: [] })).toEqual(rejected('unsupported_version'));
  });

  it('rejects a resumption: nothing is kept of a lost call', async () => {
    const { url } = await serve();
    const resume = { attempt: 1, previous_seq: 4, down_ms: 200 };
    expect(await refusalOf(url, { resume })).toEqual(rejected('unknown_session'));
  });

  it.each([
    ['another type', { type: 'user.text', epoch: 1, text: 'x' }],
    ['another protocol', { type: 'session.start', protocol: 'other' }],
    ['no envelope', { seq: 'x' }],
  ])('closes with 1002 when the first message has %s', async (_case, fields) => {
    const { url } = await serve();
    expect(await refusalOf(url, fields)).toEqual({ answers: [], closeCode: 1002 });
    expect(journal).toEqual([]);
  });

  it('closes with 1002 when the first message is no JSON', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.connect(url);
    client.socket.send('hello');
    expect((await client.whenClosed).code).toBe(1002);
  });

  it('closes with 1008 when no session.start comes in 1.5 s', async () => {
    const clock = new VirtualClock();
    const { url } = await serve({ clock });
    const client = await VoiceServerClient.connect(url);
    await clock.advance(1_499);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    await clock.advance(1);
    expect(await client.whenClosed).toMatchObject({ code: 1008 });
    expect(journal).toEqual([]);
  });

  it('cuts a peer off that does not answer the close, 2.5 s after it connected', async () => {
    const clock = new VirtualClock();
    const { url } = await serve({ clock });
    const client = await VoiceServerClient.connect(url);
    client.socket.pause();
    await clock.advance(2_500);
    client.socket.resume();
    await client.whenClosed;
    expect(clock.pendingTimerCount).toBe(0);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret 555');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret 555'))],
    ['returns a number', () => 5],
    ['returns an unknown field', () => ({ greting: 'x' })],
    ['returns a greeting that is no text', () => ({ greeting: 5 })],
    ['returns a greeting that is too long', () => ({ greeting: 'é'.repeat(2_049) })],
    ['returns half a surrogate pair', () => ({ greeting: 'half \ud83d' })],
    ['returns a prompt that makes the answer too large', () => ({ systemPrompt: 'x'.repeat(65_400) })],
    ['returns too much context', () => ({ context: Array(33).fill({ role: 'user', text: 'x' }) })],
    ['returns a tool it does not have', () => ({ tools: ['nope'] })],
  ])('rejects as unavailable when the start hook %s', async (_case, hook) => {
    const application = await serve();
    const other = await VoiceServerClient.call(application.url);
    onStart = hook;
    expect(await refusalOf(application.url)).toEqual(rejected('unavailable'));
    other.toolCall(1, 'openingHours', { day: 'friday' });
    await other.result(1);
    expect(application.callCount).toBe(1);
    expect(journal).toEqual(['start 1', 'start 1', 'audit disposed']);
    expect(JSON.stringify(log.entries)).not.toContain('secret');
  });

  it('logs which start hook failed, and what is wrong with what it returned', async () => {
    const { url } = await serve();
    onStart = () => {
      throw new Error('secret 555');
    };
    await refusalOf(url);
    onStart = () => ({ greting: 'x' });
    await refusalOf(url);
    const failed = log.entries.filter(({ message }) => message === 'a start hook failed');
    expect(failed.map(({ fields }) => fields)).toMatchObject([
      { hook: 'LuigiAgent.onCallStart', error: { name: 'Error' } },
      {
        hook: 'LuigiAgent.onCallStart',
        why: expect.stringContaining('it has an unknown field, greting'),
        error: { code: 'CW_ACCEPT_INVALID' },
      },
    ]);
  });

  it('rejects as unavailable when the start hook takes too long, and drops its late value', async () => {
    const clock = new VirtualClock();
    const application = await serve({ clock });
    let answer: (accept: Accept) => void = () => undefined;
    const called = new Promise<void>((resolve) => {
      onStart = () =>
        new Promise<Accept>((settle) => {
          answer = settle;
          resolve();
        });
    });
    const client = await VoiceServerClient.connect(application.url);
    client.start();
    await called;
    await clock.advance(1_500);
    expect((await client.whenClosed).code).toBe(1000);
    answer({ greeting: 'late' });
    await clock.settle();
    expect(client.received).toEqual(rejected('unavailable').answers);
    expect(log.entries).toContainEqual(
      expect.objectContaining({
        message: 'the start hooks took too long',
        fields: { hook: 'LuigiAgent.onCallStart', limitMs: 1_500 },
      }),
    );
    expect(journal).toEqual(['start 1', 'audit disposed']);
    expect(application.callCount).toBe(0);
  });

  it('tears a call down that hung up while its start hook ran', async () => {
    const application = await serve();
    let answer: () => void = () => undefined;
    const called = new Promise<void>((resolve) => {
      onStart = () =>
        new Promise<undefined>((settle) => {
          answer = () => settle(undefined);
          resolve();
        });
    });
    const client = await VoiceServerClient.connect(application.url);
    client.start();
    await called;
    client.socket.terminate();
    await client.whenClosed;
    await running?.close();
    answer();
    expect(journal).toEqual(['start 1', 'audit disposed']);
  });

  it('lets a start hook decline the call with a code and a message of its own', async () => {
    onStart = () => {
      throw new DeclineCall('busy', 'é'.repeat(300));
    };
    const { url } = await serve();
    const { answers, closeCode } = await refusalOf(url);
    expect(closeCode).toBe(1000);
    expect(answers).toEqual([{ type: 'session.reject', code: 'busy', message: 'é'.repeat(256) }]);
    await running?.close();
    expect(journal).toEqual(['start 1', 'audit disposed']);
  });

  it('logs of a declined call no code that could be somebody’s number', async () => {
    onStart = () => {
      throw new DeclineCall('blocked +390612345678', 'x');
    };
    const { url } = await serve();
    expect((await refusalOf(url)).answers).toMatchObject([{ code: 'blocked +390612345678' }]);
    expect(log.messages()).toContain('a call was declined');
    expect(JSON.stringify(log.entries)).not.toContain('390612345678');
  });

  it('turns calls away when all places are taken, and takes one when a place is free again', async () => {
    const application = await serve({ maxCalls: 2 });
    const first = await VoiceServerClient.call(application.url);
    await VoiceServerClient.call(application.url);
    expect(await refusalOf(application.url)).toEqual(rejected('unavailable'));
    first.send({ type: 'session.end', reason: 'call_ended' });
    first.socket.close();
    await first.whenClosed;
    await VoiceServerClient.call(application.url);
    expect(application.callCount).toBe(2);
  });

  it('frees the place of a refused call before its teardown is done', async () => {
    @Injectable({ scope: Scope.CALL })
    class Slow {
      [Symbol.asyncDispose](): Promise<void> {
        return new Promise(() => undefined);
      }
    }
    @VoiceAgent({ name: 'slow' })
    class SlowAgent {
      constructor(readonly slow: Slow) {}
      onCallStart(start: CallStart): void {
        if (start.sessionId === '1') throw new DeclineCall('no');
      }
    }
    @Module({ agents: [SlowAgent], providers: [Slow] })
    class SlowModule {}
    const clock = new VirtualClock();
    const { url, close } = await serve({ maxCalls: 1, clock }, SlowModule);
    expect(await refusalOf(url)).toEqual(rejected('no'));
    await VoiceServerClient.call(url, { session_id: '2' });
    const closed = close.call(running);
    await clock.advance(20_000);
    await closed;
  });

  it('counts a call as taken while its start hook runs', async () => {
    const application = await serve({ maxCalls: 1 });
    const called = new Promise<void>((resolve) => {
      onStart = () => new Promise(() => resolve());
    });
    (await VoiceServerClient.connect(application.url)).start();
    await called;
    expect(await refusalOf(application.url)).toEqual(rejected('unavailable'));
  });

  it('sends commands of the start hook right behind the accept', async () => {
    onStart = (_start, call) => {
      void call.say('first');
      void call.setTools(['openingHours'], { wait: false });
      return undefined;
    };
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    await client.next((message) => message.type === 'tools.set');
    expect(client.received.map((message) => message.type)).toEqual(['session.accept', 'say', 'tools.set']);
  });

  it('keeps what comes while the start hook runs, and hears it in order once the call is live', async () => {
    let answer: () => void = () => undefined;
    onStart = () =>
      new Promise<undefined>((settle) => {
        answer = () => settle(undefined);
      });
    const { url } = await serve();
    const client = await VoiceServerClient.connect(url);
    client.start();
    for (let count = 1; count <= 256; count += 1)
      client.send({ type: 'user.text', epoch: 1, text: `${count}` });
    const pong = new Promise((resolve) => client.socket.once('pong', resolve));
    client.socket.ping();
    await pong;
    expect(journal).toEqual(['start 1']);
    answer();
    await client.next(isAccept);
    client.toolCall(1, 'openingHours', { day: 'friday' });
    await client.result(1);
    expect(journal).toEqual(['start 1', ...Array.from({ length: 256 }, (_, index) => `heard ${index + 1}`)]);
  });

  it('closes with 1008 on more messages than can wait', async () => {
    onStart = () => new Promise(() => undefined);
    const { url } = await serve();
    const client = await VoiceServerClient.connect(url);
    client.start();
    for (let count = 1; count <= 257; count += 1)
      client.send({ type: 'user.text', epoch: 1, text: `${count}` });
    expect(await client.whenClosed).toMatchObject({ code: 1008 });
    await running?.close();
    expect(journal).toEqual(['start 1', 'audit disposed']);
  });
});

describe('an application', () => {
  it('reports everything that is wrong in one error', async () => {
    @VoiceAgent({
      name: 'big',
      systemPrompt: 'x'.repeat(65_000),
      context: [{ role: 'system', text: 'y'.repeat(9_000) }],
    })
    class BigAgent {
      @Tool('')
      nothing(): void {}
    }
    @Module({ agents: [BigAgent], providers: [{ provide: 'x' as never, useClass: MarioAgent }] })
    class BadModule {}
    const error = await createApplication(BadModule, { port: -1, nonsense: true } as GatewayOptions).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(BootError);
    const { problems } = error as BootError;
    const codes = problems.map((problem) => problem.code);
    expect(codes).toEqual(
      expect.arrayContaining(['CW_OPTION_UNKNOWN', 'CW_OPTION_INVALID', 'CW_TOOL_DESCRIPTION_MISSING']),
    );
  });

  it('says of an undefined root module that it is undefined, and nothing else', async () => {
    const error = await createApplication(undefined as never).catch((reason: unknown) => reason);
    expect((error as BootError).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('The root module is undefined.'),
    ]);
  });

  it('says which parts make an answer too large', async () => {
    @VoiceAgent({
      name: 'big',
      systemPrompt: 'x'.repeat(65_000),
      context: [{ role: 'system', text: 'y'.repeat(9_000) }],
    })
    class BigAgent {}
    @Module({ agents: [BigAgent] })
    class BigModule {}
    const error = await createApplication(BigModule).catch((reason: unknown) => reason);
    expect((error as BootError).problems).toEqual([
      {
        code: 'CW_ACCEPT_TOO_LARGE',
        message: expect.stringMatching(/BigAgent[\s\S]*systemPrompt 65002 bytes, context \d+ bytes/),
      },
    ]);
  });

  it('takes local times of its time zone in tool arguments', async () => {
    const times: number[] = [];
    @VoiceAgent({ name: 'times' })
    class TimesAgent {
      @Tool('Notes a time.')
      note(@Arg('at', { type: Date }) at: Date): void {
        times.push(at.getTime());
      }
    }
    @Module({ agents: [TimesAgent] })
    class TimesModule {}
    const { url } = await serve({ timeZone: 'Europe/Rome' }, TimesModule);
    const client = await VoiceServerClient.call(url);
    client.toolCall(1, 'note', { at: '2026-07-01T10:00:00' });
    await client.result(1);
    expect(times).toEqual([Date.UTC(2026, 6, 1, 8)]);
  });

  it('listens once, and not after it was closed', async () => {
    const application = await serve();
    await expect(application.listen()).rejects.toMatchObject({ code: 'CW_LISTEN_TWICE' });
    await application.close();
    await expect(application.listen()).rejects.toMatchObject({ code: 'CW_LISTEN_TWICE' });
  });

  it('closes what it has made when it cannot listen', async () => {
    const first = await serve();
    @Injectable()
    class Pool {
      onModuleDestroy(): void {
        journal.push('pool closed');
      }
    }
    @Module({ agents: [MarioAgent], providers: [Pool] })
    class PoolModule {}
    const second = await createApplication(PoolModule, {
      port: Number(new URL(first.url).port),
      log: { sink: log.sink },
    });
    await expect(second.listen()).rejects.toMatchObject({ code: 'CW_PORT_IN_USE' });
    expect(journal).toEqual(['pool closed']);
    // The one that served says that it is closed, the other one does not: nobody could have noticed it.
    expect(log.messages()).not.toContain('closed');
    await first.close();
    expect(log.messages()).toContain('closed');
  });

  it('gives singletons, and its logger to whoever injects it', async () => {
    @Injectable()
    class Bookings {
      constructor(readonly logger: Logger) {}
    }
    @Module({ agents: [MarioAgent], providers: [Bookings] })
    class BookingModule {}
    const application = await serve({}, BookingModule);
    expect(application.get(Bookings).logger).toBe(application.logger);
  });

  it('warns loudly when it serves without a token', async () => {
    await serve();
    expect(log.entries.filter((entry) => entry.level === 'warn').map((entry) => entry.message)).toEqual([
      expect.stringContaining('no token'),
    ]);
    await running?.close();
    await serve({ token: 'secret' });
    expect(log.entries.filter((entry) => entry.level === 'warn')).toEqual([]);
  });

  it('ends its calls with shutdown when it closes, turns others away, and frees its port', async () => {
    const application = await serve();
    const { url } = application;
    const client = await VoiceServerClient.call(url);
    const early = await VoiceServerClient.connect(url);
    const closed = application.close();
    expect(application.isReady).toBe(false);
    expect((await client.whenClosed).code).toBe(1001);
    expect((await early.whenClosed).code).toBe(1001);
    await closed;
    expect(journal).toEqual(['start 1', 'end shutdown', 'audit end shutdown ended', 'audit disposed']);
    expect(application.close()).toBe(application.close());
    await expect(VoiceServerClient.connect(url)).rejects.toThrow();
  });

  it('closes within 5 s of hooks even when an end hook never settles and the peer does not answer', async () => {
    @VoiceAgent({ name: 'stuck' })
    class StuckAgent {
      onCallEnd(): Promise<void> {
        return new Promise(() => undefined);
      }
    }
    @Module({ agents: [StuckAgent] })
    class StuckModule {}
    const clock = new VirtualClock();
    const application = await serve({ clock }, StuckModule);
    const client = await VoiceServerClient.call(application.url);
    client.socket.pause();
    const closed = application.close();
    await clock.advance(5_000);
    expect(await closed).toEqual({ cutCalls: 1 });
    client.socket.terminate();
    expect(application.isReady).toBe(false);
  });

  it('leaves no timer behind when its calls are over', async () => {
    const clock = new VirtualClock();
    const application = await serve({ clock });
    const client = await VoiceServerClient.call(application.url);
    expect(clock.pendingTimerCount).toBe(1); // the heartbeat
    client.send({ type: 'session.end', reason: 'call_ended' });
    client.socket.close();
    await client.whenClosed;
    await clock.settle();
    expect(clock.pendingTimerCount).toBe(0);
  });

  it('turns a call away that cannot be set up, and says what of it could not be closed', async () => {
    @Injectable({ scope: Scope.CALL })
    class Leaky {
      [Symbol.dispose](): void {
        throw new Error('secret');
      }
    }
    @VoiceAgent({ name: 'broken' })
    class BrokenAgent {
      constructor(readonly leaky: Leaky) {
        throw new Error('secret');
      }
    }
    @Module({ agents: [BrokenAgent], providers: [Leaky] })
    class BrokenModule {}
    const { url } = await serve({}, BrokenModule);
    const client = (await VoiceServerClient.connect(url)).start();
    expect(await client.next(() => true)).toMatchObject({ type: 'session.reject', code: 'unavailable' });
    await client.whenClosed;
    expect(log.messages()).toEqual(
      expect.arrayContaining([
        'a call could not be set up',
        'a provider of a call that could not be set up failed to close',
      ]),
    );
    expect(JSON.stringify(log.entries)).not.toContain('secret');
  });

  it('goes on when the arguments of a tool cannot be compiled; calls of that tool fail', async () => {
    class Order {
      @Schema({ if: { pattern: '(' } })
      @IsString()
      dish!: string;
    }
    @VoiceAgent({ name: 'cook' })
    class CookAgent {
      @Tool('Cooks.')
      cook(order: Order): string {
        return order.dish;
      }
    }
    @Module({ agents: [CookAgent] })
    class CookModule {}
    const { url } = await serve({}, CookModule);
    await new Promise((resolve) => systemClock.defer(() => resolve(undefined)));
    expect(log.messages()).toContain('the arguments of a tool cannot be validated');
    const client = await VoiceServerClient.call(url);
    client.toolCall(1, 'cook', { dish: 'soup' });
    expect(await client.result(1)).toMatchObject({ error: 'tool failed: Error' });
  });
});
