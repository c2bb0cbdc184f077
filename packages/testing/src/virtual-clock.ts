import { type Clock, type ClockTimer, systemClock } from '@callwright/core';
import { TestingError, testingErrors } from './errors';

/** Options of {@link VirtualClock}. */
export interface VirtualClockOptions {
  /** Wall-clock time at the start, in milliseconds since 1970. Default: 2026-01-01T00:00:00Z. */
  readonly startWallMs?: number | undefined;
}

interface WaitingTimer {
  readonly run: () => void;
  readonly dueMs: number;
  /** Timers due at the same time run in the order they were set. */
  readonly order: number;
}

const DEFAULT_START_WALL_MS = Date.UTC(2026, 0, 1);
/** More timers than this in one `runAll` or `runUntil` mean that they never run out. */
const ENDLESS_TIMER_COUNT = 100_000;
/** Turns of the loop that `runUntil` gives to things that are not timers (a socket, a file) before it gives up. */
const IDLE_LOOP_TURNS = 2_000;

// Taken when this module loads, so that fake timers of a test runner do not stop the virtual clock.
const platformSetImmediate = setImmediate;

/** How Node names the reads and writes of files and the look-ups of names that run. These end by themselves, without any clock. */
const REQUEST = /Req/;
/** Real milliseconds that time stands still for such a request: one that never ends (a read of a pipe) must not stop it. */
const REQUEST_PATIENCE_MS = 1_000;

function requestsRun(): boolean {
  return process.getActiveResourcesInfo().some((resource) => REQUEST.test(resource));
}

const loopTurn = (): Promise<void> => new Promise((resolve) => platformSetImmediate(() => resolve()));

/**
 * A clock that stands still until a test moves it. It starts at 0 ms.
 *
 * Timers run only inside {@link advance}, {@link runAll} and {@link runUntil}, in the order they are due; between two of them
 * every promise that can go on does so. `defer` needs no help: it runs in the next turn of the real loop.
 *
 * @example
 * ```ts
 * import { VirtualClock } from '@callwright/testing';
 *
 * async function example(): Promise<void> {
 *   const clock = new VirtualClock();
 *   clock.setTimer(() => console.log('a minute later'), 60_000);
 *   await clock.advance(60_000);
 * }
 * void example();
 * ```
 */
export class VirtualClock implements Clock {
  readonly #startWallMs: number;
  #nowMs = 0;
  #nextOrder = 0;
  #deferredCount = 0;
  /** Sorted: the next timer to run is the last one, so that taking it moves nothing. */
  readonly #timers: WaitingTimer[] = [];
  /** One advance at a time; a second one begins where the first ended. */
  #moving: Promise<void> = Promise.resolve();

  constructor(options: VirtualClockOptions = {}) {
    this.#startWallMs = options.startWallMs ?? DEFAULT_START_WALL_MS;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#startWallMs + this.#nowMs;
  }

  /** How many timers wait. A test of a finished call expects 0: nothing was left running. */
  get pendingTimerCount(): number {
    return this.#timers.length;
  }

