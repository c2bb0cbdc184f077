import type { CallSession } from '@callwright/core';
import {
  ProtocolError,
  parseServerMessage,
  type ServerMessage,
  type UnknownMessage,
} from '@callwright/protocol';
import type { CallTable } from './call-table';
import type { BrisvoxConnection, Receiver } from './connection';
import { eventOf } from './events';

/** So many unreadable frames of one call are logged as warnings; the others as debug lines. */
const LOGGED_UNREADABLE_FRAMES = 8;

/** Frames of an accepted call, turned into what its session is told. Nothing here waits for user code. */
export class LiveCall implements Receiver {
  readonly #session: CallSession;
  readonly #connection: BrisvoxConnection;
  readonly #calls: CallTable;
  readonly #onClosed: () => void;
  #unreadableFrames = 0;

  constructor(session: CallSession, connection: BrisvoxConnection, calls: CallTable, onClosed: () => void) {
    this.#session = session;
    this.#connection = connection;
    this.#calls = calls;
    this.#onClosed = onClosed;
  }

  text(text: string): void {
    let message: ServerMessage | UnknownMessage;
    try {
      message = parseServerMessage(text);
    } catch (error) {
      this.#unreadable(error);
      return;
    }
    try {
      this.#tell(message, text.length);
    } catch (error) {
      // A fault of the framework: this frame is lost, the call and the process go on.
      this.#session.logger.error('a message could not be handled', { type: message.type, error });
    }
  }

  closed(): void {
    this.#onClosed();
    this.#session.handleLinkLost();
    this.#calls.release(this.#session);
  }

  #tell(message: ServerMessage | UnknownMessage, sizeBytes: number): void {
    const session = this.#session;
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
          sizeBytes,
        });
        return;
      case 'tool.cancel':
        session.handleToolCancel(message.id, message.reason);
        return;
      case 'command.result':
        session.handleCommandResult(message.id, message.ok, message.error?.code, message.error?.message);
        return;
      case 'session.end':
        session.handleSessionEnd(message.reason);
        this.#calls.release(session);
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
    if (!(error instanceof ProtocolError)) {
      this.#session.logger.error('a frame could not be parsed', { error });
      return;
    }
    this.#unreadableFrames += 1;
    const level = this.#unreadableFrames <= LOGGED_UNREADABLE_FRAMES ? 'warn' : 'debug';
    // The message of a ProtocolError names fields and bounds, never a value out of the frame.
    this.#session.logger[level]('an unreadable frame was ignored', { why: error.message });
    if (error.toolCallId !== undefined) {
      this.#connection.link.sendToolError(error.toolCallId, 'the tool call could not be read');
    }
  }
}
