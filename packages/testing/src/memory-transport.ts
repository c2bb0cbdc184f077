import { type Clock, systemClock } from '@callwright/core';
import { type Connection, DialError, type FrameReceiver, type Transport } from './transport';

/** The agent's end of an in-memory connection. It starts to receive when `listen` is called. */
export interface MemoryPeer extends Connection {
  /** Names who receives what the voice server sends. Frames that came before are delivered first. */
  listen(receiver: FrameReceiver): void;
}

/** Options of {@link memoryTransport}. */
export interface MemoryTransportOptions {
  /** Frames are delivered through its `defer`, each in order, never inside the call that sent them. @default the system clock */
  readonly clock?: Clock | undefined;
}

/**
 * Connects to an agent in the same process: no port, no socket, the same frames. `accept` gets the agent's end of each
 * new connection; it may throw to refuse the dial.
 *
 * @example
 * ```ts
 * import { memoryTransport } from '@callwright/testing';
 *
 * const transport = memoryTransport((peer) => {
 *   peer.listen({
 *     text: () => peer.sendText('{"type":"session.accept","version":1}'),
 *     binary: () => undefined,
 *     ping: () => undefined,
 *     pong: () => undefined,
 *     closed: () => undefined,
 *   });
 * });
 * void transport;
 * ```
 */
export function memoryTransport(
  accept: (peer: MemoryPeer) => void,
  options: MemoryTransportOptions = {},
): Transport {
  const clock = options.clock ?? systemClock;
  return {
    dial: (receiver) =>
      new Promise((resolve, reject) => {
        clock.defer(() => {
          const [server, agent] = memoryPair(clock);
          server.listen(receiver);
          try {
            accept(agent);
          } catch (cause) {
            reject(new DialError('The agent refused the connection.', { cause }));
            return;
          }
          resolve(server);
        });
      }),
  };
}

/** Two ends of one connection. What one sends, the other receives, in order, in a later turn of the loop. */
export function memoryPair(clock: Clock): readonly [MemoryPeer, MemoryPeer] {
  const left = new MemoryEnd(clock);
  const right = new MemoryEnd(clock);
  left.join(right);
  right.join(left);
  return [left, right];
}

type Delivery = (receiver: FrameReceiver) => void;

const GOING_AWAY_WITHOUT_CLOSE_FRAME = 1006;

class MemoryEnd implements MemoryPeer {
  readonly #clock: Clock;
  #other: MemoryEnd | undefined;
  #receiver: FrameReceiver | undefined;
  #inbox: Delivery[] = [];
  #deliveryPlanned = false;
  #frozen = false;
  #isOpen = true;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(other: MemoryEnd): void {
    this.#other = other;
  }

  listen(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    this.#planDelivery();
  }

  sendText(text: string): void {
    this.#send((receiver) => receiver.text(text));
  }

  sendBinary(bytes: Uint8Array): void {
    const { byteLength } = bytes;
    this.#send((receiver) => receiver.binary(byteLength));
  }

  ping(): void {
    const other = this.#other;
    this.#send((receiver) => {
      receiver.ping();
      other?.pong();
    });
  }

  pong(): void {
    this.#send((receiver) => receiver.pong());
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen || this.#frozen) return;
    this.#isOpen = false;
    const other = this.#other;
    other?.deliver((receiver) => {
      receiver.closed(code, reason);
      other.answerClose(code, reason);
    });
  }

  /** The second half of the closing handshake: the end that closed first hears it too. */
  answerClose(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#other?.deliver((receiver) => receiver.closed(code, reason));
  }

  terminate(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const code = GOING_AWAY_WITHOUT_CLOSE_FRAME;
    this.deliver((receiver) => receiver.closed(code, ''));
    const other = this.#other;
    other?.deliver((receiver) => {
      other.shut();
      receiver.closed(code, '');
    });
  }

  shut(): void {
    this.#isOpen = false;
  }

  freeze(): void {
    this.#frozen = true;
    this.#inbox = [];
  }

  deliver(delivery: Delivery): void {
    if (this.#frozen) return;
    this.#inbox.push(delivery);
    this.#planDelivery();
  }

  #send(delivery: Delivery): void {
    if (this.#isOpen && !this.#frozen) this.#other?.deliver(delivery);
  }

  #planDelivery(): void {
    if (this.#deliveryPlanned || this.#receiver === undefined || this.#inbox.length === 0) return;
    this.#deliveryPlanned = true;
    this.#clock.defer(() => {
      this.#deliveryPlanned = false;
      const receiver = this.#receiver;
      if (receiver === undefined) return;
      for (const delivery of this.#inbox.splice(0)) delivery(receiver);
    });
  }
}