  setTimer(run: () => void, delayMs: number): ClockTimer {
    requireDelay('setTimer', delayMs);
    const timer: WaitingTimer = { run, dueMs: this.#nowMs + delayMs, order: this.#nextOrder++ };
    this.#timers.splice(this.#positionOf(timer), 0, timer);
    return { cancel: () => this.#cancel(timer) };
  }

  defer(run: () => void): void {
    this.#deferredCount += 1;
    platformSetImmediate(() => {
      this.#deferredCount -= 1;
      run();
    });
  }

  /**
   * Moves the clock forward by `ms` and runs what becomes due, in order. Resolves when all promises that could go on did.
   * Rejects with what a timer throws.
   * @throws TestingError `CW_CLOCK_DELAY_INVALID`
   */
  advance(ms: number): Promise<void> {
    requireDelay('advance', ms);
    return this.#move(async () => {
      const untilMs = this.#nowMs + ms;
      await this.settle();
      while (this.#runNext(untilMs)) await this.settle();
      this.#nowMs = untilMs;
    });
  }

  /**
   * Runs timers until none is left, and moves the clock to the last one.
   * @throws TestingError `CW_CLOCK_ENDLESS` after 100,000 timers.
   */
  runAll(): Promise<void> {
    return this.#move(async () => {
      await this.settle();
      for (let count = 0; this.#runNext(Number.POSITIVE_INFINITY); count += 1) {
        requireEnd('runAll', count);
        await this.settle();
      }
    });
  }

  /**
   * Moves the clock from timer to timer until `promise` is settled, and returns its result: the shortest way to await
   * something that takes time. While files are read or written, or names looked up, time stands still, for at most a second
   * of the machine's; other things that do not use the clock (an open socket, another process) it cannot see, and outruns.
   * @throws TestingError `CW_CLOCK_STUCK` when no timer is left and the promise still waits; `CW_CLOCK_ENDLESS` after 100,000 timers.
   */
  async runUntil<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const settle = (): void => {
      settled = true;
    };
    promise.then(settle, settle);
    await this.#move(async () => {
      await this.settle();
      for (let count = 0; !settled; count += 1) {
        requireEnd('runUntil', count);
        await this.#letRequestsEnd(() => settled);
        if (settled) return;
        if (!this.#runNext(Number.POSITIVE_INFINITY)) await this.#waitForLoop(() => settled);
        else await this.settle();
      }
    });
    return promise;
  }

  /** Lets everything go on that needs no time: promises and deferred work, until nothing of it is left. */
  async settle(): Promise<void> {
    do await loopTurn();
    while (this.#deferredCount > 0);
  }

  #move(work: () => Promise<void>): Promise<void> {
    const moved = this.#moving.then(work);
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  #runNext(untilMs: number): boolean {
    const next = this.#timers.at(-1);
    if (next === undefined || next.dueMs > untilMs) return false;
    this.#timers.pop();
    this.#nowMs = next.dueMs;
    next.run();
    return true;
  }

  async #letRequestsEnd(isSettled: () => boolean): Promise<void> {
    if (!requestsRun()) return;
    const untilMs = systemClock.nowMs() + REQUEST_PATIENCE_MS;
    while (requestsRun() && !isSettled() && systemClock.nowMs() < untilMs) await loopTurn();
    await this.settle();
  }

  async #waitForLoop(isSettled: () => boolean): Promise<void> {
    for (let turn = 0; turn < IDLE_LOOP_TURNS; turn += 1) {
      await loopTurn();
      if (isSettled() || this.#timers.length > 0) return;
    }
    throw new TestingError('CW_CLOCK_STUCK', testingErrors.CW_CLOCK_STUCK({ nowMs: this.#nowMs }));
  }

  #cancel(timer: WaitingTimer): void {
    const position = this.#positionOf(timer);
    if (this.#timers[position] === timer) this.#timers.splice(position, 1);
  }

  /** Where `timer` stands, or would stand, in the list that is sorted from the latest to the next. */
  #positionOf(timer: WaitingTimer): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#timers[middle];
      if (other !== undefined && isLater(other, timer)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isLater(left: WaitingTimer, right: WaitingTimer): boolean {
  return left.dueMs === right.dueMs ? left.order > right.order : left.dueMs > right.dueMs;
}

function requireDelay(method: string, ms: number): void {
  if (Number.isFinite(ms) && ms >= 0) return;
  throw new TestingError('CW_CLOCK_DELAY_INVALID', testingErrors.CW_CLOCK_DELAY_INVALID({ method, ms }));
}

function requireEnd(method: string, timers: number): void {
  if (timers < ENDLESS_TIMER_COUNT) return;
  throw new TestingError('CW_CLOCK_ENDLESS', testingErrors.CW_CLOCK_ENDLESS({ method, timers }));
}
