import {
  buildAccept,
  parseServerMessage,
  type ServerMessage,
  type SubscribableEventName,
  type ToolDeclaration,
} from '@callwright/protocol';
import { WebSocketServer } from 'ws';
import type { Connection, FrameReceiver } from './transport';

/** What a tiny agent does with a tool call: a value is its result, a thrown error's message its error. */
export type TinyTool = (args: Readonly<Record<string, unknown>>) => unknown;

export interface TinyAgentOptions {
  readonly tools?: readonly ToolDeclaration[];
  readonly run?: Readonly<Record<string, TinyTool>>;
  readonly greeting?: string;
  readonly events?: readonly SubscribableEventName[];
  readonly resume?: true;
  /** Sent instead of an accept; undefined text sends nothing. */
  readonly answer?: (start: ServerMessage) => string | undefined;
}

/** An agent without any of our runtime, so that the fake server is judged by something else. */
export class TinyAgent {
  readonly options: TinyAgentOptions;
  readonly heard: ServerMessage[] = [];
  readonly closes: number[] = [];
  readonly starts: ServerMessage[] = [];
  #connection: Connection | undefined;
  #onMessage: ((message: ServerMessage) => void) | undefined;

  constructor(options: TinyAgentOptions = {}) {
    this.options = options;
  }

  /** For `memoryTransport`. */
  readonly accept = (peer: Connection & { listen(receiver: FrameReceiver): void }): void => {
    peer.listen(this.receiver(peer));
  };

  onMessage(listener: (message: ServerMessage) => void): void {
    this.#onMessage = listener;
  }

  heardOf<Type extends ServerMessage['type']>(type: Type): (ServerMessage & { readonly type: Type })[] {
    return this.heard.filter(
      (message): message is ServerMessage & { readonly type: Type } => message.type === type,
    );
  }

  send(message: Readonly<Record<string, unknown>>): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    this.#connection?.sendText(text);
  }

  get connection(): Connection {
    if (this.#connection === undefined) throw new Error('nobody has called yet');
    return this.#connection;
  }

  receiver(connection: Connection): FrameReceiver {
    this.#connection = connection;
    return {
      text: (text) => {
        const message = parseServerMessage(text);
        if (message.type !== 'unknown') this.#take(message, connection);
      },
      binary: () => undefined,
      ping: () => undefined,
      pong: () => undefined,
      closed: (code) => this.closes.push(code),
    };
  }

  #take(message: ServerMessage, connection: Connection): void {
    this.heard.push(message);
    if (message.type === 'session.start') {
      this.starts.push(message);
      const { answer, tools, greeting, events, resume } = this.options;
      const accept = (): string => buildAccept({ version: 1, tools, greeting, events, resume });
      const text = answer === undefined ? accept() : answer(message);
      if (text !== undefined) connection.sendText(text);
    }
    if (message.type === 'tool.call') void this.#run(message);
    this.#onMessage?.(message);
  }

  async #run(call: Extract<ServerMessage, { type: 'tool.call' }>): Promise<void> {
    const tool = this.options.run?.[call.name];
    if (tool === undefined) return;
    try {
      this.send({ type: 'tool.result', id: call.id, result: await tool(call.arguments) });
    } catch (error) {
      this.send({ type: 'tool.result', id: call.id, error: (error as Error).message });
    }
  }
}

/** Serves a tiny agent on a free port of the loopback. */
export async function serveTinyAgent(agent: TinyAgent): Promise<{ url: string; close(): Promise<void> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket) => {
    const receiver = agent.receiver({
      sendText: (text) => socket.send(text),
      sendBinary: (bytes) => socket.send(bytes),
      ping: () => socket.ping(),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
      freeze: () => socket.pause(),
    });
    socket.on('message', (data) => receiver.text(String(data)));
    socket.on('close', (code) => receiver.closed(code, ''));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `ws://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
}

/** A tool declaration with the parts a test does not care about. */
export function tool(name: string, more: Partial<ToolDeclaration> = {}): ToolDeclaration {
  return {
    name,
    description: `The tool ${name}.`,
    parameters: { type: 'object', properties: {}, additionalProperties: true },
    kind: 'read_only',
    ...more,
  };
}
