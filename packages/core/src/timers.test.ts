import { liveCall, sessionOf } from './call-session.test-support';
import { Interval, Timeout } from './timers';
import { VoiceAgent } from './voice-agent';

@VoiceAgent({ name: 'desk' })
class TickingAgent {
  readonly ticks: string[] = [];
  release: (() => void) | undefined;

  @Interval(1_000)
  every(): void {
    this.ticks.push('every');
  }

  @Timeout(2_500)
  once(): void {
    this.ticks.push('once');
  }

  @Interval(10_000)
  async slow(): Promise<void> {
    this.ticks.push('slow');
    await new Promise<void>((resolve) => {
      this.release = resolve;
    });
  }

  @Timeout(500)
  failing(): never {
    throw new Error('+390612345678');
  }
}

describe('the timers of a call', () => {
  test('run while it lives, and die with it', async () => {
    const call = await liveCall(TickingAgent);
    const { ticks } = call.agent as TickingAgent;
    await call.clock.advance(3_999);
    expect(ticks).toEqual(['every', 'every', 'once', 'every']);
    call.session.end('call_ended', 'call_ended');
    await call.clock.advance(20_000);
    expect(ticks).toEqual(['every', 'every', 'once', 'every']);
  });

  test('do not run before the call is accepted', async () => {
    const call = await sessionOf(TickingAgent);
    await call.session.start();
    await call.clock.advance(5_000);
    expect((call.agent as TickingAgent).ticks).toEqual([]);
  });

  test('a tick that is still running makes the next one wait', async () => {
    const call = await liveCall(TickingAgent);
    const agent = call.agent as TickingAgent;
    const slow = (): number => agent.ticks.filter((tick) => tick === 'slow').length;
    await call.clock.advance(35_000);
    expect(slow()).toBe(1);
    agent.release?.();
    await call.clock.advance(1);
    expect(slow()).toBe(2);
  });

  test('a failure is logged without its message, and nothing else stops', async () => {
    const call = await liveCall(TickingAgent);
    await call.clock.advance(1_000);
    expect(call.log.map(({ message }) => message)).toEqual(['a timer failed']);
    expect(JSON.stringify(call.log)).not.toContain('+390612345678');
    expect((call.agent as TickingAgent).ticks).toEqual(['every']);
  });

  test.each([9, 86_400_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'a delay of %p is a boot error',
    async (ms) => {
      @VoiceAgent({ name: 'desk' })
      class Agent {
        @Interval(ms)
        tick(): void {}
      }
      await expect(sessionOf(Agent)).rejects.toThrow('CW_TIMER_INVALID');
    },
  );

  test.each([10, 86_400_000])('a delay of %p is none', async (ms) => {
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Timeout(ms)
      tick(): void {}
    }
    await expect(sessionOf(Agent)).resolves.toBeDefined();
  });
});
