import { Inject, Injectable, InjectionToken, Scope } from '@callwright/di';
import { IsInt, IsString } from 'class-validator';
import { Arg } from './arg';
import { Call } from './call';
import { liveCall, sessionOf } from './call-session.test-support';
import { UseInterceptors } from './enhancers';
import { type CallEnd, EventsLost, UserText } from './events';
import type { ExecutionContext } from './execution-context';
import { CallClosed, CommandError, CommandTimeout } from './failures';
import type { CallStart, OnCallEnd, OnCallStart } from './hooks';
import type { Next } from './interceptor';
import { CallerIdentity } from './link';
import { OnEvent } from './on-event';
import { Tool } from './tool';
import { ToolContext } from './tool-context';
import { VoiceAgent } from './voice-agent';

const forever = (): Promise<never> => new Promise(() => {});

@Injectable({ scope: Scope.CALL })
class Diary implements OnCallStart, OnCallEnd {
  readonly lines: string[] = [];

  onCallStart(start: CallStart): void {
    this.lines.push(`diary start ${start.agentName}`);
  }

  onCallEnd(end: CallEnd): void {
    this.lines.push(`diary end ${end.reason}`);
  }

  [Symbol.dispose](): void {
    this.lines.push('diary closed');
  }
}

@VoiceAgent({ name: 'host' })
class Host implements OnCallStart, OnCallEnd {
  readonly heard: string[] = [];
  release: (() => void) | undefined;
  behave: 'fast' | 'slow' | 'stuck' | 'throw' = 'fast';

  constructor(
    readonly call: Call,
    readonly diary: Diary,
  ) {}

  async onCallStart(start: CallStart): Promise<{ greeting: string } | undefined> {
    this.diary.lines.push('agent start');
    return start.caller?.from ? { greeting: `hello ${start.caller.from}` } : undefined;
  }

  @OnEvent(UserText)
  async onText(event: UserText): Promise<void> {
    this.heard.push(event.text);
    if (this.behave === 'throw') throw new Error('secret words');
    if (this.behave === 'stuck') await forever();
    if (this.behave === 'slow') {
      await new Promise<void>((resolve) => {
        this.release = resolve;
      });
      this.heard.push(`${event.text} done`);
    }
    if (event.text === 'speak') await this.call.say('I speak');
  }

  @OnEvent(EventsLost)
  onLost(event: EventsLost): void {
    this.heard.push(`lost ${event.count}`);
  }

  @Tool('Says the time.')
  time(): string {
    return 'noon';
  }

  onCallEnd(end: CallEnd): void {
    this.diary.lines.push(`agent end ${end.reason}`);
  }
}

const hostCall = (): ReturnType<typeof liveCall> => liveCall(Host, { providers: [Diary] });

describe('the start of a call', () => {
  it("runs the hooks of CALL providers, then the agent's, and gives what they change", async () => {
    const call = await sessionOf(Host, {
      providers: [Diary],
      caller: new CallerIdentity('sip', 'x', '+390612345678', undefined, false),
    });
    await expect(call.session.start()).resolves.toMatchObject({ greeting: 'hello +390612345678' });
    expect((call.agent as Host).diary.lines).toEqual(['diary start test', 'agent start']);
    expect(call.session.state).toBe('connecting');
  });

  it.each([
    ['a text', 'hello'],
    ['an unknown field', { greting: 'hello' }],
    ['an unknown tool', { tools: ['nope'] }],
    ['an unknown event', { events: ['user.txt'] }],
    ['a greeting that is no text', { greeting: 7 }],
  ])("refuses %s as a hook's value", async (_name, value) => {
    @VoiceAgent({ name: 'bad' })
    class Bad {
      onCallStart(): unknown {
        return value;
      }
    }
    const call = await sessionOf(Bad);
    const error = await call.session.start().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'CallwrightError', code: 'CW_ACCEPT_INVALID' });
    expect(String(error)).toContain('Bad.onCallStart returned what cannot be sent: it');
    expect(call.session.startHook).toBe('Bad.onCallStart');
  });

  it('names a start hook behind an interceptor by its own class', async () => {
    class Around {
      intercept(_context: ExecutionContext, next: Next): unknown {
        return next();
      }
    }
    @VoiceAgent({ name: 'wrapped' })
    @UseInterceptors(new Around())
    class Wrapped {
      onCallStart(): never {
        throw new Error('secret');
      }
      onCallEnd(): never {
        throw new Error('secret');
      }
    }
    const call = await sessionOf(Wrapped);
    await expect(call.session.start()).rejects.toThrow('secret');
    expect(call.session.startHook).toBe('Wrapped.onCallStart');
  });

  it('names the class of an end hook that fails', async () => {
    @VoiceAgent({ name: 'failing' })
    class FailingEnd {
      onCallEnd(): never {
        throw new Error('secret');
      }
    }
    const call = await liveCall(FailingEnd);
    expect(call.session.startHook).toBeUndefined();
    call.session.handleSessionEnd('call_ended');
    await call.settle();
    expect(call.log).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ handler: 'FailingEnd.onCallEnd' }) }),
    );
  });

  it('tears everything down when the call is not accepted, without end hooks', async () => {
    const call = await sessionOf(Host, { providers: [Diary] });
    await call.session.start();
    await call.session.discard();
    expect((call.agent as Host).diary.lines).toEqual(['diary start test', 'agent start', 'diary closed']);
  });

  it('sends commands of start hooks behind the accept, and refuses waiting for them', async () => {
    let refused: unknown;
    @VoiceAgent({ name: 'eager' })
    class Eager {
      constructor(private readonly call: Call) {}
      async onCallStart(): Promise<void> {
        void this.call.say('first');
        try {
          await this.call.say('second');
        } catch (error) {
          refused = error;
        }
      }
    }
    const call = await sessionOf(Eager);
    await call.session.start();
    expect(call.link.sent).toEqual([]);
    expect(refused).toMatchObject({ code: 'CW_CALL_CONNECTING' });
    call.session.open(call.link);
    expect(call.link.commands.map(({ command }) => command)).toEqual([
      { type: 'say', text: 'first' },
      { type: 'say', text: 'second' },
    ]);
  });
});

