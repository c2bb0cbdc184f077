import { createServer as createHttpServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MAX_INCOMING_MESSAGE_BYTES } from '@callwright/protocol';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { formatUrl, isLoopback } from './address';
import { BearerCheck } from './bearer';
import { gatewayError } from './errors';
import type { GatewaySettings } from './options';
import { loadTls } from './tls';

/** A request line and its headers: what a socket may send before it is let in, with room for a first frame. */
const MAX_HEADER_BYTES = 8_192;
const MAX_BYTES_BEFORE_UPGRADE = 16_384;
/** A silent or dribbling socket is gone within 2.25 s; behind TLS, its handshake and headers share that time. */
const PLAIN_HEADERS_TIMEOUT_MS = 2_000;
const TLS_HANDSHAKE_TIMEOUT_MS = 1_250;
const TLS_HEADERS_TIMEOUT_MS = 1_250;
const CONNECTIONS_CHECKING_INTERVAL_MS = 250;
const CLOSE_HANDSHAKE_TIMEOUT_MS = 2_000;
/** The voice server sends whole messages; a handful of fragments is more than anybody needs. */
const MAX_FRAGMENTS = 1_024;
const MAX_BUFFERED_CHUNKS = 4_096;

/** An open WebSocket that passed every check, and the socket below it. */
export interface Connection {
  readonly webSocket: WebSocket;
  readonly transport: Socket;
  /** Whom this connection came to: the path it asked for, and which of the tokens it presented. */
  readonly endpoint: string;
}

/** What the server asks of the application. */
export interface ServerDelegate {
  /** False: a new connection is answered with 503. */
  isOpen(): boolean;
  /** What connection guards say: the HTTP status of a refusal, or undefined. Never rejects. */
  judge(request: IncomingMessage): undefined | Promise<number | undefined>;
  /** Takes an open connection. */
  connected(connection: Connection): void;
}

/**
 * Listens, lets in who may connect, and upgrades. Before a socket passed every check no frame of it is read; it may
 * take about 2 s and 16 KiB.
 */
export class GatewayServer {
  readonly #settings: GatewaySettings;
  readonly #delegate: ServerDelegate;
  readonly #bearer: BearerCheck;
  readonly #webSockets: WebSocketServer;
  #server: Server | undefined;
  #url = '';

  constructor(settings: GatewaySettings, delegate: ServerDelegate) {
    this.#settings = settings;
    this.#delegate = delegate;
    this.#bearer = new BearerCheck(settings.tokens);
    this.#webSockets = new WebSocketServer(webSocketOptions);
  }

  /** `ws://host:port`, or `wss://`; empty before `listen()` resolved. */
  get url(): string {
    return this.#url;
  }

  /**
   * Starts to listen.
   * @throws CallwrightError with a `CW_` code: certificate or key unusable, port in use or forbidden, host unusable.
   */
  async listen(): Promise<void> {
    const { host, port } = this.#settings;
    const server = this.#createServer();
    await new Promise<void>((resolve, reject) => {
      const refuse = (cause: NodeJS.ErrnoException): void => reject(listenError(cause, host, port));
      server.once('error', refuse);
      server.listen({ host, port }, () => {
        server.off('error', refuse);
        resolve();
      });
    });
    // An accept error (no file descriptors left) must not end the process; the next connection is tried again.
    server.on('error', (error: NodeJS.ErrnoException) => {
      this.#settings.logger.error('the listening socket reported an error', { errorCode: error.code });
    });
    this.#server = server;
    this.#url = formatUrl(this.#settings.tls !== undefined, host, (server.address() as AddressInfo).port);
  }

  /** Stops to listen: the port is free at once. Open WebSockets stay; sockets on their way in are cut. */
  stopListening(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** Cuts every WebSocket that is still open. */
  terminate(): void {
    for (const webSocket of this.#webSockets.clients) webSocket.terminate();
    this.#webSockets.close();
  }

  #createServer(): Server {
    const { tls, clock } = this.#settings;
    const options = {
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL_MS,
    };
    const server =
      tls === undefined
        ? createHttpServer({
            ...options,
            headersTimeout: PLAIN_HEADERS_TIMEOUT_MS,
            requestTimeout: PLAIN_HEADERS_TIMEOUT_MS,
          })
        : createHttpsServer({
            ...options,
            ...loadTls(tls, clock.wallMs()),
            handshakeTimeout: TLS_HANDSHAKE_TIMEOUT_MS,
            headersTimeout: TLS_HEADERS_TIMEOUT_MS,
            requestTimeout: TLS_HEADERS_TIMEOUT_MS,
          });
    server.on('request', (request, response) => {
      const status = request.method === 'CONNECT' ? 405 : 426;
      this.#logRefusal(status);
      response.writeHead(status, { Connection: 'close', Upgrade: 'websocket', 'Content-Type': 'text/plain' });
      response.end(`${STATUS_CODES[status]}: this port speaks WebSocket to voice servers.\n`);
    });
    server.on('connect', (_request, socket) => refuse(socket, 405));
    server.on('clientError', answerClientError);
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    return server;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', ignore);
    const token = this.#bearer.accept(request);
    const status = this.#refusalOf(request, token);
    if (status !== undefined) {
      this.#logRefusal(status);
      refuse(socket, status);
      return;
    }
    const open = (): void => {
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        const path = request.url?.split('?', 1)[0] ?? '/';
        this.#delegate.connected({ webSocket, transport: request.socket, endpoint: `${token}${path}` });
      });
    };
    const verdict = this.#delegate.judge(request);
    if (verdict === undefined) open();
    else void verdict.then((refusal) => this.#judged(refusal, socket, open));
  }

