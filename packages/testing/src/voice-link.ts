import type { ClockTimer } from '@callwright/core';
import {
  type CallIdentity,
  MAX_OUTGOING_MESSAGE_BYTES,
  ProtocolError,
  parseAgentMessage,
  type ResumeInfo,
  type ReviewedAccept,
  utf8ByteLength,
} from '@callwright/protocol';
import type { Answered } from './dial';
import { Faults } from './faults';
import { shakeHands, type Taken } from './handshake';
import type { VoiceLinkParts } from './link-parts';
import { Outbox, type ServerBody } from './outbox';
import { type OutageEnd, Redials } from './redials';
import type { Connection, FrameReceiver } from './transport';

/** A link that lived this long begins a new series of redials. */
const STABLE_AFTER_MS = 5_000;
const SILENT_PINGS = 3;

type State = 'new' | 'up' | 'redialling' | 'gone' | 'closed';

/** The server's end of the link of one call, over all its connections. */
export class VoiceLink {
  readonly faults = new Faults();
  readonly #parts: VoiceLinkParts;
  readonly #outbox: Outbox;
  readonly #redials: Redials;
  readonly #frozen: Connection[] = [];
  #state: State = 'new';
  #connection: Connection | undefined;
  #openedAtMs = 0;
  #connectedAtMs = 0;
  #lastReadMs = 0;
  #pings: ClockTimer | undefined;
  #isResumable = false;
  #isEnding = false;
  #closed: () => void = () => undefined;
  #waiters: { up: () => void; gone: (error: Error) => void }[] = [];