describe('the events of a call', () => {
  it('reach their handlers in order, one at a time', async () => {
    const call = await hostCall();
    const host = call.agent as Host;
    host.behave = 'slow';
    for (const text of ['a', 'b']) call.session.handleEvent(new UserText(1, text), 2);
    expect(host.heard).toEqual(['a']);
    host.release?.();
    await call.settle();
    expect(host.heard).toEqual(['a', 'a done', 'b']);
  });

  it('never delay tools or command results, however long a handler takes', async () => {
    const call = await hostCall();
    (call.agent as Host).behave = 'stuck';
    call.session.handleEvent(new UserText(1, 'a'), 2);
    call.tool('time');
    expect(call.link.answers).toEqual([[1, '"noon"']]);
    const said = call.session.call.say('hello');
    call.session.handleCommandResult('c1', true);
    await expect(said).resolves.toBeUndefined();
  });

  it('survive a handler that throws; its message is not logged', async () => {
    const call = await hostCall();
    (call.agent as Host).behave = 'throw';
    call.session.handleEvent(new UserText(1, 'a'), 2);
    call.session.handleEvent(new UserText(1, 'b'), 3);
    await call.settle();
    expect((call.agent as Host).heard).toEqual(['a', 'b']);
    expect(call.log.filter(({ level }) => level === 'error')).toHaveLength(2);
    expect(JSON.stringify(call.log)).not.toContain('secret');
  });

  it('are named by the commands that react to them, and by no others', async () => {
    const call = await hostCall();
    call.session.handleEvent(new UserText(1, 'speak'), 17);
    void call.session.call.say('outside');
    expect(call.link.commands.map(({ re }) => re)).toEqual([17, undefined]);
  });
});

