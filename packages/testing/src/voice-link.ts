import type { Clock, ClockTimer } from '@callwright/core';
import {
  type AgentMessage,
  MAX_OUTGOING_MESSAGE_BYTES,
  ProtocolError,
  parseAgentMessage,
  type ResumeInfo,
  type ReviewedAccept,
  reviewAccept,
  type SessionStartMessage,
  utf8ByteLength,
} from '@callwright/protocol';
import { type Answered, DialFailure, dial } from './dial';
import { Faults } from './faults';
import { Outbox, type ServerBody } from './outbox';
import type { Connection, FrameReceiver, Transport } from './transport';

/** What a link tells its call. */
export interface LinkOwner {
  /** A readable message of the agent, after the handshake. */
  message(message: AgentMessage): void;
  /** A frame that a voice server refuses; it answers as one does, and the call goes on. */
  unreadable(error: ProtocolError): void;
  /** A message of a type the protocol does not have. */
  unknownType(wireType: string, id: string | undefined): void;
  binary(): void;
  /** `reason` is why; `willRedial` whether the server tries to reopen the link. */
  lost(reason: string, willRedial: boolean): void;
  resumed(attempt: number): void;
  /** The link is gone for the rest of the call. */
  gone(reason: string): void;
  /** The agent broke a rule that a strict test should hear of. */
  broke(rule: string): void;
  frame(from: 'server' | 'agent', type: string, text: string): void;
}

/** What a {@link VoiceLink} is made from. */
export interface VoiceLinkParts {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly owner: LinkOwner;
  /** What every `session.start` of the call says. */
  readonly start: Omit<SessionStartMessage, 'type' | 'seq' | 't_ms' | 'resume'>;
  /** A number from 0 to 1, for the jitter of redials. */
  readonly random: () => number;
  readonly times: LinkTimes;
}

/** The server's times, in milliseconds; the defaults are those of the real one. */
export interface LinkTimes {
  readonly connectMs: number;
  readonly handshakeMs: number;
  readonly pingMs: number;
  readonly closeMs: number;
  readonly redialAttempts: number;
  readonly redialWindowMs: number;
}

export const DEFAULT_LINK_TIMES: LinkTimes = Object.freeze({
  connectMs: 2_000,
  handshakeMs: 2_000,
  pingMs: 10_000,
  closeMs: 1_000,
  redialAttempts: 5,
  redialWindowMs: 15_000,
});

/** A link that lived this long begins a new series of redials. */
const STABLE_AFTER_MS = 5_000;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;
const SILENT_PINGS = 3;

/** The agent did not take the call. */
export class LinkRefused extends Error {
  override readonly name = 'LinkRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A connection that the agent accepted. */
interface Taken {
  readonly accept: ReviewedAccept;
  readonly answered: Answered;
}

type State = 'new' | 'up' | 'redialling' | 'gone' | 'closed';

/** The server's end of the link of one call, over all its connections. */
export class VoiceLink {
  readonly faults = new Faults();
  readonly #parts: VoiceLinkParts;
  readonly #outbox: Outbox;
  readonly #frozen: Connection[] = [];
  #state: State = 'new';
  #connection: Connection | undefined;
  #openedAtMs = 0;
  #connectedAtMs = 0;
  #lastReadMs = 0;
  #pings: ClockTimer | undefined;
  #isResumable = false;
  #isEnding = false;
  #redials = 0;
  #refusedDials = 0;
  #closed: () => void = () => undefined;
  #waiters: { up: () => void; gone: (error: Error) => void }[] = [];

