import type { Socket } from 'node:net';
import type { Clock, Logger } from '@callwright/core';
import type { WebSocket } from 'ws';
import { BrisvoxLink } from './link';
import type { Connection } from './server';

/** Who hears an open connection: its handshake first, then its call. */
export interface Receiver {
  /** One text frame. */
  text(text: string): void;
  /** The connection is gone, however that came; called once. */
  closed(): void;
}

/** Who hears every frame of a connection beside its receiver, for a recording. */
export interface FrameListener {
  /** A text frame came; before its receiver has it. */
  received(text: string): void;
  /** A frame was handed to the socket. */
  sent(text: string): void;
  /** The connection is gone; after its receiver heard it. */
  closed(): void;
}

/** Where a socket holds its connection: one set of listeners serves all connections, where closures would be made for each. */
const CONNECTION = Symbol('connection');

/** A WebSocket or the socket below it, as a connection marked it. */
interface Marked {
  [CONNECTION]: BrisvoxConnection;
}

/** An open connection: turns what its socket says into calls of one {@link Receiver}. */
export class BrisvoxConnection {
  readonly link: BrisvoxLink;
  readonly endpoint: string;
  readonly #logger: Logger;
  #receiver: Receiver;
  #heard = true;
  #silentChecks = 0;
  #sawBinary = false;
  #listener: FrameListener | undefined;

  constructor(connection: Connection, clock: Clock, logger: Logger, receiver: Receiver) {
    const { webSocket, transport } = connection;
    this.link = new BrisvoxLink(connection, clock);
    this.endpoint = connection.endpoint;
    this.#logger = logger;
    this.#receiver = receiver;
    Object.assign(webSocket, { [CONNECTION]: this });
    Object.assign(transport, { [CONNECTION]: this });
    webSocket.on('message', LISTENERS.message);
    webSocket.on('ping', LISTENERS.signOfLife);
    webSocket.on('pong', LISTENERS.signOfLife);
    webSocket.on('error', LISTENERS.error);
    webSocket.on('close', LISTENERS.close);
    transport.prependListener('end', LISTENERS.end);
  }

  /** From now on `listener` hears all frames too. */
  hearFrames(listener: FrameListener): void {
    this.#listener = listener;
    this.link.onSent = (frame) => listener.sent(frame);
  }

  /** One frame of the socket. */
  hear(data: { toString(): string }, isBinary: boolean): void {
    this.#heard = true;
    if (!isBinary) this.#hear(data.toString());
    else if (!this.#sawBinary) {
      this.#sawBinary = true;
      this.#logger.warn('a binary frame was ignored: the protocol has none');
    }
  }

  /** A ping or pong of the socket. */
  noteSignOfLife(): void {
    this.#heard = true;
  }

  /** The socket failed; its end follows. */
  failed(error: Error): void {
    this.#logger.debug('a link failed', { error });
  }

  /** The socket is gone. */
  closed(): void {
    this.link.closed();
    this.#receiver.closed();
    this.#listener?.closed();
  }

  /** What goes wrong below must not reach the socket, where an exception would end the process. */
  #hear(text: string): void {
    try {
      this.#listener?.received(text);
      this.#receiver.text(text);
    } catch (error) {
      this.#logger.error('a message could not be handled, so its link was cut', { error });
      this.link.cut();
    }
  }

  /** From now on `receiver` hears the connection. */
  handTo(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  /** How many checks in a row found nothing, up to the last one; none once something came after it. */
  get silentChecks(): number {
    return this.#heard ? 0 : this.#silentChecks;
  }

  /** How many checks in a row found that nothing came since the one before. */
  countSilentChecks(): number {
    this.#silentChecks = this.#heard ? 0 : this.#silentChecks + 1;
    this.#heard = false;
    return this.#silentChecks;
  }
}

function connectionOf(socket: WebSocket | Socket): BrisvoxConnection {
  return (socket as unknown as Marked)[CONNECTION]; // only sockets that were marked have these listeners
}

const LISTENERS = {
  // ws gives one Buffer here: `binaryType` is left at its default.
  message(this: WebSocket, data: { toString(): string }, isBinary: boolean): void {
    connectionOf(this).hear(data, isBinary);
  },
  signOfLife(this: WebSocket): void {
    connectionOf(this).noteSignOfLife();
  },
  error(this: WebSocket, error: Error): void {
    connectionOf(this).failed(error);
  },
  close(this: WebSocket): void {
    connectionOf(this).closed();
  },
  /** The peer's FIN without a close frame: nobody reads an answer any more, and waiting for the socket could take long. */
  end(this: Socket): void {
    const { link } = connectionOf(this);
    if (link.isOpen) link.cut();
  },
};