describe('the end of a call', () => {
  it('runs the end hooks once, after all earlier events, agent first, and tears down', async () => {
    const call = await hostCall();
    const host = call.agent as Host;
    host.behave = 'slow';
    call.session.handleEvent(new UserText(1, 'a'), 2);
    call.session.handleSessionEnd('call_ended');
    call.session.handleLinkLost();
    expect(host.diary.lines.slice(2)).toEqual([]);
    host.release?.();
    await call.settle();
    expect(host.heard).toEqual(['a', 'a done']);
    expect(host.diary.lines.slice(2)).toEqual([
      'agent end call_ended',
      'diary end call_ended',
      'diary closed',
    ]);
    expect(call.clock.pendingTimerCount).toBe(0);
  });

  it('is link_closed when the link was lost', async () => {
    const call = await hostCall();
    call.session.handleLinkLost();
    await call.settle();
    expect(call.session.endReason).toBe('link_closed');
    expect((call.agent as Host).diary.lines).toContain('agent end link_closed');
  });

  it('runs the hooks of an instance once, also where a factory gives it a second name', async () => {
    const ALIAS = new InjectionToken<Diary>('ALIAS');
    @VoiceAgent({ name: 'aliased' })
    class Aliased {
      constructor(
        readonly diary: Diary,
        @Inject(ALIAS) readonly same: Diary,
      ) {}
    }
    const alias = {
      provide: ALIAS,
      useFactory: (diary: Diary) => diary,
      inject: [Diary],
      scope: Scope.CALL,
    } as const;
    const call = await liveCall(Aliased, { providers: [Diary, alias] });
    call.session.handleSessionEnd('call_ended');
    await call.settle();
    expect((call.agent as Aliased).diary.lines).toEqual([
      'diary start test',
      'diary end call_ended',
      'diary closed',
    ]);
  });

  it('waits 10 s for a stuck handler and then goes on without it', async () => {
    const call = await hostCall();
    const host = call.agent as Host;
    host.behave = 'stuck';
    call.session.handleEvent(new UserText(1, 'a'), 2);
    call.session.handleEvent(new UserText(1, 'b'), 3);
    call.session.handleSessionEnd('call_ended');
    await call.clock.advance(9_999);
    expect(host.diary.lines.slice(2)).toEqual([]);
    await call.clock.advance(1);
    expect(host.heard).toEqual(['a', 'lost 1']);
    expect(host.diary.lines.slice(2)).toEqual([
      'agent end call_ended',
      'diary end call_ended',
      'diary closed',
    ]);
    expect(call.log.some(({ message }) => message.includes('abandoned'))).toBe(true);
    expect(call.clock.pendingTimerCount).toBe(0);
  });

  it('ends the call also when the handler that hears of the abandoned one is stuck too', async () => {
    const ends: string[] = [];
    @VoiceAgent({ name: 'stuck' })
    class Stuck {
      @OnEvent(UserText)
      onText(): Promise<void> {
        return forever();
      }
      @OnEvent(EventsLost)
      onLost(): Promise<void> {
        return forever();
      }
      onCallEnd(end: CallEnd): void {
        ends.push(end.reason);
      }
      [Symbol.dispose](): void {
        ends.push('closed');
      }
    }
    const call = await liveCall(Stuck);
    call.session.handleEvent(new UserText(1, 'a'), 2);
    call.session.handleEvent(new UserText(1, 'b'), 3);
    call.session.handleSessionEnd('call_ended');
    await call.clock.advance(20_000);
    expect(ends).toEqual(['call_ended', 'closed']);
    expect(call.clock.pendingTimerCount).toBe(0);
  });

  it('waits as long as it is told to when the process ends: for handlers, hooks and side effects', async () => {
    const limits = { handlerMs: 1_000, hooksMs: 2_000, sideEffectsMs: 3_000 };
    const lines: string[] = [];
    @VoiceAgent({ name: 'stuck' })
    class Stuck {
      @OnEvent(UserText)
      onText(): Promise<void> {
        return forever();
      }
      @Tool({ description: 'Books.', kind: 'side_effect' })
      book(tool: ToolContext): Promise<void> {
        tool.signal.addEventListener('abort', () => lines.push('stopped'));
        return forever();
      }
      onCallEnd(end: CallEnd): Promise<void> {
        lines.push(end.reason);
        return forever();
      }
      [Symbol.dispose](): void {
        lines.push('closed');
      }
    }
    const call = await liveCall(Stuck);
    call.session.handleEvent(new UserText(1, 'a'), 2);
    call.tool('book', {}, { kind: 'side_effect' });
    call.session.end('shutdown', 'call_ended', limits);
    await call.clock.advance(999);
    expect(lines).toEqual([]);
    await call.clock.advance(1);
    expect(lines).toEqual(['shutdown']);
    await call.clock.advance(4_999);
    expect(lines).toEqual(['shutdown']);
    await call.clock.advance(1);
    expect(lines).toEqual(['shutdown', 'stopped']);
    await call.clock.advance(2_000);
    expect(lines).toEqual(['shutdown', 'stopped', 'closed']);
  });

  it('gives an end hook up that never settles, and tears down all the same', async () => {
    @VoiceAgent({ name: 'stuck' })
    class StuckEnd {
      closed = 0;
      onCallEnd(): Promise<void> {
        return forever();
      }
      [Symbol.dispose](): void {
        this.closed++;
      }
    }
    const call = await liveCall(StuckEnd);
    call.session.handleSessionEnd('call_ended');
    await call.clock.advance(29_999);
    expect((call.agent as StuckEnd).closed).toBe(0);
    await call.clock.advance(1);
    expect((call.agent as StuckEnd).closed).toBe(1);
  });

  it('ignores what still comes afterwards', async () => {
    const call = await hostCall();
    call.session.handleSessionEnd('call_ended');
    call.session.handleEvent(new UserText(1, 'late'), 9);
    call.tool('time');
    await call.settle();
    expect((call.agent as Host).heard).toEqual([]);
    expect(call.link.sent).toEqual([]);
  });
});

