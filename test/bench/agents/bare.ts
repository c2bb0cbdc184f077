/**
 * The hand-written agent: ws, JSON.parse and a switch. It checks nothing. With the argument `corked` it also collects
 * the writes of one turn of the loop, which is the best a hand-written agent does.
 */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type BookTableArguments, book, bookTableDeclaration, SAY_TEXT, SYSTEM_PROMPT } from './booking';
import { announceListening } from './listening';

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly id: number;
  readonly name: string;
  readonly text: string;
  readonly arguments: BookTableArguments;
}

const corked = process.argv.includes('corked');

const ACCEPT = JSON.stringify({
  type: 'session.accept',
  version: 1,
  tools: [bookTableDeclaration],
  system_prompt: SYSTEM_PROMPT,
  events: ['bot.text', 'user.text'],
});

class Session {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  #heardCharacters = 0;
  #uncorks = false;

  constructor(webSocket: WebSocket, socket: Socket) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    webSocket.on('message', (data: Buffer) => this.#read(JSON.parse(data.toString()) as Message));
    webSocket.on('error', () => undefined);
  }

  #read(message: Message): void {
    switch (message.type) {
      case 'tool.call':
        this.#runTool(message);
        break;
      case 'bot.text':
        this.#heardCharacters += message.text.length;
        break;
      case 'user.text':
        this.#heardCharacters = 0;
        this.#send(JSON.stringify({ type: 'say', text: SAY_TEXT, re: message.seq }));
        break;
      case 'session.start':
        this.#send(ACCEPT);
        break;
    }
  }

  #runTool(message: Message): void {
    const answer =
      message.name === 'book_table'
        ? { type: 'tool.result', id: message.id, result: book(message.arguments) }
        : { type: 'tool.result', id: message.id, error: `unknown tool "${message.name}"` };
    this.#send(JSON.stringify(answer));
  }

  #send(text: string): void {
    if (corked && !this.#uncorks) {
      this.#uncorks = true;
      this.#socket.cork();
      setImmediate(() => {
        this.#uncorks = false;
        this.#socket.uncork();
      });
    }
    this.#webSocket.send(text);
  }
}

const server = createServer();
const webSockets = new WebSocketServer({ server, clientTracking: false, perMessageDeflate: false });
webSockets.on('connection', (webSocket, request) => new Session(webSocket, request.socket));
server.listen(0, '127.0.0.1', 4_096, () => announceListening((server.address() as AddressInfo).port));
process.once('SIGTERM', () => process.exit(0));
