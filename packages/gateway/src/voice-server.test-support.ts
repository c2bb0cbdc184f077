import { WebSocket } from 'ws';

type Message = Readonly<Record<string, unknown>>;

/** The voice server's end of one call, as small as these tests need it: it numbers messages and waits for answers. */
export class VoiceServerClient {
  readonly received: Message[] = [];
  readonly whenClosed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly socket: WebSocket;
  #seq = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      this.received.push(JSON.parse(data.toString()));
      for (const check of this.#waiting) check();
    });
    this.whenClosed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  static async connect(url: string, headers: Record<string, string> = {}): Promise<VoiceServerClient> {
    const client = new VoiceServerClient(new WebSocket(url, { headers }));
    await new Promise((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('error', reject);
    });
    return client;
  }

  /** A connection whose call was accepted. */
  static async call(url: string, start: Message = {}): Promise<VoiceServerClient> {
    const client = await VoiceServerClient.connect(url);
    client.start(start);
    await client.next((message) => message.type === 'session.accept');
    return client;
  }

  start(fields: Message = {}): this {
    return this.send({
      type: 'session.start',
      protocol: 'brisvox.agent',
      versions: [1],
      session_id: '1',
      agent: 'any',
      capabilities: { transfer: true, tools: true },
      ...fields,
    });
  }

  toolCall(id: number, name: string, args: Message = {}, fields: Message = {}): this {
    return this.send({
      type: 'tool.call',
      id,
      call_id: `t1.${id}`,
      name,
      arguments: args,
      kind: 'read_only',
      epoch: 1,
      idempotency_key: id.toString(16).padStart(16, '0'),
      timeout_ms: 5_000,
      ...fields,
    });
  }

  /** The last number used. */
  get seq(): number {
    return this.#seq;
  }

  /** Opens another link for this call, as after a loss. */
  async redial(
    url: string,
    fields: Message = {},
    attempt = 1,
    headers: Record<string, string> = {},
  ): Promise<VoiceServerClient> {
    const client = await VoiceServerClient.connect(url, headers);
    client.#seq = this.#seq + attempt - 1;
    client.start({
      resume: { attempt, previous_seq: this.#seq, down_ms: 100 },
      t_ms: this.#seq * 10 + 100,
      ...fields,
    });
    return client;
  }

  /** Sends a message with the next sequence number. */
  send(message: Message): this {
    this.#seq += 1;
    this.socket.send(JSON.stringify({ seq: this.#seq, t_ms: this.#seq * 10, ...message }));
    return this;
  }

  /** The first message received, now or later, that matches. */
  next(matches: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.received.find(matches);
        if (found === undefined) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  result(id: number): Promise<Message> {
    return this.next((message) => message.type === 'tool.result' && message.id === id);
  }
}