describe('commands', () => {
  it('resolve with their result and fail with its code', async () => {
    const call = await hostCall();
    const said = call.session.call.say('a');
    const ended = call.session.call.end({ say: 'bye', id: 'mine' });
    expect(call.link.commands.map(({ id }) => id)).toEqual(['c1', 'mine']);
    call.session.handleCommandResult('c1', true);
    call.session.handleCommandResult('mine', false, 'queue_full', 'later');
    await expect(said).resolves.toBeUndefined();
    await expect(ended).rejects.toMatchObject({ code: 'queue_full', detail: 'later' });
  });

  it('are checked before anything is sent', async () => {
    const call = await hostCall();
    await expect(call.session.call.say('  ')).rejects.toBeInstanceOf(CommandError);
    expect(call.link.sent).toEqual([]);
  });

  it('time out as of unknown outcome: 10 s, an end 45 s, a transfer 60 s', async () => {
    const call = await hostCall();
    const { call: live } = call.session;
    if (!live.can('transfer')) throw new Error('the test needs a transfer');
    const pending = { say: live.say('a'), end: live.end(), transfer: live.transfer('+390612345678') };
    const failed: string[] = [];
    for (const [name, promise] of Object.entries(pending)) {
      promise.catch((error) => {
        expect(error).toBeInstanceOf(CommandTimeout);
        expect(error.code).toBe('outcome_unknown');
        failed.push(name);
      });
    }
    const timeline: [number, string][] = [];
    for (const [ms, name] of [
      [10_000, 'say'],
      [45_000, 'end'],
      [60_000, 'transfer'],
    ] as const) {
      await call.clock.advance(ms - call.clock.nowMs() - 1);
      expect(failed).not.toContain(name);
      await call.clock.advance(1);
      timeline.push([ms, failed.at(-1) ?? '']);
    }
    expect(timeline).toEqual([
      [10_000, 'say'],
      [45_000, 'end'],
      [60_000, 'transfer'],
    ]);
  });

  it('may use an id again after its time-out, not while it waits', async () => {
    const call = await hostCall();
    const first = call.session.call.say('a', { id: 'x' });
    await expect(call.session.call.say('b', { id: 'x' })).rejects.toMatchObject({ code: 'invalid_argument' });
    const timedOut = expect(first).rejects.toBeInstanceOf(CommandTimeout);
    await call.clock.advance(10_000);
    await timedOut;
    const again = call.session.call.say('c', { id: 'x' });
    call.session.handleCommandResult('x', true);
    await expect(again).resolves.toBeUndefined();
  });

  it('go without an id when nobody waits, but for a transfer', async () => {
    const call = await hostCall();
    const { call: live } = call.session;
    if (!live.can('transfer')) throw new Error('the test needs a transfer');
    await live.say('a', { wait: false });
    await live.transfer('+390612345678', { wait: false });
    expect(call.link.commands.map(({ id }) => id)).toEqual([undefined, 'c1']);
  });

  it('log a failure that nobody waits for, without the text', async () => {
    const call = await hostCall();
    void call.session.call.say('secret words');
    call.session.handleCommandResult('c1', false, 'queue_full', 'x');
    await call.settle();
    expect(call.log.at(-1)).toMatchObject({ level: 'warn', fields: { command: 'say', code: 'queue_full' } });
    expect(JSON.stringify(call.log)).not.toContain('secret');
  });

  it('fail as closed when the call ends; a waiting end is answered by it', async () => {
    const call = await hostCall();
    const said = call.session.call.say('a');
    const ended = call.session.call.end();
    call.session.handleSessionEnd('ended_by_agent');
    await expect(said).rejects.toBeInstanceOf(CallClosed);
    await expect(ended).resolves.toBeUndefined();
    await expect(call.session.call.say('late')).rejects.toBeInstanceOf(CallClosed);
  });

  it('leave it to the other side to refuse a transfer that the call does not have', async () => {
    const call = await liveCall(Host, { providers: [Diary], transfer: false });
    const live = call.session.call;
    expect(live.can('transfer')).toBe(false);
    const forced = live as unknown as { transfer(to: string): Promise<void> };
    const refused = forced.transfer('+390612345678');
    call.session.handleCommandResult('c1', false, 'unsupported', 'no call control');
    await expect(refused).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('a live call on paper', () => {
  class Order {
    @IsString() dish!: string;
    @IsInt() count!: number;
  }

  it('shows nothing of the caller', async () => {
    const { inspect } = await import('node:util');
    @VoiceAgent({ name: 'paper' })
    class Paper {
      @Tool({ description: 'Orders.', kind: 'side_effect' })
      order(_order: Order): void {}
      @Tool('Greets.')
      greet(@Arg('name') name: string): string {
        return name;
      }
    }
    const call = await liveCall(Paper, {
      caller: new CallerIdentity('sip', 'secret-id', '+390612345678', '+390698765432', false),
    });
    const { call: live } = call.session;
    const shown = [live, live.caller, call.session, call.session.scope].map(
      (value) =>
        inspect(value, { depth: 10, showHidden: true }) +
        (value === call.session ? '' : JSON.stringify(value)),
    );
    for (const text of shown) {
      expect(text).not.toContain('612345678');
      expect(text).not.toContain('secret-id');
    }
  });
});
