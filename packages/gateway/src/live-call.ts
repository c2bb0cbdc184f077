import {
  type Accept,
  type CallEndReason,
  CallResumed,
  type CallSession,
  type EndLimits,
} from '@callwright/core';
import {
  CLOSE_CODES,
  ProtocolError,
  parseServerMessage,
  type ServerMessage,
  type SessionStartMessage,
  type UnknownMessage,
} from '@callwright/protocol';
import type { ServedAgent } from './agents';
import type { CallTable } from './call-table';
import type { BrisvoxConnection, Receiver } from './connection';
import { eventOf } from './events';
import { HEARTBEAT_INTERVAL_MS, type Heartbeat } from './heartbeat';
import { carrierCallIdOf, type LinkMemory, type ResumptionRequest } from './resumption';

/** So many unreadable frames of one call are logged as warnings; the others as debug lines. */
const LOGGED_UNREADABLE_FRAMES = 8;
/** The voice server redials a closed or reset link for so long. */
const CLOSED_WINDOW_MS = 15_000;
/** It notices silence only after 30 to 40 s and redials then: so long after the last frame it may still come. */
const SILENT_WINDOW_MS = 60_000;

/** What an accepted call is made of. */
export interface AcceptedCall {
  readonly session: CallSession;
  readonly agent: ServedAgent;
  /** What its start hooks changed. */
  readonly accept: Accept | undefined;
  readonly start: SessionStartMessage;
  readonly startedMs: number;
  readonly connection: BrisvoxConnection;
}

/** An accepted call over its links: frames become what its session is told. Nothing here waits for user code. */
export class LiveCall implements Receiver {
  readonly session: CallSession;
  readonly #agent: ServedAgent;
  readonly #accept: Accept | undefined;
  readonly #carrierCallId: string | undefined;
  readonly #startedMs: number;
  readonly #heartbeat: Heartbeat;
  #connection: BrisvoxConnection;
  #seenSeq: number;
  #seenMessageSeq: number;
  #seenStampMs: number;
  #unreadableFrames = 0;
  #hasHeardEnd = false;

  /** The accept was handed to the socket: from here on the call hears its connection. */
  constructor(accepted: AcceptedCall, calls: CallTable, heartbeat: Heartbeat) {
    const { session, start, connection } = accepted;
    this.session = session;
    this.#agent = accepted.agent;
    this.#accept = accepted.accept;
    this.#carrierCallId = carrierCallIdOf(start.call);
    this.#startedMs = accepted.startedMs;
    this.#heartbeat = heartbeat;
    this.#connection = connection;
    this.#seenSeq = start.seq;
    this.#seenMessageSeq = start.seq;
    this.#seenStampMs = start.t_ms;
    calls.accepted(session, this);
    this.#listen(connection);
    session.open(connection.link);
  }

  /** Whether the voice server, as far as it knows, may redial the call. */
  get mayBeRedialled(): boolean {
    return this.session.isResumable && !this.#hasHeardEnd;
  }

  /** What a resumption of this call is known by. */
  get memory(): LinkMemory {
    return {
      endpoint: this.#connection.endpoint,
      sessionId: this.session.sessionId,
      agentName: this.session.agentName,
      carrierCallId: this.#carrierCallId,
      startedMs: this.#startedMs,
      seenSeq: this.#seenSeq,
      seenMessageSeq: this.#seenMessageSeq,
      seenStampMs: this.#seenStampMs,
      isOpen: this.session.state === 'live',
    };
  }

