import type { Clock, Logger } from '@callwright/core';
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

/** An open connection: turns what its socket says into calls of one {@link Receiver}. */
export class BrisvoxConnection {
  readonly link: BrisvoxLink;
  readonly endpoint: string;
  #receiver: Receiver;
  #heard = true;
  #silentChecks = 0;
  #sawBinary = false;
  #listener: FrameListener | undefined;

  constructor(connection: Connection, clock: Clock, logger: Logger, receiver: Receiver) {
    const { webSocket, transport } = connection;
    this.link = new BrisvoxLink(connection, clock);
    this.endpoint = connection.endpoint;
    this.#receiver = receiver;
    webSocket.on('message', (data, isBinary) => {
      this.#heard = true;
      // ws gives one Buffer here: `binaryType` is left at its default.
      if (!isBinary) this.#hear(data.toString());
      else if (!this.#sawBinary) {
        this.#sawBinary = true;
        logger.warn('a binary frame was ignored: the protocol has none');
      }
    });
    const heard = (): void => {
      this.#heard = true;
    };
    webSocket.on('ping', heard);
    webSocket.on('pong', heard);
    webSocket.on('error', (error) => logger.debug('a link failed', { error }));
    webSocket.on('close', () => {
      this.#receiver.closed();
      this.#listener?.closed();
    });
    // The peer's FIN without a close frame: nobody reads an answer any more, and waiting for the socket could take long.
    transport.prependListener('end', () => {
      if (this.link.isOpen) this.link.cut();
    });
  }

  /** From now on `listener` hears all frames too. */
  hearFrames(listener: FrameListener): void {
    this.#listener = listener;
    this.link.onSent = (frame) => listener.sent(frame);
  }

  #hear(text: string): void {
    this.#listener?.received(text);
    this.#receiver.text(text);
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
