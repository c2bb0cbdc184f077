import { Arg } from './arg';
import { liveCall, type TestCall } from './call-session.test-support';
import { UseInterceptors } from './enhancers';
import { ToolError } from './failures';
import type { Interceptor, Next } from './interceptor';
import { CacheInterceptor } from './interceptors/cache';
import { RetryInterceptor } from './interceptors/retry';
import { TimeoutInterceptor } from './interceptors/timeout';
import { TimingInterceptor } from './interceptors/timing';
import { Tool } from './tool';
import { ToolContext } from './tool-context';
import { VoiceAgent } from './voice-agent';

/** A call of an agent with a read `look(day)` and a side effect `book()`, both of them `run`, inside the interceptors. */
function callWith(
  interceptors: readonly Interceptor[],
  run: (tool: ToolContext) => unknown,
): Promise<TestCall> {
  @UseInterceptors(...interceptors)
  @VoiceAgent({ name: 'desk' })
  class Agent {
    @Tool('Looks.')
    look(@Arg('day', { optional: true }) _day: string, tool: ToolContext): unknown {
      return run(tool);
    }

    @Tool({ description: 'Books.', kind: 'side_effect' })
    book(tool: ToolContext): unknown {
      return run(tool);
    }
  }
  return liveCall(Agent);
}

const around = (intercept: (next: Next) => unknown): Interceptor => ({
  intercept: (_context, next) => intercept(next),
});

describe('an interceptor', () => {
  test('changes the result, or answers in the place of the method', async () => {
    let runs = 0;
    const twice = await callWith([around(async (next) => `${await next()}!`)], () => 'yes');
    twice.tool('look');
    const instead = await callWith([around(() => 'instead')], () => ++runs);
    instead.tool('book', {}, { kind: 'side_effect' });
    await twice.settle();
    expect([twice.link.answers, instead.link.answers, runs]).toEqual([
      [[1, '"yes!"']],
      [[1, '"instead"']],
      0,
    ]);
  });

  test('that calls next() twice gets one run and one promise', async () => {
    let runs = 0;
    let isSame: boolean | undefined;
    const call = await callWith(
      [
        around((next) => {
          const [first, second] = [next(), next()];
          isSame = first === second;
          return second;
        }),
      ],
      () => ++runs,
    );
    call.tool('book', {}, { kind: 'side_effect' });
    await call.settle();
    expect([runs, isSame, call.link.answers]).toEqual([1, true, [[1, '1']]]);
  });

  test('cannot run a side effect again', async () => {
    let runs = 0;
    const call = await callWith([around((next) => next().then(() => next.again()))], () => ++runs);
    call.tool('book', {}, { kind: 'read_only' }); // whatever the wire calls it
    await call.settle();
    expect(runs).toBe(1);
    expect(call.link.answers).toEqual([[1, 'error: tool failed: CallwrightError']]);
  });

  test('that drops the promise of next() ends no process when it fails', async () => {
    const rejections: unknown[] = [];
    const note = (error: unknown): void => void rejections.push(error);
    process.on('unhandledRejection', note);
    const call = await callWith(
      [
        around((next) => {
          void next();
          return 'dropped';
        }),
      ],
      () => Promise.reject(new Error('a failure')),
    );
    call.tool('look');
    await call.settle();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect([call.link.answers, rejections]).toEqual([[[1, '"dropped"']], []]);
  });

  test('that answered already starts nothing any more', async () => {
    let runs = 0;
    let late: Next | undefined;
    const call = await callWith(
      [
        around(async (next) => {
          late = next;
          return 'early';
        }),
      ],
      () => ++runs,
    );
    call.tool('book', {}, { kind: 'side_effect' });
    await call.settle();
    await expect(late?.()).rejects.toThrow('did not start');
    expect([runs, call.link.answers]).toEqual([0, [[1, '"early"']]]);
  });
});

describe('a shipped interceptor', () => {
  test('may be named by its class, with its defaults', async () => {
    let runs = 0;
    @UseInterceptors(TimingInterceptor, RetryInterceptor)
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Looks.')
      look(): number {
        runs += 1;
        if (runs === 1) throw new Error('a failure');
        return runs;
      }
    }
    const call = await liveCall(Agent);
    call.tool('look');
    await call.clock.advance(100);
    expect(call.link.answers).toEqual([[1, '2']]);
    expect(call.log.map(({ message }) => message)).toContain('a method ran');
  });
});

describe('TimingInterceptor', () => {
  test('logs how long a method took, and nothing of the caller', async () => {
    const call = await callWith([new TimingInterceptor()], async () => {
      await new Promise<void>((resolve) => call.clock.setTimer(resolve, 40));
    });
    call.tool('look', { day: '+390612345678' });
    await call.clock.advance(40);
    const lines = call.log.filter(({ message }) => message === 'a method ran');
    expect(lines.map(({ fields }) => fields)).toEqual([{ method: 'Agent.look', tookMs: 40, ok: true }]);
    expect(JSON.stringify(call.log)).not.toContain('+390612345678');
  });

  test('is silent about what was fast enough', async () => {
    const call = await callWith([new TimingInterceptor({ slowerThanMs: 10 })], () => 1);
    call.tool('look');
    await call.settle();
    expect(call.log.filter(({ message }) => message === 'a method ran')).toEqual([]);
  });
});

