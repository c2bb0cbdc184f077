import type { Clock } from '@callwright/core';
import type { Connection, FrameReceiver, Transport } from './transport';

/** Why a connection did not become a link. */
export class DialFailure extends Error {
  override readonly name = 'DialFailure';
}

/** A connection whose `session.start` was sent and whose first text frame has come. */
export interface Answered {
  readonly connection: Connection;
  readonly firstText: string;
  /** Gives everything that comes after the first text to `receiver`. */
  attach(receiver: FrameReceiver): void;
}

/** What the server allows for a connection, in milliseconds. */
export interface DialTimes {
  readonly connectMs: number;
  readonly handshakeMs: number;
}

/**
 * Opens a connection, sends `start`, and waits for the first text frame; pings and binary frames before it are skipped.
 * @throws DialFailure when it cannot connect, is closed, or takes too long. The connection is gone then.
 */
export async function dial(
  transport: Transport,
  clock: Clock,
  times: DialTimes,
  start: () => string,
): Promise<Answered> {
  const relay = new Relay();
  const dialled = transport.dial(relay);
  let connection: Connection;
  try {
    connection = await inTime(clock, times.connectMs, 'connecting', dialled);
  } catch (error) {
    dialled.then((late) => late.terminate()).catch(() => undefined);
    throw error instanceof DialFailure ? error : new DialFailure(messageOf(error), { cause: error });
  }
  try {
    connection.sendText(start());
    const firstText = await inTime(clock, times.handshakeMs, 'the answer to session.start', relay.firstText);
    return { connection, firstText, attach: (receiver) => relay.attach(receiver) };
  } catch (error) {
    connection.terminate();
    throw error;
  }
}

function inTime<T>(clock: Clock, ms: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(() => reject(new DialFailure(`${what} took more than ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Keeps what comes until somebody listens. */
class Relay implements FrameReceiver {
  readonly firstText: Promise<string>;
  #takeFirst: (text: string) => void = () => undefined;
  #fail: (error: DialFailure) => void = () => undefined;
  #hasFirst = false;
  #receiver: FrameReceiver | undefined;
  #kept: ((receiver: FrameReceiver) => void)[] = [];

  constructor() {
    this.firstText = new Promise((resolve, reject) => {
      this.#takeFirst = resolve;
      this.#fail = reject;
    });
    // Nobody waits for it when the connection fails first.
    this.firstText.catch(() => undefined);
  }

  attach(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    for (const deliver of this.#kept.splice(0)) deliver(receiver);
  }

  text(text: string): void {
    if (this.#hasFirst) {
      this.#give((receiver) => receiver.text(text));
      return;
    }
    this.#hasFirst = true;
    this.#takeFirst(text);
  }

  binary(byteLength: number): void {
    if (this.#hasFirst) this.#give((receiver) => receiver.binary(byteLength));
  }

  ping(): void {
    this.#give((receiver) => receiver.ping());
  }

  pong(): void {
    this.#give((receiver) => receiver.pong());
  }

  closed(code: number, reason: string): void {
    this.#fail(new DialFailure(`the agent closed the connection (${code}) before it answered session.start`));
    this.#give((receiver) => receiver.closed(code, reason));
  }

  #give(deliver: (receiver: FrameReceiver) => void): void {
    if (this.#receiver === undefined) this.#kept.push(deliver);
    else deliver(this.#receiver);
  }
}
