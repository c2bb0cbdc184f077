import { connect, type Socket } from 'node:net';

/** A raw client: what it wrote, what came back, and whether the other side closed. */
export class RawClient {
  readonly socket: Socket;
  readonly closed: Promise<string>;
  #received = '';
  readonly #waiting: { readonly pattern: RegExp; readonly resolve: (text: string) => void }[] = [];

  constructor(url: string) {
    const { hostname, port } = new URL(url.replace(/^ws/, 'http'));
    this.socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1');
      for (const waiter of this.#waiting)
        if (waiter.pattern.test(this.#received)) waiter.resolve(this.#received);
    });
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve(this.#received)));
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves with everything received once it matches. */
  received(pattern: RegExp): Promise<string> {
    if (pattern.test(this.#received)) return Promise.resolve(this.#received);
    return new Promise((resolve) => this.#waiting.push({ pattern, resolve }));
  }
}

/** The request of a voice server, with headers changed or (undefined) left out. */
export function upgradeRequest(
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  requestLine = 'GET /agent HTTP/1.1',
): string {
  const all = {
    Host: 'agent.internal',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}`);
  });
  return `${[requestLine, ...lines].join('\r\n')}\r\n\r\n`;
}

/** A TLS record that opens a handshake, as a client speaking TLS to a plain port sends it. */
export const tlsClientHello = Buffer.concat([
  Buffer.from([0x16, 0x03, 0x01, 0x00, 0xc8, 0x01]),
  Buffer.alloc(199),
]);

/** The status line's code of a raw HTTP answer. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}
