import type { CallSession, Clock, SessionObserver } from '@callwright/core';
import { EndedCalls } from './ended-calls';
import type { LiveCall } from './live-call';
import { findResumed, type ResumptionRequest } from './resumption';

/** The calls of this process: those that hold a place, and those that are over and being torn down. */
export class CallTable implements SessionObserver {
  readonly #maxCalls: number;
  readonly #tornDown: ((session: CallSession) => void) | undefined;
  readonly #ended: EndedCalls;
  /** A call has its second half once it was accepted. */
  readonly #open = new Map<CallSession, LiveCall | undefined>();
  readonly #closing = new Set<CallSession>();
  /** Open calls by endpoint and carrier's name; those without a carrier are not among them. */
  readonly #byCarrierCall = new Map<string, LiveCall>();
  #whenEmpty: (() => void)[] = [];

  /** @param tornDown hears of each call that is over and torn down */
  constructor(maxCalls: number, clock: Clock, tornDown?: (session: CallSession) => void) {
    this.#maxCalls = maxCalls;
    this.#ended = new EndedCalls(clock);
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

  /** The one call that the start resumes; `several` also when it may mean one that is over here already. */
  resumedBy(request: ResumptionRequest): LiveCall | 'none' | 'several' {
    const found = findResumed(
      request,
      this.acceptedCalls().filter((call) => call.session.isResumable),
    );
    return found !== 'none' && this.#ended.areMeantBy(request) ? 'several' : found;
  }

  /** The call of the same carrier's call: a carrier does not give one name twice, so a new start ends it. */
  sameCarrierCall(carrierCallId: string, endpoint: string): LiveCall | undefined {
    return this.#byCarrierCall.get(carrierKey(carrierCallId, endpoint));
  }

  add(session: CallSession): void {
    this.#open.set(session, undefined);
  }

  accepted(session: CallSession, call: LiveCall): void {
    this.#open.set(session, call);
    const { carrierCallId, endpoint } = call.memory;
    if (carrierCallId !== undefined) this.#byCarrierCall.set(carrierKey(carrierCallId, endpoint), call);
  }

  onEnded(session: CallSession): void {
    const call = this.#open.get(session);
    if (call?.mayBeRedialled) this.#ended.remember(call.memory);
    this.release(session);
  }

  /** The call gives its place up; it stays known until it is torn down. */
  release(session: CallSession): void {
    if (this.#remove(session)) this.#closing.add(session);
  }

  onTornDown(session: CallSession): void {
    this.#tornDown?.(session);
    this.#remove(session);
    this.#closing.delete(session);
    if (this.#open.size + this.#closing.size > 0) return;
    for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  /** Resolves when no call is left, torn down ones included. */
  whenEmpty(): Promise<void> {
    if (this.#open.size + this.#closing.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  /** @returns whether it held a place. */
  #remove(session: CallSession): boolean {
    const call = this.#open.get(session);
    if (call !== undefined) {
      const { carrierCallId, endpoint } = call.memory;
      const key = carrierCallId === undefined ? undefined : carrierKey(carrierCallId, endpoint);
      // A newer call of that name may stand there already.
      if (key !== undefined && this.#byCarrierCall.get(key) === call) this.#byCarrierCall.delete(key);
    }
    return this.#open.delete(session);
  }
}

/** An endpoint is a URL's path behind a token, neither of which holds a line break. */
function carrierKey(carrierCallId: string, endpoint: string): string {
  return `${endpoint}\n${carrierCallId}`;
}
