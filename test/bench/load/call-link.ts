import { connect, type Socket } from 'node:net';
import { closeFrame, FrameReader, OPCODE, pongFrame, textFrame } from './frames';

/** Generous: an agent that does not answer at all must not hang the bench. */
const ANSWER_BUDGET_MS = 20_000;

/** Reads the text of one message of the agent. */
export type MessageListener = (text: string) => void;

/**
 * One call, spoken as a voice server speaks it: the upgrade, `session.start`, the agent's accept, then whatever the
 * load sends, at last `session.end` and a close with code 1000.
 */
export class CallLink {
  static #opened = 0;

  /** The accept as the agent sent it. */
  readonly accept: string;
  readonly #socket: Socket;
  readonly #startedMs = performance.now();
  #listener: MessageListener = () => undefined;
  #seq = 1;
  #closed = false;
  #corked = false;
  #onClosed: () => void = () => undefined;

  private constructor(socket: Socket, accept: string) {
    this.#socket = socket;
    this.accept = accept;
  }

  /** Opens a call at a port of this machine and waits for its accept. */
  static open(port: number): Promise<CallLink> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      const fail = (why: string): void => {
        clearTimeout(budget);
        socket.destroy();
        reject(new Error(`a call at port ${port} was not accepted: ${why}`));
      };
      const budget = setTimeout(() => fail('no answer'), ANSWER_BUDGET_MS);
      let link: CallLink | undefined;
      const reader = new FrameReader((opcode, payload) => {
        if (link !== undefined) {
          link.#read(opcode, payload);
          return;
        }
        const text = payload.toString('utf8');
        if (opcode === OPCODE.PING) {
          socket.write(pongFrame(payload));
        } else if (opcode !== OPCODE.TEXT || !text.includes('"session.accept"')) {
          fail(text);
        } else {
          clearTimeout(budget);
          link = new CallLink(socket, text);
          resolve(link);
        }
      });
      socket.on('error', (error) => fail(error.message));
      socket.on('close', () => (link === undefined ? fail('the socket was closed') : link.#close()));
      socket.write(upgradeRequest(port));
      readUpgrade(socket, reader, fail, () => socket.write(textFrame(sessionStart(++CallLink.#opened))));
    });
  }

  /** The next number of the call's envelope. */
  nextSeq(): number {
    return ++this.#seq;
  }

  /** Whole milliseconds since the link opened. */
  ageMs(): number {
    return Math.trunc(performance.now() - this.#startedMs);
  }

  onMessage(listener: MessageListener): void {
    this.#listener = listener;
  }

  /** Sends a message; messages of one turn of the loop leave in one write, as a burst of a server arrives. */
  send(text: string): void {
    if (!this.#corked) {
      this.#corked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(textFrame(text));
  }

  /** Sends several messages in one write. */
  sendAll(texts: readonly string[]): void {
    this.#socket.write(Buffer.concat(texts.map(textFrame)));
  }

  /** Ends the call as a server does; resolves when the agent closed its side. */
  end(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onClosed = resolve;
      const end = `{"type":"session.end","seq":${this.nextSeq()},"t_ms":${this.ageMs()},"reason":"call_ended"}`;
      this.#socket.write(Buffer.concat([textFrame(end), closeFrame(1000)]));
    });
  }

  /** A close frame needs no answer: the agent, as the server of the WebSocket, closes the connection. */
  #read(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.TEXT) this.#listener(payload.toString('latin1'));
    else if (opcode === OPCODE.PING) this.#socket.write(pongFrame(payload));
  }

  #close(): void {
    this.#closed = true;
    this.#onClosed();
  }
}

function upgradeRequest(port: number): string {
  return [
    'GET / HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: Y2FsbHdyaWdodC1iZW5jaA==',
    '\r\n',
  ].join('\r\n');
}

/** Reads the answer to the upgrade, then hands every later byte to the frame reader. */
function readUpgrade(
  socket: Socket,
  reader: FrameReader,
  fail: (why: string) => void,
  onUpgraded: () => void,
): void {
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const status = head.toString('latin1', 0, head.indexOf('\r\n'));
    if (!status.startsWith('HTTP/1.1 101')) {
      fail(status);
      return;
    }
    socket.off('data', readHead);
    socket.on('data', (data: Buffer) => reader.push(data));
    onUpgraded();
    if (end + 4 < head.length) reader.push(head.subarray(end + 4));
  };
  socket.on('data', readHead);
}

/** The first message of a call. The carrier's id differs per call: an equal one would end the older call. */
function sessionStart(number: number): string {
  return JSON.stringify({
    type: 'session.start',
    seq: 1,
    t_ms: 0,
    protocol: 'brisvox.agent',
    versions: [1],
    session_id: String(number),
    agent: 'bench',
    capabilities: { transfer: false, tools: true },
    call: {
      carrier: 'twilio',
      carrier_call_id: `CA${String(number).padStart(32, '0')}`,
      from: '+390612345678',
      to: '+390687654321',
    },
  });
}
