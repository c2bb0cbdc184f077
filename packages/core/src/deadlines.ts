import type { Clock } from './clock';

/** How exact the limits are: they fire up to this much late. */
export const DEADLINE_STEP_MS = 250;

/** Something with a time limit. */
export interface Expiring {
  /** On the clock's monotonic scale. */
  readonly dueMs: number;
  expire(): void;
}

/** Coarse time limits of many things on one timer, which runs only while there is something to watch. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #watched = new Set<Expiring>();
  #isTicking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are watched. */
  get size(): number {
    return this.#watched.size;
  }

  watch(expiring: Expiring): void {
    this.#watched.add(expiring);
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#clock.setTimer(this.#tick, DEADLINE_STEP_MS);
  }

  forget(expiring: Expiring): void {
    this.#watched.delete(expiring);
  }

  readonly #tick = (): void => {
    const nowMs = this.#clock.nowMs();
    for (const expiring of this.#watched) {
      if (expiring.dueMs > nowMs) continue;
      this.#watched.delete(expiring);
      expiring.expire();
    }
    this.#isTicking = this.#watched.size > 0;
    if (this.#isTicking) this.#clock.setTimer(this.#tick, DEADLINE_STEP_MS);
  };
}
