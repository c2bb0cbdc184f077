import type { CallSession, SessionObserver } from '@callwright/core';
import type { LiveCall } from './live-call';
import { findResumed, type ResumptionRequest } from './resumption';

/** The calls of this process: those that hold a place, and those that are over and being torn down. */
export class CallTable implements SessionObserver {
  readonly #maxCalls: number;
  readonly #tornDown: ((session: CallSession) => void) | undefined;
  /** A call has its second half once it was accepted. */
  readonly #open = new Map<CallSession, LiveCall | undefined>();
  readonly #closing = new Set<CallSession>();
  #whenEmpty: (() => void)[] = [];

  /** @param tornDown hears of each call that is over and torn down */
  constructor(maxCalls: number, tornDown?: (session: CallSession) => void) {
    this.#maxCalls = maxCalls;
    this.#tornDown = tornDown;
  }

  /** Calls that hold a place: being accepted, live, or parked. */
  get openCount(): number {
    return this.#open.size;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#maxCalls;
  }

  /** The accepted calls now; the list stays as it is when one of them ends. */
  acceptedCalls(): readonly LiveCall[] {
    return [...this.#open.values()].filter((call) => call !== undefined);
  }

  /** The one call that the start resumes. */
  resumedBy(request: ResumptionRequest): LiveCall | 'none' | 'several' {
    return findResumed(
      request,
      this.acceptedCalls().filter((call) => call.session.isResumable),
    );
  }

  /** The call of the same carrier's call: a carrier does not give one name twice, so a new start ends it. */
  sameCarrierCall(carrierCallId: string, endpoint: string): LiveCall | undefined {
    return this.acceptedCalls().find(
      ({ memory }) => memory.carrierCallId === carrierCallId && memory.endpoint === endpoint,
    );
  }

  add(session: CallSession): void {
    this.#open.set(session, undefined);
  }

  accepted(session: CallSession, call: LiveCall): void {
    this.#open.set(session, call);
  }

  /** The call gives its place up; it stays known until it is torn down. */
  release(session: CallSession): void {
    if (this.#open.delete(session)) this.#closing.add(session);
  }

  onTornDown(session: CallSession): void {
    this.#tornDown?.(session);
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
