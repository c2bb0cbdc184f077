import type { Socket } from 'node:net';
import { type Clock, COMMAND_NAMES, type Command, CommandError, type Link } from '@callwright/core';
import {
  buildCommand,
  buildToolError,
  buildToolResult,
  type CommandMessage,
  cutUtf8,
  MAX_CLOSE_REASON_BYTES,
  ProtocolError,
  toWellFormed,
} from '@callwright/protocol';
import type { WebSocket } from 'ws';
import type { Connection } from './server';
import { asciiTextFrame } from './text-frame';
import { WriteWatch } from './write-watch';

/** What a call may leave unsent, in bytes, frame headers included; with more, its link counts as lost. */
export const MAX_UNSENT_BYTES = 1_048_576;

const OPEN = 1;
const AS_TEXT = { binary: false };

/**
 * The outgoing half of one brisvox link. Whatever is sent in one turn of the loop leaves in one write.
 */
export class BrisvoxLink implements Link {
  readonly #webSocket: WebSocket;
  readonly #transport: Socket;
  readonly #clock: Clock;
  readonly #flush: () => void;
  /** Made when the system did not take all bytes at once. */
  #writes: WriteWatch | undefined;
  #isClosed = false;
  #isCorked = false;
  #isGivenUp = false;
  /** Hears each frame that is sent. */
  onSent: ((frame: string) => void) | undefined;

  static {
    // For conformance tests that speak past our checks. No declaration names it, so nobody uses it by accident.
    Object.defineProperty(BrisvoxLink.prototype, Symbol.for('callwright:gateway:web-socket'), {
      get(this: BrisvoxLink): WebSocket {
        return this.#webSocket;
      },
    });
  }

  constructor(connection: Connection, clock: Clock) {
    this.#webSocket = connection.webSocket;
    this.#transport = connection.transport;
    this.#clock = clock;
    this.#flush = () => {
      this.#isCorked = false;
      this.#transport.uncork();
      if (this.#transport.writableLength > 0) this.#watchWrites();
    };
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === OPEN;
  }

  sendCommand(command: Command, id: string | undefined, re: number | undefined): void {
    this.send(buildChecked(command, id, re));
  }

  sendToolResult(id: number, resultJson: string): boolean {
    let frame: string;
    try {
      frame = buildToolResult(id, resultJson);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (error.code === 'too_large') return false;
      // JSON that no voice server could read (a lone surrogate, too deep): an answer must still go out.
      this.sendToolError(id, 'tool result cannot be sent as JSON');
      return true;
    }
    // What stands around the result is ASCII; and the frame, put together just now, would have to be copied to be looked at.
    this.#send(frame, isAscii(resultJson));
    return true;
  }

  sendToolError(id: number, message: string): void {
    this.send(buildToolError(id, message));
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, cutUtf8(toWellFormed(reason), MAX_CLOSE_REASON_BYTES));
  }

  /** The socket is gone. */
  closed(): void {
    this.#isClosed = true;
    this.#writes?.stop();
  }

  /** Whether this side ended the link without a word, so that the voice server may not know yet. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Ends the link without a word: its peer is silent, or no longer reads. */
  giveUp(): void {
    if (this.isOpen) this.#isGivenUp = true;
    this.cut();
  }

  /** Ends the socket at once. */
  cut(): void {
    this.#webSocket.terminate();
  }

  /** Asks the peer for a sign of life. */
  ping(): void {
    if (this.isOpen) this.#webSocket.ping();
  }

  /** Sends a finished frame; does nothing on a link that is not open. */
  send(frame: string): void {
    this.#send(frame, isAscii(frame));
  }

  #send(frame: string, ascii: boolean): void {
    if (!this.isOpen) return;
    this.onSent?.(frame);
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#transport.cork();
      this.#clock.defer(this.#flush);
    }
    // Nearly every frame is ASCII and goes to the socket as it is, which costs much less than through `ws`. Both ways write at
    // once and nothing is compressed, so frames keep their order. Others are sent as bytes: a waiting string counts by its
    // characters.
    if (ascii) this.#transport.write(asciiTextFrame(frame), 'latin1');
    else this.#webSocket.send(Buffer.from(frame), AS_TEXT);
    if (this.#transport.writableLength > MAX_UNSENT_BYTES) this.giveUp();
  }

  #watchWrites(): void {
    if (this.#isClosed) return;
    this.#writes ??= new WriteWatch(this.#transport, this.#clock, () => this.giveUp());
    this.#writes.look();
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function buildChecked(command: Command, id: string | undefined, re: number | undefined): string {
  try {
    return buildCommand(wireCommand(command, id, re));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new CommandError(COMMAND_NAMES[command.type], error.code, error.message);
  }
}

function wireCommand(command: Command, id: string | undefined, re: number | undefined): CommandMessage {
  if (command.type !== 'context.update') return { ...command, id, re };
  return { type: command.type, system_prompt: command.systemPrompt, append: command.append, id, re };
}