  /** Connection guards have judged; meanwhile the peer may be gone, or the application closing. */
  #judged(refusal: number | undefined, socket: Duplex, open: () => void): void {
    const status = refusal ?? (this.#delegate.isOpen() ? undefined : 503);
    if (socket.destroyed) return;
    if (status === undefined) open();
    else {
      this.#logRefusal(status);
      refuse(socket, status);
    }
  }

  #logRefusal(status: number): void {
    this.#settings.logger.debug('a connection was refused', { status });
  }

  /** The HTTP status that refuses a request, or undefined when it may pass. */
  #refusalOf(request: IncomingMessage, token: number | undefined): number | undefined {
    const { headers, socket } = request;
    if (request.method !== 'GET') return 405;
    // Node also reads the versions before, which know no upgrade.
    if (request.httpVersion !== '1.1' || headers.host === undefined) return 400;
    if (socket.bytesRead > MAX_BYTES_BEFORE_UPGRADE) return 413;
    if (headers.upgrade?.toLowerCase() !== 'websocket') return 426;
    if (headers['sec-websocket-version'] !== '13') return 426;
    if (headers.origin !== undefined && !this.#settings.allowedOrigins.has(headers.origin)) return 403;
    if (token === undefined) return 401;
    if (!this.#delegate.isOpen()) return 503;
    return undefined;
  }
}

// `closeTimeout` is an option of ws 8.23 that its published types do not have yet.
const webSocketOptions: ServerOptions & { readonly closeTimeout: number } = {
  noServer: true,
  maxPayload: MAX_INCOMING_MESSAGE_BYTES,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_BUFFERED_CHUNKS,
  closeTimeout: CLOSE_HANDSHAKE_TIMEOUT_MS,
  perMessageDeflate: false,
};

const REFUSAL_HEADERS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate: Bearer\r\n',
  405: 'Allow: GET\r\n',
  426: 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n',
};

function refuse(socket: Duplex, status: number): void {
  socket.on('error', ignore);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n`;
  // The peer may never close its side: once the answer left, nothing keeps the socket.
  socket.end(`${head}${REFUSAL_HEADERS[status] ?? ''}\r\n`, () => socket.destroy());
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const status = clientErrorStatus(error.code);
  if (status === undefined || !socket.writable) socket.destroy();
  else refuse(socket, status);
}

/** Undefined when there is no use in an answer: a failed TLS handshake, or a broken connection. */
function clientErrorStatus(code: string | undefined): number | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return code?.startsWith('HPE_') ? 400 : undefined;
}

function ignore(): void {}

const HOST_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name cannot be looked up now',
  EAFNOSUPPORT: 'this machine does not have that address family (IPv6 may be switched off)',
  EINVAL: 'it is not an address this system understands',
};

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const code = cause.code ?? 'an unknown error';
  if (code === 'EADDRINUSE') return gatewayError('CW_PORT_IN_USE', [{ host, port }], { cause });
  if (code === 'EACCES') return gatewayError('CW_PORT_FORBIDDEN', [{ host, port }], { cause });
  const reason = HOST_REASONS[code];
  if (reason !== undefined) return gatewayError('CW_HOST_UNUSABLE', [{ host, reason }], { cause });
  return gatewayError('CW_LISTEN_FAILED', [{ host, port, reason: code }], { cause });
}

/** What the log says of a listening address: whom it serves. */
export function listeningHint(settings: GatewaySettings): string {
  const reach = isLoopback(settings.host) ? 'this machine only' : 'every machine that reaches this address';
  const auth = settings.tokens.length > 0 ? 'with a bearer token' : 'WITHOUT AUTHENTICATION';
  return `serves ${reach}, ${auth}`;
}
