import type { Clock } from '@callwright/core';
import { buildServerMessage, isSubscribableEvent, type ServerMessage } from '@callwright/protocol';
import type { Faults } from './faults';

type WithoutEnvelope<Message> = Message extends ServerMessage ? Omit<Message, 'seq' | 't_ms'> : never;

/** A message of the server before it has its `seq` and `t_ms`. */
export type ServerBody = WithoutEnvelope<ServerMessage>;

/** What an {@link Outbox} is made from. */
export interface OutboxParts {
  readonly clock: Clock;
  readonly faults: Faults;
  /** Milliseconds since the link first opened. */
  readonly ageMs: () => number;
  /** Writes one frame on the open connection. */
  readonly write: (text: string, body: ServerBody) => void;
}

const MAX_QUEUED_EVENTS = 256;
const MAX_QUEUED_CONTROLS = 64;

/**
 * What the server has to say to the agent: control messages and events, each in a queue of its own. What is queued in one
 * turn of the loop leaves together, control messages first, so a `tool.call` overtakes the `user.text` of its turn.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #controls: ServerBody[] = [];
  readonly #events: ServerBody[] = [];
  #subscription: ReadonlySet<string> = new Set();
  #isOpen = false;
  #flushIsPlanned = false;
  #lostEvents = 0;
  #lastDueMs = 0;
  #flushed: (() => void)[] = [];
  /** The last `seq` used. */
  seq = 0;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** A connection is up. */
  open(events: readonly string[]): void {
    this.#subscription = new Set(events);
    this.#isOpen = true;
    this.#planFlush();
  }

  /** The connection is gone: what is queued is lost, and the events are counted. */
  shut(): void {
    this.#isOpen = false;
    this.#controls.length = 0;
    this.#lostEvents += this.#events.length;
    this.#events.length = 0;
    this.#tellFlushed();
  }

  /** False when the link is down or the queue is full. */
  control(body: ServerBody): boolean {
    if (!this.#isOpen || this.#controls.length >= MAX_QUEUED_CONTROLS) return false;
    this.#controls.push(body);
    this.#planFlush();
    return true;
  }

  /** Queues an event the agent subscribed to; without room, or without a link, it is counted as lost. */
  event(body: ServerBody): void {
    if (isSubscribableEvent(body.type) && !this.#subscription.has(body.type)) return;
    // What was lost is reported in front of the next event that fits, and takes a place of its own.
    if (this.#isOpen && this.#lostEvents > 0 && this.#hasRoom()) {
      this.#events.push({ type: 'events.lost', count: this.#lostEvents });
      this.#lostEvents = 0;
    }
    if (!this.#isOpen || !this.#hasRoom()) {
      this.#lostEvents += 1;
      return;
    }
    this.#events.push(body);
    this.#planFlush();
  }

  #hasRoom(): boolean {
    return this.#events.length < MAX_QUEUED_EVENTS;
  }

  /** Resolves when the events queued so far are written, or lost with the link. */
  eventsWritten(): Promise<void> {
    if (this.#events.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#flushed.push(resolve));
  }

  /** Writes what is queued, and then `bodies`, now. */
  finish(bodies: readonly ServerBody[]): void {
    this.flush();
    for (const body of bodies) this.#write(body);
  }

  /** The text of a message with this `seq`. */
  frameWithSeq(body: ServerBody, seq: number): string {
    // A body with an envelope is a message; the compiler cannot follow that through the union.
    return buildServerMessage({ ...body, seq, t_ms: this.#parts.ageMs() } as ServerMessage);
  }

  flush(): void {
    while (this.#isOpen) {
      const body = this.#controls.shift() ?? this.#events.shift();
      if (body === undefined) break;
      this.#write(body);
    }
    this.#tellFlushed();
  }

  #write(body: ServerBody): void {
    const { faults, write } = this.#parts;
    this.seq += 1;
    const text = this.frameWithSeq(body, this.seq);
    const copies = faults.copiesOf(body.type);
    for (let copy = 0; copy < copies; copy += 1) this.#afterDelay(() => write(text, body));
  }

  /** Delayed frames keep their order, also when the delay became shorter. */
  #afterDelay(run: () => void): void {
    const { clock, faults } = this.#parts;
    const nowMs = clock.nowMs();
    const dueMs = Math.max(nowMs + faults.delayMs, this.#lastDueMs);
    this.#lastDueMs = dueMs;
    if (dueMs <= nowMs) run();
    else clock.setTimer(run, dueMs - nowMs);
  }

  #planFlush(): void {
    if (this.#flushIsPlanned) return;
    this.#flushIsPlanned = true;
    this.#parts.clock.defer(() => {
      this.#flushIsPlanned = false;
      this.flush();
    });
  }

  #tellFlushed(): void {
    for (const resolve of this.#flushed.splice(0)) resolve();
  }
}
