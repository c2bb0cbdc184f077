import { EventEmitter } from 'node:events';
import { type Clock, systemClock } from '@callwright/core';
import type { Application } from '@callwright/gateway';
import { type MemoryPeer, memoryPair } from './memory-transport';
import { type Connection, DialError, type Transport } from './transport';

/** Options of {@link applicationTransport}. */
export interface ApplicationTransportOptions {
  /** The application's own clock. @default the system clock */
  readonly clock?: Clock | undefined;
}

/**
 * Calls an application in this process: no port, no socket, the same handshake and the same frames. The application is not
 * asked to `listen()`: its first call starts it, bootstrap hooks included. With a `VirtualClock` for both, a call of
 * minutes takes no time.
 *
 * @example
 * ```ts
 * import { applicationTransport, FakeVoiceServer, rules, VirtualClock, when } from '@callwright/testing';
 * import { createApplication, Module, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'hello', greeting: 'Hello!' })
 * class HelloAgent {}
 *
 * @Module({ agents: [HelloAgent] })
 * class AppModule {}
 *
 * async function play(): Promise<void> {
 *   const clock = new VirtualClock();
 *   const application = await createApplication(AppModule, { clock });
 *   const transport = applicationTransport(application, { clock });
 *   const server = new FakeVoiceServer({ transport, clock, brain: rules([when(/./).say('Good day.')]) });
 *   const call = await clock.runUntil(server.call());
 *   await clock.runUntil(call.user('Hello?'));
 *   await clock.runUntil(call.hangUp());
 *   await clock.runUntil(application.close());
 * }
 * void play();
 * ```
 */
export function applicationTransport(
  application: Application,
  options: ApplicationTransportOptions = {},
): Transport {
  const clock = options.clock ?? systemClock;
  return {
    async dial(receiver): Promise<Connection> {
      const [server, agent] = memoryPair(clock);
      server.listen(receiver);
      await connectApplication(application, agent, clock);
      return server;
    },
  };
}

/** The agent's end of a connection that may fill up. */
export interface ApplicationPeer extends MemoryPeer {
  /** Bytes that the other side does not take. @default 0 */
  readonly unsentBytes?: number | undefined;
  /** Names who hears that the other side sends nothing more, though it may still read. */
  onHalfClose?(heard: () => void): void;
}

/**
 * Gives the agent's end of a connection to the application.
 * @throws DialError with status 503 when the application takes no connections now.
 */
export async function connectApplication(
  application: Application,
  peer: ApplicationPeer,
  clock: Clock,
): Promise<void> {
  const webSocket = new MemoryWebSocket(peer, clock);
  const transport = new MemorySocket(peer);
  const connection = { webSocket, transport, endpoint: '0/' };
  // The gateway keeps this way in out of its declarations: it is for test kits alone.
  const connect: unknown = Reflect.get(application, Symbol.for('callwright:gateway:connect'));
  if (typeof connect !== 'function') throw new DialError('The application is of another version.');
  const isTaken: unknown = await Reflect.apply(connect, application, [connection]);
  if (isTaken !== true) throw new DialError('The application takes no calls now.', { status: 503 });
  webSocket.begin();
}

const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;
/** How long the closing handshake may take, as over a socket. */
const CLOSE_TIMEOUT_MS = 2_000;
const WITHOUT_CLOSE_FRAME = 1006;

/** As much of a WebSocket of `ws` as a gateway uses. */
class MemoryWebSocket extends EventEmitter {
  readonly #peer: ApplicationPeer;
  readonly #clock: Clock;
  #readyState = OPEN;
  #closeTimer: { cancel(): void } | undefined;

  constructor(peer: ApplicationPeer, clock: Clock) {
    super();
    this.#peer = peer;
    this.#clock = clock;
  }

  get readyState(): number {
    return this.#readyState;
  }

  /** Everybody who hears it is in place. */
  begin(): void {
    this.#peer.listen({
      text: (text) => this.#hear('message', Buffer.from(text), false),
      binary: (byteLength) => this.#hear('message', Buffer.alloc(byteLength), true),
      ping: () => this.#hear('ping', Buffer.alloc(0)),
      pong: () => this.#hear('pong', Buffer.alloc(0)),
      closed: (code, reason) => this.#closed(code, reason),
    });
  }

  send(frame: string | Uint8Array): void {
    if (this.#readyState === OPEN) this.#peer.sendText(frame.toString());
  }

  ping(): void {
    if (this.#readyState === OPEN) this.#peer.ping();
  }

  close(code: number, reason: string): void {
    if (this.#readyState !== OPEN) return;
    this.#readyState = CLOSING;
    this.#closeTimer = this.#clock.setTimer(() => this.terminate(), CLOSE_TIMEOUT_MS);
    this.#peer.close(code, reason);
  }

  terminate(): void {
    if (this.#readyState === CLOSED) return;
    this.#readyState = CLOSING;
    this.#peer.terminate();
    // A frozen end hears nothing any more, its own end included; a socket would.
    this.#clock.defer(() => this.#closed(WITHOUT_CLOSE_FRAME, ''));
  }

  #hear(event: string, ...values: readonly unknown[]): void {
    if (this.#readyState !== CLOSED) this.emit(event, ...values);
  }

  #closed(code: number, reason: string): void {
    if (this.#readyState === CLOSED) return;
    this.#readyState = CLOSED;
    this.#closeTimer?.cancel();
    this.emit('close', code, Buffer.from(reason));
  }
}

/** As much of the socket below it. */
class MemorySocket extends EventEmitter {
  readonly #peer: ApplicationPeer;
  /** All bytes so far, those that wait included. */
  bytesWritten = 0;

  constructor(peer: ApplicationPeer) {
    super();
    this.#peer = peer;
    peer.onHalfClose?.(() => this.emit('end'));
  }

  get writableLength(): number {
    return this.#peer.unsentBytes ?? 0;
  }

  cork(): void {}

  uncork(): void {}

  /** Takes a whole frame of a server that `ws` did not write: an ASCII text, one character a byte. */
  write(frame: string): boolean {
    this.bytesWritten += frame.length;
    this.#peer.sendText(frame.slice(HEADER_BYTES[frame.charCodeAt(1)] ?? SHORT_HEADER_BYTES));
    return true;
  }
}

/** A frame is a mark, its length, and its text; a length over 125 stands in 2 or 8 bytes behind its own mark. */
const SHORT_HEADER_BYTES = 2;
const HEADER_BYTES: Readonly<Record<number, number>> = { 126: 4, 127: 10 };
