import { EventEmitter } from 'node:events';
import type { Application } from '@callwright/gateway';

const OPEN = 1;
const CLOSED = 3;
const BELOW_SHORT_HEADER = 2;
const HEADER_BYTES: Readonly<Record<number, number>> = { 126: 4, 127: 10 };

/**
 * A connection to an application in this process, as bare as can be: what is heard is given to the gateway's own listeners in the
 * same turn, and what it sends is kept. A million frames go through it in seconds.
 */
export class DirectLink {
  readonly sent: string[] = [];
  readonly #webSocket = new DirectWebSocket((frame) => this.sent.push(frame));

  private constructor() {}

  /** Connects; the application need not listen. */
  static async dial(application: Application, path = '/'): Promise<DirectLink> {
    const link = new DirectLink();
    const webSocket = link.#webSocket;
    const transport = Object.assign(new EventEmitter(), {
      writableLength: 0,
      cork: () => undefined,
      uncork: () => undefined,
      write: (frame: string) => {
        link.sent.push(frame.slice(HEADER_BYTES[frame.charCodeAt(1)] ?? BELOW_SHORT_HEADER));
        return true;
      },
    });
    // The gateway keeps this way in out of its declarations: it is for test kits alone.
    const connect: unknown = Reflect.get(application, Symbol.for('callwright:gateway:connect'));
    if (typeof connect !== 'function') throw new Error('The application has no way in for tests.');
    const isTaken: unknown = await Reflect.apply(connect, application, [
      { webSocket, transport, endpoint: `0${path}` },
    ]);
    if (isTaken !== true) throw new Error('The application takes no connections.');
    return link;
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === OPEN;
  }

  /** One text frame of the voice server. */
  hear(text: string): void {
    if (this.isOpen) this.#webSocket.emit('message', Buffer.from(text), false);
  }

  /** One binary frame. */
  hearBinary(bytes: Buffer): void {
    if (this.isOpen) this.#webSocket.emit('message', bytes, true);
  }

  /** The connection is gone without a word. */
  cut(): void {
    this.#webSocket.terminate();
  }
}

/** As much of a WebSocket as the gateway uses. */
class DirectWebSocket extends EventEmitter {
  readyState = OPEN;
  readonly #keep: (frame: string) => void;

  constructor(keep: (frame: string) => void) {
    super();
    this.#keep = keep;
  }

  send(frame: Buffer): void {
    if (this.readyState === OPEN) this.#keep(frame.toString());
  }

  ping(): void {}

  close(): void {
    this.terminate();
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    setImmediate(() => this.emit('close', 1006, Buffer.alloc(0)));
  }
}
