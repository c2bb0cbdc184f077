import type { Clock } from '@callwright/core';
import { type LinkMemory, type ResumptionRequest, resumes } from './resumption';

/** A voice server notices a loss within 40 s and redials for 15 s more. */
const REMEMBERED_FOR_MS = 60_000;
/** The oldest are forgotten first. */
const MAX_REMEMBERED = 1_024;

/**
 * Calls that are over here while their voice server may not know: one whose link was lost for us alone, and which waited in
 * vain, may still be redialled. Such a start must not be taken for another call that looks the same.
 */
export class EndedCalls {
  readonly #clock: Clock;
  #calls: { readonly memory: LinkMemory; readonly untilMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#calls.length;
  }

  remember(memory: LinkMemory): void {
    this.#forgetOld();
    if (this.#calls.length >= MAX_REMEMBERED) this.#calls.shift();
    this.#calls.push({ memory, untilMs: this.#clock.nowMs() + REMEMBERED_FOR_MS });
  }

  /** Whether the start resumes one of them. */
  areMeantBy(request: ResumptionRequest): boolean {
    this.#forgetOld();
    return this.#calls.some(({ memory }) => resumes(request, memory));
  }

  #forgetOld(): void {
    const nowMs = this.#clock.nowMs();
    const firstKept = this.#calls.findIndex(({ untilMs }) => untilMs > nowMs);
    if (firstKept !== 0) this.#calls = firstKept < 0 ? [] : this.#calls.slice(firstKept);
  }
}
