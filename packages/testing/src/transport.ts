/**
 * The port through which a {@link FakeVoiceServer} reaches an agent: one dial, one connection, text frames.
 * There are two implementations: {@link webSocketTransport} over a real socket and {@link memoryTransport} inside the
 * process.
 */

/** How one connection is opened. */
export interface Transport {
  /**
   * Opens a connection to the agent. What arrives goes to `receiver`, from the moment the promise resolves.
   * @throws DialError when the agent cannot be reached or refuses the upgrade.
   */
  dial(receiver: FrameReceiver): Promise<Connection>;
}

/** The server's end of an open connection. No method throws; after the end they do nothing. */
export interface Connection {
  sendText(text: string): void;
  sendBinary(bytes: Uint8Array): void;
  ping(): void;
  /** Closes with a close frame. */
  close(code: number, reason: string): void;
  /** Drops the connection without a close frame: the other side sees a reset. */
  terminate(): void;
  /** Stops reading and answering, and leaves the connection open: what a dead network looks like. */
  freeze(): void;
}

/** What arrives on a connection. */
export interface FrameReceiver {
  text(text: string): void;
  binary(byteLength: number): void;
  ping(): void;
  pong(): void;
  /** The last thing that arrives. Code 1006 when there was no close frame. */
  closed(code: number, reason: string): void;
}

/** A dial that did not lead to an open connection. */
export class DialError extends Error {
  override readonly name = 'DialError';
  /** The HTTP status of the agent's answer, when it gave one. */
  readonly status: number | undefined;

  constructor(message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}