  constructor(parts: VoiceLinkParts) {
    this.#parts = parts;
    this.#redials = new Redials(parts.clock, parts.times, parts.random);
    this.#outbox = new Outbox({
      clock: parts.clock,
      faults: this.faults,
      ageMs: () => this.#ageMs(),
      write: (text, body) => this.#write(text, body.type),
    });
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  get seq(): number {
    return this.#outbox.seq;
  }

  /**
   * Dials once, as a voice server does for a call's first connection.
   * @throws LinkRefused when the agent rejects the call, or does not answer as the protocol wants.
   * @throws DialFailure when it cannot be reached.
   */
  async open(): Promise<ReviewedAccept> {
    this.#outbox.seq += 1;
    const { accept, answered } = await this.#open(undefined);
    this.#isResumable = accept.resume;
    this.#goUp(accept, answered);
    return accept;
  }

  control(body: ServerBody): boolean {
    return this.#state === 'up' && this.#outbox.control(body);
  }

  event(body: ServerBody): void {
    this.#outbox.event(body);
  }

  eventsWritten(): Promise<void> {
    return this.#outbox.eventsWritten();
  }

  /** The agent has asked for the end: a link that is lost now is not reopened. */
  noteEnding(): void {
    this.#isEnding = true;
  }

  /** The next `count` redials fail, as against a port where nobody listens; each uses up a `seq`. */
  refuseDials(count: number): void {
    this.#redials.refuse(count);
  }

  /** Drops the connection without a close frame; the server notices at once. */
  cut(): void {
    this.#connection?.terminate();
    this.#lose('the connection was reset');
  }

  /** The server's end is gone and it redials; the agent's end still looks open. */
  halfOpen(): void {
    this.#freeze();
    this.#lose('the connection was lost, and the agent does not know');
  }

  /** Nothing passes any more, in either direction; nobody is told. The server notices at its third silent ping. */
  silence(): void {
    this.#freeze();
  }

  /** Sends text past everything, for frames that a voice server would never send. */
  sendRaw(text: string): void {
    this.#write(text, 'raw');
  }

  sendRawBinary(bytes: Uint8Array): void {
    this.#connection?.sendBinary(bytes);
  }

  /** Resolves when the link is up again. @throws Error when it is gone for good. */
  whenUp(): Promise<void> {
    if (this.#state === 'up') return Promise.resolve();
    if (this.#state !== 'redialling') return Promise.reject(new Error(`the link is ${this.#state}`));
    return new Promise((up, gone) => this.#waiters.push({ up, gone }));
  }

  /** Says what is left to say, then closes. Resolves when the agent closed too, or after a second. */
  async close(lastWords: readonly ServerBody[]): Promise<void> {
    const wasUp = this.#state === 'up';
    const connection = this.#connection;
    if (wasUp) this.#outbox.finish(lastWords);
    this.#state = 'closed';
    this.#stopPings();
    for (const waiter of this.#waiters.splice(0)) waiter.gone(new Error('the call ended'));
    for (const frozen of this.#frozen.splice(0)) frozen.terminate();
    if (!wasUp || connection === undefined) return;
    await this.#closeConnection(connection);
  }

  /** Waits for delayed frames first: the close frame is the last thing on the wire. */
  #closeConnection(connection: Connection): Promise<void> {
    const { clock, times } = this.#parts;
    return new Promise((resolve) => {
      const giveUp = clock.setTimer(() => {
        connection.terminate();
        resolve();
      }, times.closeMs + this.faults.delayMs);
      this.#closed = () => {
        giveUp.cancel();
        resolve();
      };
      const shut = (): void => connection.close(1000, 'session ended');
      if (this.faults.delayMs > 0) clock.setTimer(shut, this.faults.delayMs);
      else shut();
    });
  }

  /** The number of the `session.start` has been taken. */
  #open(resume: ResumeInfo | undefined): Promise<Taken> {
    const { clock, start } = this.#parts;
    const call = start.call === undefined ? undefined : identityOnWire(start.call);
    return shakeHands(this.#parts, () => {
      if (resume === undefined) this.#openedAtMs = clock.nowMs();
      return this.#outbox.frameWithSeq({ type: 'session.start', ...start, call, resume }, this.#outbox.seq);
    });
  }

  #goUp(accept: ReviewedAccept, answered: Answered): void {
    this.#state = 'up';
    this.#connection = answered.connection;
    this.#connectedAtMs = this.#lastReadMs = this.#parts.clock.nowMs();
    this.#outbox.open(accept.events);
    this.#planPing();
    // What the agent sent right behind its accept is read now, and only now.
    answered.attach(this.#receiverFor(answered.connection));
  }

  #receiverFor(connection: Connection): FrameReceiver {
    const isCurrent = (): boolean => {
      if (this.#connection !== connection) return false;
      this.#lastReadMs = this.#parts.clock.nowMs();
      return true;
    };
    return {
      text: (text) => {
        if (isCurrent()) this.#read(text);
      },
      binary: () => {
        if (isCurrent()) this.#parts.owner.binary();
      },
      ping: isCurrent,
      pong: isCurrent,
      closed: (code) => {
        if (!isCurrent()) return;
        if (this.#state === 'closed') this.#closed();
        else this.#lose(`the agent closed the connection (${code})`);
      },
    };
  }

  #read(text: string): void {
    const { owner } = this.#parts;
    if (this.#state !== 'up') return;
    const bytes = utf8ByteLength(text);
    if (bytes > MAX_OUTGOING_MESSAGE_BYTES) {
      owner.broke(`a message of ${bytes} bytes; a voice server reads 65,536 and drops the link`);
      this.cut();
      return;
    }
    try {
      const message = parseAgentMessage(text);
      if (message.type === 'unknown') {
        owner.frame('agent', message.wire_type, text);
        owner.unknownType(message.wire_type, message.id);
        return;
      }
      owner.frame('agent', message.type, text);
      owner.message(message);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      owner.frame('agent', 'unreadable', text);
      owner.unreadable(error);
    }
  }

  #write(text: string, type: string): void {
    if (this.#connection === undefined) return;
    this.#parts.owner.frame('server', type, text);
    this.#connection.sendText(text);
  }

  #freeze(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    connection.freeze();
    this.#frozen.push(connection);
  }

  #planPing(): void {
    const { clock, times } = this.#parts;
    this.#pings = clock.setTimer(() => {
      if (this.#state !== 'up') return;
      if (clock.nowMs() - this.#lastReadMs > SILENT_PINGS * times.pingMs) {
        this.#connection?.terminate();
        this.#lose('nothing came from the agent for three pings');
        return;
      }
      this.#connection?.ping();
      this.#planPing();
    }, times.pingMs);
  }

  #stopPings(): void {
    this.#pings?.cancel();
    this.#pings = undefined;
  }

  #lose(reason: string): void {
    if (this.#state !== 'up') return;
    const { clock, owner, times } = this.#parts;
    this.#connection = undefined;
    this.#stopPings();
    const willRedial = this.#isResumable && !this.#isEnding && times.redialAttempts > 0;
    this.#state = willRedial ? 'redialling' : 'gone';
    this.#outbox.shut();
    if (clock.nowMs() - this.#connectedAtMs >= STABLE_AFTER_MS) this.#redials.beginSeries();
    owner.lost(reason, willRedial);
    if (willRedial) void this.#redial(clock.nowMs());
    else owner.gone(reason);
  }

  async #redial(lostAtMs: number): Promise<void> {
    const previousSeq = this.#outbox.seq;
    const end = await this.#redials
      .run({
        lostAtMs,
        isWanted: () => this.#state === 'redialling',
        takeSeq: () => {
          this.#outbox.seq += 1;
        },
        open: (attempt, downMs) => this.#open({ attempt, previous_seq: previousSeq, down_ms: downMs }),
      })
      .catch((error: unknown): OutageEnd => ({ kind: 'gone', reason: String(error) }));
    if (end.kind === 'resumed') this.#resume(end.taken, end.attempt);
    else if (end.kind === 'gone') this.#giveUp(end.reason);
  }

  #resume(taken: Taken, attempt: number): void {
    this.#parts.owner.resumed(attempt);
    this.#goUp(taken.accept, taken.answered);
    for (const waiter of this.#waiters.splice(0)) waiter.up();
  }

  #giveUp(reason: string): void {
    if (this.#state !== 'redialling') return;
    this.#state = 'gone';
    for (const waiter of this.#waiters.splice(0)) waiter.gone(new Error(reason));
    this.#parts.owner.gone(reason);
  }

  #ageMs(): number {
    return Math.round(this.#parts.clock.nowMs() - this.#openedAtMs);
  }
}

/** The server leaves `pii_redacted` out when it is false; a reader takes absent for false. */
function identityOnWire(identity: CallIdentity): CallIdentity {
  const { pii_redacted, ...parties } = identity;
  // The type is that of the reader's side, where the member is always there.
  return (pii_redacted ? identity : parties) as CallIdentity;
}
