import type { Clock } from '@callwright/core';
import { DialFailure } from './dial';
import { hangUpOn, LinkRefused, type Taken } from './handshake';
import type { LinkTimes } from './link-parts';

/** How an outage ended: a connection that was taken up, or why there will be none. */
export type OutageEnd =
  | { readonly kind: 'resumed'; readonly taken: Taken; readonly attempt: number }
  | { readonly kind: 'gone'; readonly reason: string }
  /** The call ended meanwhile. */
  | { readonly kind: 'unwanted' };

/** What one outage needs. */
export interface Outage {
  readonly lostAtMs: number;
  /** False when the call has ended: nobody wants the link any more. */
  isWanted(): boolean;
  /** Takes the number that an attempt uses up, whether or not anything is written. */
  takeSeq(): void;
  /** One attempt; its number has been taken. @throws DialFailure, LinkRefused */
  open(attempt: number, downMs: number): Promise<Taken>;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;

/** The server's attempts to reopen a lost link. A series goes on over several outages until a link has lived long enough. */
export class Redials {
  readonly #clock: Clock;
  readonly #times: LinkTimes;
  readonly #random: () => number;
  #attempts = 0;
  #refusals = 0;

  constructor(clock: Clock, times: LinkTimes, random: () => number) {
    this.#clock = clock;
    this.#times = times;
    this.#random = random;
  }

  /** The next `count` attempts fail without a connection. */
  refuse(count: number): void {
    this.#refusals += count;
  }

  /** The link that was lost had lived long enough: attempts count anew. */
  beginSeries(): void {
    this.#attempts = 0;
  }

  /** Attempts with growing waits until one is accepted, they are used up, or the agent says no. */
  async run(outage: Outage): Promise<OutageEnd> {
    while (outage.isWanted()) {
      if (this.#attempts >= this.#times.redialAttempts) {
        return gone('all attempts to reopen the link are used up');
      }
      this.#attempts += 1;
      const attempt = this.#attempts;
      const waitMs = this.#backoffMs(attempt);
      if (this.#clock.nowMs() + waitMs >= outage.lostAtMs + this.#times.redialWindowMs) {
        return gone('the time to reopen the link is over');
      }
      await new Promise<void>((resolve) => {
        this.#clock.setTimer(resolve, waitMs);
      });
      const end = await this.#attempt(attempt, outage);
      if (end !== undefined) return end;
    }
    return { kind: 'unwanted' };
  }

  /** Doubling from 100 ms to 2 s, times a factor from 0.5 to 1. */
  #backoffMs(attempt: number): number {
    return Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS) * (0.5 + this.#random() / 2);
  }

  /** Undefined: it failed, and is tried again. */
  async #attempt(attempt: number, outage: Outage): Promise<OutageEnd | undefined> {
    if (!outage.isWanted()) return { kind: 'unwanted' };
    outage.takeSeq();
    if (this.#refusals > 0) {
      this.#refusals -= 1;
      return undefined;
    }
    try {
      const taken = await outage.open(attempt, Math.round(this.#clock.nowMs() - outage.lostAtMs));
      const { resume } = taken.accept;
      if (outage.isWanted() && resume) return { kind: 'resumed', taken, attempt };
      hangUpOn(taken.answered);
      return resume ? { kind: 'unwanted' } : gone('the agent took the call again without `resume: true`');
    } catch (error) {
      if (error instanceof DialFailure) return undefined;
      if (error instanceof LinkRefused) return gone(`the agent refused the resumption (${error.code})`);
      throw error;
    }
  }
}

function gone(reason: string): OutageEnd {
  return { kind: 'gone', reason };
}
