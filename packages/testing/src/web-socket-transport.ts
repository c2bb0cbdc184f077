import { WebSocket } from 'ws';
import { type Connection, DialError, type FrameReceiver, type Transport } from './transport';

/** Options of {@link webSocketTransport}. */
export interface WebSocketTransportOptions {
  /** Sent as `Authorization: Bearer TOKEN`. */
  readonly token?: string | undefined;
  /** Further headers of the upgrade request, such as an `Origin` that a voice server would not send. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** PEM text of a private certificate authority, for `wss://`. */
  readonly certificateAuthority?: string | undefined;
}

/** Larger than what the voice server reads, so that the fake sees an oversized message and can say so. */
const MAX_PAYLOAD_BYTES = 1_048_576;

/**
 * Dials an agent over a real socket, as the voice server does: no subprotocol, no compression, no Origin.
 *
 * @example
 * ```ts no-run
 * import { FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
 *
 * const transport = webSocketTransport('ws://127.0.0.1:8765', { token: 'secret' });
 * const server = new FakeVoiceServer({ transport, brain: rules([when(/./).say('Yes.')]) });
 * void server.call();
 * ```
 */
export function webSocketTransport(url: string, options: WebSocketTransportOptions = {}): Transport {
  return {
    dial: (receiver) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url, {
          perMessageDeflate: false,
          followRedirects: false,
          maxPayload: MAX_PAYLOAD_BYTES,
          headers: {
            ...options.headers,
            ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
          },
          ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
        });
        const connection = new WebSocketConnection(socket, receiver);
        socket.once('open', () => {
          connection.isOpen = true;
          resolve(connection);
        });
        socket.once('unexpected-response', (request, response) => {
          response.resume();
          request.destroy();
          const status = response.statusCode;
          reject(new DialError(`The agent refused the connection with HTTP ${status}.`, { status }));
        });
        // Before the connection is open an error is the answer to the dial; after it, a close event follows.
        socket.on('error', (cause) => {
          reject(new DialError(`The agent cannot be reached: ${cause.message}`, { cause }));
        });
      }),
  };
}

class WebSocketConnection implements Connection {
  readonly #socket: WebSocket;
  /** A close before the connection was open belongs to the dial, not to the receiver. */
  isOpen = false;
  #frozen = false;

  constructor(socket: WebSocket, receiver: FrameReceiver) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => {
      if (this.#frozen) return;
      const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer);
      if (isBinary) receiver.binary(bytes.byteLength);
      else receiver.text(bytes.toString('utf8'));
    });
    socket.on('ping', () => receiver.ping());
    socket.on('pong', () => receiver.pong());
    socket.on('close', (code, reason) => {
      if (this.isOpen && !this.#frozen) receiver.closed(code === 1005 ? 1000 : code, reason.toString('utf8'));
    });
  }

  sendText(text: string): void {
    if (this.#canSend()) this.#socket.send(text);
  }

  sendBinary(bytes: Uint8Array): void {
    if (this.#canSend()) this.#socket.send(bytes, { binary: true });
  }

  ping(): void {
    if (this.#canSend()) this.#socket.ping();
  }

  close(code: number, reason: string): void {
    if (!this.#frozen) this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  freeze(): void {
    this.#frozen = true;
    this.#socket.pause();
  }

  #canSend(): boolean {
    return !this.#frozen && this.#socket.readyState === WebSocket.OPEN;
  }
}
