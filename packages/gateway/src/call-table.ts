import type { CallSession, SessionObserver } from '@callwright/core';

/** The calls of this process: those that hold a place, and those that are over and being torn down. */
export class CallTable implements SessionObserver {
  readonly #maxCalls: number;
  readonly #open = new Set<CallSession>();
  readonly #closing = new Set<CallSession>();
  #whenEmpty: (() => void)[] = [];

  constructor(maxCalls: number) {
    this.#maxCalls = maxCalls;
  }

  /** Calls that hold a place: accepted, or being accepted. */
  get openCount(): number {
    return this.#open.size;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#maxCalls;
  }

  /** The open calls now; the list stays as it is when one of them ends. */
  openCalls(): readonly CallSession[] {
    return [...this.#open];
  }

  add(session: CallSession): void {
    this.#open.add(session);
  }

  /** The call gives its place up; it stays known until it is torn down. */
  release(session: CallSession): void {
    if (this.#open.delete(session)) this.#closing.add(session);
  }

  onTornDown(session: CallSession): void {
    this.#open.delete(session);
    this.#closing.delete(session);
    if (this.#open.size + this.#closing.size > 0) return;
    for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  /** Resolves when no call is left, torn down ones included. */
  whenEmpty(): Promise<void> {
    if (this.#open.size + this.#closing.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }
}
