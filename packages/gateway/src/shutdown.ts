import type { Clock, EndLimits, Logger } from '@callwright/core';

/** How long call hooks may take when calls are ended from here. */
const CALL_HOOKS_LIMIT_MS = 4_000;
/**
 * What calls that are ended from here wait for, so that within the limit above `onCallEnd` runs behind a stuck handler too, and
 * side effects hear that they must stop before the modules that they use go.
 */
export const END_LIMITS_OF_SHUTDOWN: EndLimits = { handlerMs: 1_000, hooksMs: 2_500, sideEffectsMs: 2_500 };
/** How long the hooks of calls and modules may take together. */
const HOOKS_LIMIT_MS = 5_000;

/** Times of one shutdown, in milliseconds. */
export interface ShutdownTimes {
  /** Calls are still taken so long after the readiness is withdrawn, until every balancer has noticed. */
  readonly lameDuckMs: number;
  /** Live calls may go on so long to their own end. */
  readonly drainMs: number;
}

/** How a shutdown went. */
export interface ShutdownReport {
  /** Calls that were ended from here, before their own end. */
  readonly cutCalls: number;
}

/** What a shutdown does to the application, in the order of the methods. */
export interface ShutdownSteps {
  /** Plain starts are turned away from now on; resumptions of own calls are still taken. */
  drain(): void;
  /** Resolves when no call is left, torn down ones included. */
  whenEmpty(): Promise<void>;
  /** Closes the listening socket and ends every call that is left. @returns how many. */
  cut(): number;
  /** Cuts the sockets that are left, and runs the modules' hooks within the limit. */
  finish(limitMs: number): Promise<void>;
}

/**
 * The way from a running application to a closed one: lame duck, drain, cut, hooks. Every step is bounded, and `hurry` skips
 * the first two.
 */
export class Shutdown {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #steps: ShutdownSteps;
  #tellHurry: () => void = () => {};
  readonly #hurried = new Promise<void>((resolve) => {
    this.#tellHurry = resolve;
  });

  constructor(steps: ShutdownSteps, clock: Clock, logger: Logger) {
    this.#steps = steps;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Goes straight to the end: live calls are cut. */
  hurry(): void {
    this.#tellHurry();
  }

  async run({ lameDuckMs, drainMs }: ShutdownTimes): Promise<ShutdownReport> {
    await this.#atMost(lameDuckMs, NEVER);
    this.#steps.drain();
    await this.#atMost(drainMs, this.#steps.whenEmpty());
    const cutCalls = this.#steps.cut();
    if (cutCalls > 0) this.#logger.warn('calls were cut by the shutdown', { calls: cutCalls });
    const beganMs = this.#clock.nowMs();
    await this.#limited(CALL_HOOKS_LIMIT_MS, this.#steps.whenEmpty());
    const tookMs = Math.min(this.#clock.nowMs() - beganMs, CALL_HOOKS_LIMIT_MS); // more, where the loop stood still
    await this.#steps.finish(HOOKS_LIMIT_MS - tookMs);
    return { cutCalls };
  }

  /** Waits for `done`, for the time, or for somebody in a hurry. */
  async #atMost(limitMs: number, done: Promise<void>): Promise<void> {
    if (limitMs > 0) await this.#limited(limitMs, Promise.race([done, this.#hurried]));
  }

  async #limited(limitMs: number, done: Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#clock.setTimer(resolve, limitMs);
      void done.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }
}

const NEVER = new Promise<void>(() => {});
