import type { Clock, ClockTimer } from './clock';
import type { Link } from './link';

/**
 * Right behind a resuming accept the voice server restores the offer of all tools, so a set sent then is overridden: it goes
 * out this much later, or with the first message of the new link.
 */
export const RESTORE_AFTER_MS = 250;
/** And once more so much later, as a response that began meanwhile may have missed it. */
export const RESTORE_AGAIN_AFTER_MS = 1_000;

/** The set of tools that the agent wants offered, and how it comes back after a resumption. */
export class WantedTools {
  readonly #clock: Clock;
  /** Undefined: all. */
  #names: readonly string[] | undefined;
  #link: Link | undefined;
  #timer: ClockTimer | undefined;
  #sentOnce = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The agent set it. While a set is being restored the server may override this one too, so it is sent again in its turn. */
  set(names: readonly string[] | null): void {
    this.#names = names ?? undefined;
  }

  /** Whether the tool is unknown for now: the server offers more than the agent wants until the set came back. */
  hides(name: string): boolean {
    return this.#link !== undefined && this.#names !== undefined && !this.#names.includes(name);
  }

  /** The link came back: the set follows after a moment. */
  restore(link: Link): void {
    this.cancel();
    this.#link = link;
    this.#timer = this.#clock.setTimer(() => this.#send(), RESTORE_AFTER_MS);
  }

  /** Something came on the new link. */
  noteMessage(): void {
    if (this.#link && !this.#sentOnce) this.#send();
  }

  /** Nothing is restored any more: the link is gone, or the call. */
  cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#link = undefined;
    this.#sentOnce = false;
  }

  #send(): void {
    const link = this.#link;
    if (!link?.isOpen) return this.cancel();
    if (this.#names) link.sendCommand({ type: 'tools.set', enabled: this.#names }, undefined, undefined);
    this.#timer?.cancel();
    if (this.#sentOnce) return this.cancel();
    this.#sentOnce = true;
    this.#timer = this.#clock.setTimer(() => this.#send(), RESTORE_AGAIN_AFTER_MS);
  }
}
