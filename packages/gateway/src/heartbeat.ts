import type { Clock, ClockTimer, Logger } from '@callwright/core';
import type { BrisvoxConnection } from './connection';

/** How often links are looked at. */
export const HEARTBEAT_INTERVAL_MS = 5_000;
/** Looks without a frame after which a link is lost: it was silent for 15 to 20 s and left two of our pings unanswered. */
export const LOST_AFTER_SILENT_CHECKS = 3;

/**
 * Notices links that died without a word (a pulled cable, a vanished host). All of them share one timer, which runs
 * while there is a link. Only a silent link is pinged; the voice server's own pings count as a sign of life.
 */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #connections = new Set<BrisvoxConnection>();
  #timer: ClockTimer | undefined;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  watch(connection: BrisvoxConnection): void {
    this.#connections.add(connection);
    this.#timer ??= this.#clock.setTimer(this.#check, HEARTBEAT_INTERVAL_MS);
  }

  forget(connection: BrisvoxConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  readonly #check = (): void => {
    for (const connection of this.#connections) {
      const silentChecks = connection.countSilentChecks();
      if (silentChecks === 0) continue;
      if (silentChecks < LOST_AFTER_SILENT_CHECKS) {
        connection.link.ping();
        continue;
      }
      this.#logger.warn('a link was silent for too long and counts as lost', {
        silentMs: silentChecks * HEARTBEAT_INTERVAL_MS,
      });
      connection.link.giveUp();
    }
    this.#timer =
      this.#connections.size > 0 ? this.#clock.setTimer(this.#check, HEARTBEAT_INTERVAL_MS) : undefined;
  };
}