  text(text: string): void {
    let message: ServerMessage | UnknownMessage;
    try {
      message = parseServerMessage(text);
    } catch (error) {
      this.#unreadable(error);
      return;
    }
    const { seq, t_ms: stampMs } = message;
    if (seq !== undefined && seq > this.#seenSeq) {
      this.#seenSeq = seq;
      this.#seenMessageSeq = seq;
    }
    if (stampMs !== undefined && stampMs > this.#seenStampMs) this.#seenStampMs = stampMs;
    try {
      this.#tell(message, text);
    } catch (error) {
      // A fault of the framework: this frame is lost, the call and the process go on.
      this.session.logger.error('a message could not be handled', { type: message.type, error });
    }
  }

  closed(): void {
    this.#heartbeat.forget(this.#connection);
    this.session.handleLinkLost(this.#windowMs());
    if (this.session.state === 'parked') this.session.logger.info('a call was parked: its link was lost');
  }

  /** Takes a new link for the call, also while the old one still looks open. */
  resume(connection: BrisvoxConnection, { start }: ResumptionRequest): void {
    if (this.session.state === 'live') {
      this.#leave(this.#connection, 'the call came back on another link');
      this.session.handleLinkLost(CLOSED_WINDOW_MS);
    }
    const { attempt, previous_seq: previousSeq, down_ms: downMs } = start.resume;
    const resumed = new CallResumed(attempt, previousSeq, downMs, this.#seenSeq);
    this.#seenSeq = start.seq;
    this.#seenStampMs = start.t_ms;
    this.#connection = connection;
    connection.link.send(this.#agent.accept.resumptionFrameFor(this.#accept));
    this.#listen(connection);
    this.session.logger.info('a call was resumed', { attempt, downMs });
    this.session.resume(connection.link, resumed);
  }

  /** Ends the call from this side and closes its link. */
  end(reason: CallEndReason, closeCode: number, limits?: EndLimits): void {
    this.session.end(reason, 'call_ended', limits);
    this.#leave(this.#connection, reason, closeCode);
  }

  #listen(connection: BrisvoxConnection): void {
    connection.handTo(this);
    this.#heartbeat.watch(connection);
  }

  /** What the connection still says, its end included, is no longer the call's. */
  #leave(connection: BrisvoxConnection, reason: string, closeCode: number = CLOSE_CODES.normal): void {
    connection.handTo(NOBODY);
    this.#heartbeat.forget(connection);
    connection.link.close(closeCode, reason);
  }

  #windowMs(): number {
    const { link, silentChecks } = this.#connection;
    return link.isGivenUp ? SILENT_WINDOW_MS - silentChecks * HEARTBEAT_INTERVAL_MS : CLOSED_WINDOW_MS;
  }

  #tell(message: ServerMessage | UnknownMessage, text: string): void {
    const { session } = this;
    session.noteMessage();
    switch (message.type) {
      case 'tool.call':
        session.handleToolCall({
          id: message.id,
          callId: message.call_id,
          name: message.name,
          args: message.arguments,
          kind: message.kind,
          epoch: message.epoch,
          wireKey: message.idempotency_key,
          timeoutMs: message.timeout_ms,
          source: text,
          readArgs: argumentsIn,
        });
        return;
      case 'tool.cancel':
        session.handleToolCancel(message.id, message.reason);
        return;
      case 'command.result':
        session.handleCommandResult(message.id, message.ok, message.error?.code, message.error?.message);
        return;
      case 'session.end':
        this.#hasHeardEnd = true;
        session.handleSessionEnd(message.reason);
        // The server closes now too; a link that nobody closes would stay for as long as its pings are answered.
        this.#connection.link.close(CLOSE_CODES.normal, 'the call has ended');
        return;
      case 'session.start':
        session.logger.warn('a second session.start was ignored');
        return;
      case 'unknown':
        session.logger.debug('a message of an unknown type was ignored');
        return;
      default:
        if (session.hears(message.type)) session.handleEvent(eventOf(message), message.seq);
    }
  }

  #unreadable(error: unknown): void {
    const { logger } = this.session;
    if (!(error instanceof ProtocolError)) {
      logger.error('a frame could not be parsed', { error });
      return;
    }
    this.#unreadableFrames += 1;
    const level = this.#unreadableFrames <= LOGGED_UNREADABLE_FRAMES ? 'warn' : 'debug';
    // The message of a ProtocolError names fields and bounds, never a value out of the frame.
    logger[level]('an unreadable frame was ignored', { why: error.message });
    if (error.toolCallId !== undefined) this.session.handleUnreadableToolCall(error.toolCallId);
  }
}

/** The arguments in the text of a tool call that was read before. */
function argumentsIn(text: string): Readonly<Record<string, unknown>> {
  const message = parseServerMessage(text);
  return message.type === 'tool.call' ? message.arguments : {};
}

const NOBODY: Receiver = { text: () => undefined, closed: () => undefined };
