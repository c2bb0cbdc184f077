import type { ServerMessageType } from '@callwright/protocol';

/** What a test does to the frames that the server writes. */
export class Faults {
  readonly #duplicates = new Map<ServerMessageType, number>();
  readonly #drops = new Map<ServerMessageType, number>();
  delayMs = 0;

  /** The next frame of this type is written twice. */
  duplicateNext(type: ServerMessageType): void {
    this.#duplicates.set(type, (this.#duplicates.get(type) ?? 0) + 1);
  }

  /** The next `count` frames of this type use up their `seq` and are not written. */
  drop(type: ServerMessageType, count: number): void {
    this.#drops.set(type, (this.#drops.get(type) ?? 0) + count);
  }

  /** How often a frame of this type is to be written. */
  copiesOf(type: ServerMessageType): 0 | 1 | 2 {
    if (takeOne(this.#drops, type)) return 0;
    return takeOne(this.#duplicates, type) ? 2 : 1;
  }
}

function takeOne(counts: Map<ServerMessageType, number>, type: ServerMessageType): boolean {
  const count = counts.get(type) ?? 0;
  if (count === 0) return false;
  counts.set(type, count - 1);
  return true;
}
