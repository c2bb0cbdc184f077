import { EventsLost } from './events';

/** At most this many events wait in a call; the newest are dropped and reported where the gap is. */
export const MAILBOX_CAPACITY = 1_024;

/** Who the events are for. */
export interface Recipient<E> {
  /** Takes one event; what it returns is waited for before the next one. It never throws or rejects. */
  deliver(event: E, seq: number | undefined): Promise<void> | undefined;
}

interface Letter<E> {
  readonly event: E;
  readonly seq: number | undefined;
  /** Events that were dropped right before this one. */
  readonly lostBefore: number;
  /** Events that are lost with this one: what the call itself puts in counts as none. */
  readonly lostWithIt: number;
}

/**
 * The events of one call: delivered in order, one at a time, at once when nothing is being handled. A bounded ring; what
 * does not fit is counted and reported as `EventsLost` before the next event that fits.
 */
export class Mailbox<E extends object> {
  readonly #recipient: Recipient<E | EventsLost>;
  readonly #capacity: number;
  /** Made when the first event has to wait: an idle call has none. */
  #waiting: Letter<E>[] = NOTHING;
  #head = 0;
  #lost = 0;
  #isBusy = false;
  /** Grows when a handler is abandoned: its late end must not go on with the queue. */
  #generation = 0;

  constructor(recipient: Recipient<E | EventsLost>, capacity = MAILBOX_CAPACITY) {
    this.#recipient = recipient;
    this.#capacity = capacity;
  }

  /** True while an event is being handled. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Events that wait. */
  get size(): number {
    return this.#waiting.length - this.#head;
  }

  push(event: E, seq: number | undefined): void {
    if (!this.#isBusy) {
      if (this.#lost === 0) this.#deliverNow(event, seq);
      else this.#run({ event, seq, lostBefore: this.#takeLost(), lostWithIt: 0 });
      return;
    }
    const lostWithIt = event instanceof EventsLost ? event.count : 1;
    if (this.size >= this.#capacity) {
      this.#lost += lostWithIt;
      return;
    }
    this.#enqueue(event, seq, lostWithIt);
  }

  /** As `push`, but never dropped: for what the call itself has to say, such as its end. */
  pushAlways(event: E, seq: number | undefined): void {
    if (this.#isBusy) this.#enqueue(event, seq, 0);
    else this.push(event, seq);
  }

  /**
   * Gives the running handler up: what waits is thrown away, and `last` is delivered now.
   * @returns how many events were thrown away.
   */
  abandon(last: E): number {
    const thrownAway = this.#waiting
      .slice(this.#head)
      .reduce((sum, { lostBefore, lostWithIt }) => sum + lostBefore + lostWithIt, this.#takeLost());
    this.#generation++;
    this.#waiting = NOTHING;
    this.#head = 0;
    this.#isBusy = false;
    this.#run({ event: last, seq: undefined, lostBefore: thrownAway, lostWithIt: 0 });
    return thrownAway;
  }

  #enqueue(event: E, seq: number | undefined, lostWithIt: number): void {
    if (this.#waiting === NOTHING) this.#waiting = [];
    this.#waiting.push({ event, seq, lostBefore: this.#takeLost(), lostWithIt });
  }

  #takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** What nearly every event takes: nothing is being handled and nothing was lost, so it needs no letter. */
  #deliverNow(event: E, seq: number | undefined): void {
    this.#isBusy = true;
    const generation = this.#generation;
    const delivered = this.#recipient.deliver(event, seq);
    if (delivered !== undefined) this.#continueAfter(delivered, generation);
    else if (generation === this.#generation) this.#continue();
  }

  #run(first: Letter<E>): void {
    this.#isBusy = true;
    const generation = this.#generation;
    for (let letter: Letter<E> | undefined = first; letter; letter = this.#next()) {
      const delivered = this.#deliverLetter(letter, generation);
      if (delivered !== undefined) return this.#continueAfter(delivered, generation);
      if (generation !== this.#generation) return;
    }
    this.#isBusy = false;
  }

  #continueAfter(delivered: Promise<void>, generation: number): void {
    void delivered.then(() => {
      if (generation === this.#generation) this.#continue();
    });
  }

  #continue(): void {
    const next = this.#next();
    if (next) this.#run(next);
    else this.#isBusy = false;
  }

  #deliverLetter(letter: Letter<E>, generation: number): Promise<void> | undefined {
    if (letter.lostBefore === 0) return this.#recipient.deliver(letter.event, letter.seq);
    const reported = this.#recipient.deliver(new EventsLost(letter.lostBefore), undefined);
    if (!reported) return this.#recipient.deliver(letter.event, letter.seq);
    return reported.then(() =>
      generation === this.#generation ? this.#recipient.deliver(letter.event, letter.seq) : undefined,
    );
  }

  #next(): Letter<E> | undefined {
    if (this.#head === this.#waiting.length) {
      if (this.#head > 0) {
        this.#waiting = NOTHING;
        this.#head = 0;
      }
      return undefined;
    }
    const letter = this.#waiting[this.#head];
    this.#head++;
    // Half of the list is behind the head: drop it, so that a queue that never empties does not grow.
    if (this.#head >= 64 && this.#head * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return letter;
  }
}

const NOTHING: never[] = [];
