import { type LogEntry, type Logger, systemClock } from '@callwright/core';
import { WebSocket } from 'ws';
import { BrisvoxConnection, type Receiver } from './connection';
import type { GatewayOptions } from './options';
import { type Connection, GatewayServer } from './server';
import { readSettings } from './settings';

/** Log lines as they were written, for a test to look at. */
export class LogRecorder {
  readonly entries: LogEntry[] = [];
  readonly sink = { write: (entry: LogEntry): void => void this.entries.push(entry) };

  messages(): string[] {
    return this.entries.map((entry) => entry.message);
  }
}

/** Collects what a connection says, and lets a test wait for it. */
export class RecordingReceiver implements Receiver {
  readonly texts: string[] = [];
  closedCount = 0;
  readonly whenClosed: Promise<void>;
  #resolveClosed: () => void = () => undefined;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor() {
    this.whenClosed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  text(text: string): void {
    this.texts.push(text);
    for (const { count, resolve } of this.#waiting) if (this.texts.length >= count) resolve();
  }

  closed(): void {
    this.closedCount += 1;
    this.#resolveClosed();
  }

  whenTexts(count: number): Promise<void> {
    if (this.texts.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }
}

/** A server on a free port that hands out its connections in order. */
export class ConnectionServer {
  readonly log = new LogRecorder();
  readonly logger: Logger;
  readonly server: GatewayServer;
  readonly #waiting: ((connection: Connection) => void)[] = [];
  readonly #ready: Connection[] = [];

  private constructor(options: GatewayOptions) {
    const { settings } = readSettings(
      { port: 0, log: { sink: this.log.sink, level: 'debug' }, ...options },
      {},
    );
    this.logger = settings.logger;
    this.server = new GatewayServer(settings, {
      isOpen: () => true,
      judge: () => undefined,
      connected: (connection) => {
        const next = this.#waiting.shift();
        if (next) next(connection);
        else this.#ready.push(connection);
      },
    });
  }

  static async start(options: GatewayOptions = {}): Promise<ConnectionServer> {
    const server = new ConnectionServer(options);
    await server.server.listen();
    return server;
  }

  next(): Promise<Connection> {
    const ready = this.#ready.shift();
    return ready ? Promise.resolve(ready) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop(): void {
    this.server.stopListening();
    this.server.terminate();
  }

  /** One accepted connection with its receiver and the client at the other end. */
  async connect(): Promise<Connected> {
    const client = new WebSocket(this.server.url);
    client.on('error', () => undefined);
    const received: string[] = [];
    client.on('message', (data) => received.push(data.toString()));
    const whenClosed = new Promise<{ code: number; reason: string }>((resolve) =>
      client.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    const open = new Promise((resolve) => client.once('open', resolve));
    const raw = await this.next();
    await open;
    const receiver = new RecordingReceiver();
    const connection = new BrisvoxConnection(raw, systemClock, this.logger, receiver);
    return { client, received, whenClosed, raw, connection, receiver };
  }
}

export interface Connected {
  readonly client: WebSocket;
  readonly received: string[];
  readonly whenClosed: Promise<{ code: number; reason: string }>;
  readonly raw: Connection;
  readonly connection: BrisvoxConnection;
  readonly receiver: RecordingReceiver;
}

/** A masked client frame, as bytes. `opcode` 1 is text, 2 binary, 0 a continuation. */
export function clientFrame(payload: Buffer, opcode = 1, isLast = true): Buffer {
  const head =
    payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff];
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | opcode, ...head, 0, 0, 0, 0]), payload]);
}
