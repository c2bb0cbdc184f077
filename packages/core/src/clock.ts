import { performance } from 'node:perf_hooks'; // the global one is looked up anew at each use

/** A running timer of a {@link Clock}. */
export interface ClockTimer {
  /** Stops the timer; a timer that fired or was stopped stays as it is. */
  cancel(): void;
}

/**
 * The port through which everything in Callwright reads time and waits. Tests put a `VirtualClock` here.
 * Delays are in milliseconds and may be longer than the 2^31 - 1 ms of the platform's own timers.
 */
export interface Clock {
  /** Monotonic time in milliseconds, from an arbitrary start. */
  nowMs(): number;
  /** Wall-clock time in milliseconds since 1970. */
  wallMs(): number;
  /** Calls `run` once, `delayMs` from now. A timer never keeps the process alive. */
  setTimer(run: () => void, delayMs: number): ClockTimer;
  /** Calls `run` after what is queued now, in this turn of the loop (as `setImmediate`). */
  defer(run: () => void): void;
}

const LONGEST_PLATFORM_DELAY_MS = 2 ** 31 - 1;

class SystemTimer implements ClockTimer {
  #timeout: NodeJS.Timeout | undefined;

  constructor(run: () => void, delayMs: number) {
    this.#wait(run, delayMs);
  }

  cancel(): void {
    clearTimeout(this.#timeout);
  }

  #wait(run: () => void, delayMs: number): void {
    const stepMs = Math.min(delayMs, LONGEST_PLATFORM_DELAY_MS);
    this.#timeout = setTimeout(() => {
      if (delayMs > stepMs) this.#wait(run, delayMs - stepMs);
      else run();
    }, stepMs);
    this.#timeout.unref();
  }
}

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  setTimer: (run, delayMs) => new SystemTimer(run, delayMs),
  defer: (run) => {
    setImmediate(run);
  },
};