  constructor(parts: VoiceLinkParts) {
    this.#parts = parts;
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
    const { accept, answered } = await this.#shakeHands(undefined);
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
    this.#refusedDials += count;
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

  async #shakeHands(resume: ResumeInfo | undefined): Promise<Taken> {
    const { transport, clock, times, start } = this.#parts;
    const openAtMs = (): void => {
      if (resume === undefined) this.#openedAtMs = clock.nowMs();
    };
    const answered = await dial(transport, clock, times, () => {
      openAtMs();
      const text = this.#outbox.frame({ type: 'session.start', ...start, resume });
      this.#parts.owner.frame('server', 'session.start', text);
      return text;
    });
    try {
      return { accept: this.#readAccept(answered.firstText), answered };
    } catch (error) {
      answered.attach(IGNORE);
      answered.connection.close(1000, '');
      throw error;
    }
  }

  #readAccept(text: string): ReviewedAccept {
    const { owner } = this.#parts;
    if (utf8ByteLength(text) > MAX_OUTGOING_MESSAGE_BYTES) {
      throw this.#refuseHandshake(`an answer of ${utf8ByteLength(text)} bytes; a voice server reads 65,536`);
    }
    let message: ReturnType<typeof parseAgentMessage>;
    try {
      message = parseAgentMessage(text);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw this.#refuseHandshake(error.message);
    } finally {
      owner.frame('agent', 'handshake', text);
    }
    if (message.type === 'session.reject') {
      throw new LinkRefused(message.code ?? '', message.message ?? '');
    }
    if (message.type !== 'session.accept') {
      throw this.#refuseHandshake(
        `the first message was ${message.type}, not session.accept or session.reject`,
      );
    }
    if (message.version !== 1) throw this.#refuseHandshake(`version ${message.version} was not offered`);
    return reviewAccept(message);
  }

  #refuseHandshake(reason: string): LinkRefused {
    this.#parts.owner.broke(`handshake: ${reason}`);
    return new LinkRefused('bad_handshake', reason);
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
    if (clock.nowMs() - this.#connectedAtMs >= STABLE_AFTER_MS) this.#redials = 0;
    owner.lost(reason, willRedial);
    if (!willRedial) {
      owner.gone(reason);
      return;
    }
    void this.#redial(clock.nowMs()).catch((error: unknown) => this.#giveUp(String(error)));
  }

  /** Attempts with growing waits until one is accepted, they are used up, or the agent says no. */
  async #redial(lostAtMs: number): Promise<void> {
    const { clock, times, random } = this.#parts;
    const previousSeq = this.#outbox.seq;
    while (this.#state === 'redialling') {
      if (this.#redials >= times.redialAttempts) {
        this.#giveUp('all attempts to reopen the link are used up');
        return;
      }
      this.#redials += 1;
      const attempt = this.#redials;
      const waitMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS) * (0.5 + random() / 2);
      if (clock.nowMs() + waitMs >= lostAtMs + times.redialWindowMs) {
        this.#giveUp('the time to reopen the link is over');
        return;
      }
      await sleep(clock, waitMs);
      if (this.#state !== 'redialling') return;
      const resume = { attempt, previous_seq: previousSeq, down_ms: Math.round(clock.nowMs() - lostAtMs) };
      const taken = await this.#attempt(resume);
      if (taken === 'again') continue;
      if (taken === 'never') return;
      this.#parts.owner.resumed(attempt);
      this.#goUp(taken.accept, taken.answered);
      for (const waiter of this.#waiters.splice(0)) waiter.up();
      return;
    }
  }

  async #attempt(resume: ResumeInfo): Promise<Taken | 'again' | 'never'> {
    // The number of an attempt is used up whether or not anything is written.
    const seqAfter = this.#outbox.seq + 1;
    if (this.#refusedDials > 0) {
      this.#refusedDials -= 1;
      this.#outbox.seq = seqAfter;
      return 'again';
    }
    try {
      const taken = await this.#shakeHands(resume);
      if (this.#state === 'redialling' && taken.accept.resume) return taken;
      taken.answered.attach(IGNORE);
      taken.answered.connection.close(1000, '');
      this.#giveUp('the agent took the call again without `resume: true`');
      return 'never';
    } catch (error) {
      this.#outbox.seq = seqAfter;
      if (error instanceof DialFailure) return 'again';
      if (!(error instanceof LinkRefused)) throw error;
      this.#giveUp(`the agent refused the resumption (${error.code})`);
      return 'never';
    }
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

const IGNORE: FrameReceiver = {
  text: () => undefined,
  binary: () => undefined,
  ping: () => undefined,
  pong: () => undefined,
  closed: () => undefined,
};

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(resolve, ms);
  });
}
