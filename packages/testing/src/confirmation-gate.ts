import type { Clock } from '@callwright/core';
import { canonicalJson } from './canonical-json';

/** A tool call that waits for the user's yes. */
export interface HeldCall {
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly epoch: number;
}

/** Why a confirmation is refused: no such request, no user turn since it, or it comes from an older turn. */
export type ConfirmationRefusal = 'unknown' | 'same_turn' | 'stale';

const MAX_HELD_CALLS = 8;
const HELD_CALL_LIFETIME_MS = 120_000;

interface Held extends HeldCall {
  readonly atMs: number;
  readonly userTurn: number;
  readonly argsKey: string;
}

/**
 * The server's gate for tools that declare `confirm`: the model's first call is held, and runs only when the model
 * confirms it after the user's next turn. A request lives 120 s; at most 8 wait; a barge-in clears them all.
 */
export class ConfirmationGate {
  readonly #clock: Clock;
  #held: Held[] = [];
  #userTurns = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The newest request, to be confirmed. */
  get newest(): string | undefined {
    this.#prune();
    return this.#held.at(-1)?.callId;
  }

  /** Holds a call. An equal request that waits already is replaced. */
  hold(call: HeldCall): void {
    this.#prune();
    const argsKey = canonicalJson(call.args);
    this.#held = this.#held.filter((held) => held.name !== call.name || held.argsKey !== argsKey);
    if (this.#held.length >= MAX_HELD_CALLS) this.#held.shift();
    this.#held.push({ ...call, argsKey, atMs: this.#clock.nowMs(), userTurn: this.#userTurns });
  }

  /** Takes a request out, to run it once. */
  take(callId: string, epoch: number): HeldCall | ConfirmationRefusal {
    this.#prune();
    const held = this.#held.find((request) => request.callId === callId);
    if (held === undefined) return 'unknown';
    if (epoch < held.epoch) return 'stale';
    if (this.#userTurns <= held.userTurn) return 'same_turn';
    this.#held = this.#held.filter((request) => request !== held);
    return held;
  }

  noteUserTurn(): void {
    this.#userTurns += 1;
  }

  clear(): void {
    this.#held = [];
  }

  #prune(): void {
    const nowMs = this.#clock.nowMs();
    this.#held = this.#held.filter((held) => nowMs - held.atMs <= HELD_CALL_LIFETIME_MS);
  }
}