describe('RetryInterceptor', () => {
  const failing = (failures: number) => {
    let runs = 0;
    return () => {
      runs += 1;
      if (runs <= failures) throw new Error('a failure');
      return runs;
    };
  };

  test('runs a read again, after a longer and longer wait', async () => {
    const call = await callWith([new RetryInterceptor({ attempts: 3, delayMs: 100 })], failing(2));
    call.tool('look');
    await call.clock.advance(299);
    expect(call.link.answers).toEqual([]);
    await call.clock.advance(1);
    expect(call.link.answers).toEqual([[1, '3']]);
  });

  test('gives up after its attempts', async () => {
    const call = await callWith([new RetryInterceptor({ attempts: 2, delayMs: 0 })], failing(2));
    call.tool('look');
    await call.clock.advance(1);
    expect(call.link.answers).toEqual([[1, 'error: tool failed: Error']]);
  });

  test('never repeats a side effect or a deliberate answer', async () => {
    let runs = 0;
    const call = await callWith([new RetryInterceptor({ delayMs: 0 })], ({ name }) => {
      runs += 1;
      throw name === 'look' ? new ToolError('closed') : new Error('a failure');
    });
    call.tool('look');
    call.tool('book', {}, { kind: 'side_effect' });
    await call.clock.advance(10);
    expect(runs).toBe(2);
  });

  test('stops when the tool is cancelled', async () => {
    let runs = 0;
    const call = await callWith([new RetryInterceptor({ delayMs: 100 })], () => {
      runs += 1;
      throw new Error('a failure');
    });
    const id = call.tool('look');
    await call.settle();
    call.session.handleToolCancel(id, 'interrupted');
    await call.clock.advance(1_000);
    expect([runs, call.link.answers]).toEqual([1, []]);
  });
});

describe('CacheInterceptor', () => {
  test('answers equal reads from memory until the time is over, whatever the order of names', async () => {
    let runs = 0;
    const call = await callWith([new CacheInterceptor({ ttlMs: 1_000 })], () => ++runs);
    call.tool('look', { day: 'monday' });
    call.tool('look', { day: 'monday' });
    call.tool('look', { day: 'sunday' });
    await call.settle();
    expect(Object.fromEntries(call.link.answers)).toEqual({ 1: '1', 2: '1', 3: '2' });
    await call.clock.advance(1_000);
    call.tool('look', { day: 'monday' });
    await call.settle();
    expect(runs).toBe(3);
  });

  test('keeps no failure and no side effect, and not more than it may', async () => {
    let runs = 0;
    const call = await callWith([new CacheInterceptor({ ttlMs: 1_000, maxEntries: 1 })], ({ name }) => {
      runs += 1;
      if (name === 'look' && runs === 1) throw new Error('a failure');
      return runs;
    });
    call.tool('look');
    await call.settle();
    call.tool('look'); // run 2: the failure was not kept
    call.tool('look', { day: 'monday' }); // run 3: pushes the first out
    call.tool('look'); // run 4
    await call.settle();
    call.tool('book', {}, { kind: 'side_effect', wireKey: 'a' });
    call.tool('book', {}, { kind: 'side_effect', wireKey: 'b', args: { x: 1 } });
    await call.settle();
    expect(runs).toBeGreaterThanOrEqual(5);
    expect(call.link.answers.slice(1, 4).map(([, text]) => text)).toEqual(['2', '3', '4']);
  });

  test('lets nobody fail with a call that was cancelled', async () => {
    let runs = 0;
    const aborted = (tool: ToolContext): Promise<number> =>
      new Promise((resolve, reject) => {
        const run = ++runs;
        tool.signal.addEventListener('abort', () => reject(tool.signal.reason));
        if (run === 2) resolve(run);
      });
    const call = await callWith([new CacheInterceptor({ ttlMs: 1_000 })], aborted);
    const first = call.tool('look');
    const second = call.tool('look');
    await call.settle();
    call.session.handleToolCancel(first, 'interrupted');
    await call.settle();
    expect([runs, call.link.answers]).toEqual([2, [[second, '2']]]);
  });

  test('keeps the answers of one call from the next, unless it is told to share', async () => {
    for (const sharedBetweenCalls of [false, true]) {
      let runs = 0;
      const cache = new CacheInterceptor({ ttlMs: 1_000, sharedBetweenCalls });
      for (let calls = 0; calls < 2; calls++) {
        const call = await callWith([cache], () => ++runs);
        call.tool('look');
        await call.settle();
      }
      expect(runs).toBe(sharedBetweenCalls ? 1 : 2);
    }
  });
});

describe('TimeoutInterceptor', () => {
  test('answers for a slow read and fires its signal', async () => {
    let signal: AbortSignal | undefined;
    const call = await callWith([new TimeoutInterceptor({ afterMs: 500 })], (tool) => {
      signal = tool.signal;
      return new Promise(() => {});
    });
    call.tool('look');
    await call.clock.advance(499);
    expect([signal?.aborted, call.link.answers]).toEqual([false, []]);
    await call.clock.advance(1);
    expect([signal?.aborted, call.link.answers]).toEqual([true, [[1, 'error: that took too long']]]);
  });

  test('lets a side effect take its time', async () => {
    const call = await callWith(
      [new TimeoutInterceptor({ afterMs: 500 })],
      () => new Promise((resolve) => call.clock.setTimer(() => resolve('done'), 2_000)),
    );
    call.tool('book', {}, { kind: 'side_effect' });
    await call.clock.advance(2_000);
    expect(call.link.answers).toEqual([[1, '"done"']]);
  });

  test.each([0, 30_001, 1.5, Number.NaN])('refuses the time %p', (afterMs) => {
    expect(() => new TimeoutInterceptor({ afterMs })).toThrow(RangeError);
    expect(() => new TimeoutInterceptor({ afterMs: 30_000 })).not.toThrow();
  });
});
