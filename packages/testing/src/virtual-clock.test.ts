import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { VirtualClock } from './virtual-clock';

describe('VirtualClock', () => {
  it('stands still while files are read, and does not outrun what follows', async () => {
    const clock = new VirtualClock();
    let timedOut = false;
    clock.setTimer(() => {
      timedOut = true;
    }, 1_000);
    const read = (async () => {
      let bytes = 0;
      for (let count = 0; count < 20; count += 1) bytes += (await readFile(__filename)).byteLength;
      return bytes;
    })();
    expect(await clock.runUntil(read)).toBeGreaterThan(0);
    expect(timedOut).toBe(false);
    expect(clock.nowMs()).toBe(0);
  });

  it('stands still until it is moved, and moves the wall clock with it', async () => {
    const clock = new VirtualClock({ startWallMs: 1_000 });
    await clock.settle();
    expect([clock.nowMs(), clock.wallMs()]).toEqual([0, 1_000]);
    await clock.advance(250);
    expect([clock.nowMs(), clock.wallMs()]).toEqual([250, 1_250]);
  });

  it('runs due timers in the order they are due, then in the order they were set', async () => {
    const clock = new VirtualClock();
    const ran: string[] = [];
    clock.setTimer(() => ran.push(`b ${clock.nowMs()}`), 20);
    clock.setTimer(() => ran.push(`a ${clock.nowMs()}`), 10);
    clock.setTimer(() => ran.push(`c ${clock.nowMs()}`), 20);
    clock.setTimer(() => ran.push('late'), 31);
    await clock.advance(30);
    expect(ran).toEqual(['a 10', 'b 20', 'c 20']);
    expect(clock.pendingTimerCount).toBe(1);
  });

  it('lets promises go on between two timers', async () => {
    const clock = new VirtualClock();
    const ran: string[] = [];
    const wait = (ms: number): Promise<void> => new Promise((resolve) => clock.setTimer(resolve, ms));
    void (async () => {
      await wait(10);
      await Promise.resolve();
      ran.push(`first wait over at ${clock.nowMs()}`);
      await wait(10);
      ran.push(`second wait over at ${clock.nowMs()}`);
    })();
    await clock.advance(20);
    expect(ran).toEqual(['first wait over at 10', 'second wait over at 20']);
  });

  it('runs deferred work without being moved, and before advance resolves', async () => {
    const clock = new VirtualClock();
    const ran: string[] = [];
    clock.defer(() => clock.defer(() => ran.push('deferred by deferred')));
    await clock.advance(0);
    expect(ran).toEqual(['deferred by deferred']);
  });

  it('never runs a cancelled timer', async () => {
    const clock = new VirtualClock();
    let ran = 0;
    const timers = [5, 5, 5].map((ms) => clock.setTimer(() => ran++, ms));
    timers[1]?.cancel();
    timers[1]?.cancel();
    await clock.advance(5);
    timers[0]?.cancel();
    expect(ran).toBe(2);
  });

  it('runs all timers, also those that timers set', async () => {
    const clock = new VirtualClock();
    let ran = 0;
    clock.setTimer(() => clock.setTimer(() => ran++, 86_400_000), 1_000);
    await clock.runAll();
    expect([ran, clock.nowMs(), clock.pendingTimerCount]).toEqual([1, 86_401_000, 0]);
  });

  it('moves from timer to timer until a promise is settled', async () => {
    const clock = new VirtualClock();
    clock.setTimer(() => undefined, 60_000);
    const answer = new Promise<string>((resolve) => clock.setTimer(() => resolve('done'), 3_000));
    await expect(clock.runUntil(answer)).resolves.toBe('done');
    expect(clock.nowMs()).toBe(3_000);
  });

  it('says so when nothing can settle the promise any more', async () => {
    const clock = new VirtualClock();
    await expect(clock.runUntil(new Promise(() => undefined))).rejects.toThrow(/CW_CLOCK_STUCK/);
  });

  it('gives what a timer throws to the test', async () => {
    const clock = new VirtualClock();
    clock.setTimer(() => {
      throw new Error('from the timer');
    }, 1);
    await expect(clock.advance(1)).rejects.toThrow('from the timer');
    await clock.advance(1);
    expect(clock.nowMs()).toBe(2);
  });

  it('takes two moves at once one after the other', async () => {
    const clock = new VirtualClock();
    await Promise.all([clock.advance(5), clock.advance(7)]);
    expect(clock.nowMs()).toBe(12);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to move by %p ms', (ms) => {
    expect(() => new VirtualClock().advance(ms)).toThrow(/CW_CLOCK_DELAY_INVALID/);
  });

  it('runs any timers, some cancelled, as a sorted list would', async () => {
    const timer = fc.record({ ms: fc.nat(20), cancelled: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(timer, { maxLength: 30 }), async (timers) => {
        const clock = new VirtualClock();
        const ran: number[] = [];
        const handles = timers.map(({ ms }, index) => clock.setTimer(() => ran.push(index), ms));
        timers.forEach(({ cancelled }, index) => {
          if (cancelled) handles[index]?.cancel();
        });
        await clock.runAll();
        const expected = timers
          .map(({ ms, cancelled }, index) => ({ ms, cancelled, index }))
          .filter(({ cancelled }) => !cancelled)
          .sort((left, right) => left.ms - right.ms || left.index - right.index);
        expect(ran).toEqual(expected.map(({ index }) => index));
      }),
      { numRuns: 50 },
    );
  });
});
