import { connect, type Socket } from 'node:net';

export const TEXT = 1;
export const BINARY = 2;
export const CONTINUATION = 0;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

/** A frame as the agent sent it. */
export interface ReceivedFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Parts of a frame that a well-behaved peer does not choose. */
export interface FrameOptions {
  readonly isLast?: boolean;
  /** The three bits behind the first, as a number from 0 to 7. */
  readonly reserved?: number;
  readonly isMasked?: boolean;
}

/** One frame of a client, whatever is wrong with it. The mask is zero, which leaves the payload as it is. */
export function frameOf(opcode: number, payload: Buffer | string = '', options: FrameOptions = {}): Buffer {
  const { isLast = true, reserved = 0, isMasked = true } = options;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const mark = isMasked ? 0x80 : 0;
  const header = [first, ...lengthOf(bytes.length, mark), ...(isMasked ? [0, 0, 0, 0] : [])];
  return Buffer.concat([Buffer.from(header), bytes]);
}

function lengthOf(length: number, mark: number): number[] {
  if (length < 126) return [mark | length];
  if (length < 65_536) return [mark | 126, length >> 8, length & 0xff];
  return [mark | 127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
}

/** A closing frame with a status code. */
export function closeFrame(code: number, reason: Buffer | string = ''): Buffer {
  const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]);
  return frameOf(CLOSE, payload);
}

/** An accepted call whose voice server writes bytes instead of messages. */
export class RawCall {
  readonly socket: Socket;
  readonly frames: ReceivedFrame[] = [];
  readonly whenClosed: Promise<void>;
  #unread: Buffer = Buffer.alloc(0);
  #isUpgraded = false;
  #changed: () => void = () => undefined;
  #probes = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => this.#read(chunk));
    this.whenClosed = new Promise((resolve) => {
      socket.on('close', () => {
        resolve();
        this.#changed();
      });
    });
  }

  static async open(url: string, sessionId = '1'): Promise<RawCall> {
    const { port } = new URL(url);
    const call = new RawCall(connect(Number(port), '127.0.0.1'));
    call.socket.write(
      'GET / HTTP/1.1\r\nHost: agent.internal\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    call.send(
      frameOf(
        TEXT,
        `{"type":"session.start","seq":1,"t_ms":0,"protocol":"brisvox.agent","versions":[1],"session_id":"${sessionId}","agent":"a","capabilities":{}}`,
      ),
    );
    await call.first(({ payload }) => payload.includes('session.accept'));
    return call;
  }

  /** How many pings were answered. */
  get pongCount(): number {
    return this.frames.filter(({ opcode }) => opcode === PONG).length;
  }

  send(...frames: readonly Buffer[]): this {
    this.socket.write(Buffer.concat(frames));
    return this;
  }

  /** The first frame, now or later, that matches; undefined when the socket closed without one. */
  async first(matches: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame | undefined> {
    for (;;) {
      const found = this.frames.find(matches);
      if (found || this.socket.destroyed) return found;
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /** The status code that the agent closed with; undefined when it sent none. */
  async closeCode(): Promise<number | undefined> {
    const frame = await this.first(({ opcode }) => opcode === CLOSE);
    return frame && frame.payload.length >= 2 ? frame.payload.readUInt16BE(0) : undefined;
  }

  /** Whether a tool call is still answered. */
  async isServed(): Promise<boolean> {
    this.#probes += 1;
    const id = 10_000 + this.#probes;
    this.send(
      frameOf(
        TEXT,
        `{"type":"tool.call","seq":${id},"t_ms":1,"id":${id},"call_id":"p","name":"ping","arguments":{},"kind":"read_only","epoch":1,"idempotency_key":"${id}","timeout_ms":5000}`,
      ),
    );
    const answer = await this.first(({ payload }) => payload.includes(`"id":${id},`));
    return answer !== undefined;
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    if (!this.#isUpgraded) {
      const end = this.#unread.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.#isUpgraded = true;
      this.#unread = this.#unread.subarray(end + 4);
    }
    while (this.#readFrame());
    this.#changed();
  }

  #readFrame(): boolean {
    const bytes = this.#unread;
    if (bytes.length < 2) return false;
    const short = bytes.readUInt8(1);
    const start = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < start) return false;
    const length =
      short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
    if (bytes.length < start + length) return false;
    this.frames.push({ opcode: bytes.readUInt8(0) & 0x0f, payload: bytes.subarray(start, start + length) });
    this.#unread = bytes.subarray(start + length);
    return true;
  }
}
