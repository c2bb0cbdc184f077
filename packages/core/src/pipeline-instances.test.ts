import { Injectable, Scope } from '@callwright/di';
import { Arg } from './arg';
import { Call } from './call';
import { liveCall } from './call-session.test-support';
import { APP_GUARD, APP_INTERCEPTOR, UseGuards, UseInterceptors } from './enhancers';
import { UserText } from './events';
import type { CanActivate } from './guard';
import type { OnCallEnd, OnCallStart } from './hooks';
import type { Interceptor, Next } from './interceptor';
import { CacheInterceptor } from './interceptors/cache';
import { OnEvent } from './on-event';
import { Interval } from './timers';
import { Tool } from './tool';
import { VoiceAgent } from './voice-agent';

/** Native private fields work only on the real instance: a proxy, a copy or a lost `this` would throw here. */
@Injectable({ scope: Scope.CALL })
class CountingGuard implements CanActivate {
  #asked = 0;
  canActivate(): boolean {
    this.#asked += 1;
    return this.#asked > 0;
  }
}

@Injectable()
class PassingInterceptor implements Interceptor {
  #passed = 0;
  intercept(_context: unknown, next: Next): Promise<unknown> {
    this.#passed += 1;
    return next();
  }
  get passed(): number {
    return this.#passed;
  }
}

@VoiceAgent({ name: 'desk' })
@UseGuards(CountingGuard)
@UseInterceptors(PassingInterceptor)
class DeskAgent implements OnCallStart, OnCallEnd {
  readonly #journal: string[] = [];

  onCallStart(): void {
    this.#journal.push('start');
  }
  @Tool('Acts.')
  act(@Arg('day') day: string): string {
    this.#journal.push(`act ${day}`);
    return day;
  }
  @OnEvent(UserText)
  heard(event: UserText): void {
    this.#journal.push(`heard ${event.text}`);
  }
  @Interval(1_000)
  tick(): void {
    this.#journal.push('tick');
  }
  onCallEnd(): void {
    this.#journal.push('end');
  }
  get journal(): readonly string[] {
    return this.#journal;
  }
}

describe('what the pipeline stands around', () => {
  test('are the real instances, with their private fields', async () => {
    const call = await liveCall(DeskAgent);
    call.tool('act', { day: 'monday' });
    call.session.handleEvent(new UserText(1, 'hello'), 1);
    await call.clock.advance(1_000);
    call.session.end('call_ended', 'call_ended');
    await call.settle();
    expect((call.agent as DeskAgent).journal).toEqual(['start', 'act monday', 'heard hello', 'tick', 'end']);
    expect(call.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is called where a test put a spy', async () => {
    const call = await liveCall(DeskAgent);
    const spy = jest.spyOn(call.agent as DeskAgent, 'act').mockReturnValue('of the spy');
    call.tool('act', { day: 'monday' });
    await call.settle();
    expect(call.link.answers).toEqual([[1, '"of the spy"']]);
    expect(spy).toHaveBeenCalledWith('monday');
  });
});

describe('a direct path', () => {
  test('is taken where nothing is bound: the answer is there when the frame was handled', async () => {
    @VoiceAgent({ name: 'desk' })
    class Bare {
      @Tool('Acts.')
      act(): string {
        return 'done';
      }
    }
    const call = await liveCall(Bare);
    call.tool('act');
    expect(call.link.answers).toEqual([[1, '"done"']]);
  });

  test('stays without a promise behind guards that do not wait', async () => {
    @VoiceAgent({ name: 'desk' })
    class Guarded {
      @Tool('Acts.')
      @UseGuards({ canActivate: () => true }, CountingGuard)
      act(): string {
        return 'done';
      }
    }
    const call = await liveCall(Guarded, { providers: [{ provide: APP_GUARD, useClass: CountingGuard }] });
    call.tool('act');
    expect(call.link.answers).toEqual([[1, '"done"']]);
  });
});

describe('20,000 calls with everything bound', () => {
  test('leave no timer, no scope and no instance behind', async () => {
    const collectGarbage = await garbageCollector();
    const cache = new CacheInterceptor({ ttlMs: 60_000 });
    @Injectable({ scope: Scope.CALL })
    class Heavy {
      readonly weight = new Uint8Array(1_024);
      constructor(readonly call: Call) {}
    }
    @VoiceAgent({ name: 'desk' })
    class Agent {
      constructor(readonly heavy: Heavy) {}
      @Tool('Acts.')
      @UseGuards(CountingGuard)
      @UseInterceptors(cache)
      act(): string {
        return this.heavy.call.id;
      }
      @Interval(1_000)
      tick(): void {}
    }
    const providers = [Heavy, { provide: APP_INTERCEPTOR, useClass: PassingInterceptor }];
    const first = await liveCall(Agent, { providers });
    const seen: WeakRef<object>[] = [];
    for (let calls = 0; calls < 20_000; calls++) {
      const session = first.again();
      session.open(first.link);
      if (calls % 1_000 === 0) {
        session.handleToolCall({ ...REQUEST, id: calls });
        seen.push(new WeakRef(session.scope.root(0) as object), new WeakRef(session.call));
      }
      session.end('call_ended', 'call_ended');
      if (calls % 500 === 0) await first.settle();
      first.link.sent.length = 0;
    }
    await first.settle();
    first.session.end('call_ended', 'call_ended');
    await first.clock.advance(1_000); // the common timer of all tools' time limits notices that there are none
    expect(first.clock.pendingTimerCount).toBe(0);
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    expect(seen.filter((reference) => reference.deref() !== undefined)).toHaveLength(0);
  });
});

const REQUEST = {
  callId: 't1',
  name: 'act',
  args: {},
  kind: 'read_only',
  epoch: 1,
  wireKey: 'key',
  timeoutMs: 5_000,
  source: '{}',
  readArgs: JSON.parse,
} as const;

async function garbageCollector(): Promise<() => void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // the engine's own function, given to new contexts by the flag
}
