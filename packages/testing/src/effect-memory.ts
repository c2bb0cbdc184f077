import type { Clock } from '@callwright/core';

/** A side effect that the server sent to the agent. */
export interface Effect {
  readonly callId: string;
  readonly epoch: number;
  /** Counts rounds over the whole call: calls of one round never repeat each other. */
  readonly round: number;
  readonly name: string;
  readonly argsKey: string;
  readonly atMs: number;
  state: 'running' | 'succeeded' | 'failed';
  /** What the model reads of it, once it ended. */
  text: string;
  /** The model stopped waiting for it: its turn was interrupted, or its time ran out. */
  isOrphan: boolean;
  /** Its late note was given to the model. */
  isReported: boolean;
}

/** What the server does with a side effect that equals an earlier one. */
export type Repetition =
  | { readonly kind: 'new' }
  | { readonly kind: 'already_done' }
  | { readonly kind: 'still_running' }
  | { readonly kind: 'already_reported' }
  | { readonly kind: 'recorded'; readonly effect: Effect };

const ORPHAN_WINDOW_MS = 120_000;
const MAX_EFFECTS = 256;

/**
 * The server's own memory of side effects. An identical call in a later round of the same turn, after the first
 * succeeded, is refused; an identical call within 120 s of one the model stopped waiting for is not sent again.
 */
export class EffectMemory {
  readonly #clock: Clock;
  #effects: Effect[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  remember(effect: Pick<Effect, 'callId' | 'epoch' | 'round' | 'name' | 'argsKey'>): Effect {
    const started: Effect = {
      ...effect,
      atMs: this.#clock.nowMs(),
      state: 'running',
      text: '',
      isOrphan: false,
      isReported: false,
    };
    this.#effects.push(started);
    if (this.#effects.length > MAX_EFFECTS) this.#effects.shift();
    return started;
  }

  /** How a call stands to the earlier ones. `repeatable` only lifts the rule about the same turn. */
  repetitionOf(call: Pick<Effect, 'epoch' | 'round' | 'name' | 'argsKey'>, repeatable: boolean): Repetition {
    const equal = this.#effects.filter(
      (effect) => effect.round !== call.round && effect.name === call.name && effect.argsKey === call.argsKey,
    );
    const nowMs = this.#clock.nowMs();
    const orphan = equal.findLast((effect) => effect.isOrphan && nowMs - effect.atMs <= ORPHAN_WINDOW_MS);
    if (orphan !== undefined) return repetitionOfOrphan(orphan);
    const done = equal.some(
      (effect) => !effect.isOrphan && effect.epoch === call.epoch && effect.state === 'succeeded',
    );
    return done && !repeatable ? { kind: 'already_done' } : { kind: 'new' };
  }
}

function repetitionOfOrphan(effect: Effect): Repetition {
  if (effect.state === 'running') return { kind: 'still_running' };
  return effect.isReported ? { kind: 'already_reported' } : { kind: 'recorded', effect };
}
