import { WebSocket } from 'ws';
import type { Sequence } from './sequence';

type Message = Readonly<Record<string, unknown>>;

/** What an agent made of a sequence. */
export interface Transcript {
  /** The type and code of the answer to the first message; undefined when it closed without one. */
  readonly opening: string | undefined;
  readonly accept: Message | undefined;
  /** The code it closed with before it was asked to; undefined when the link stayed. */
  readonly closeCode: number | undefined;
  /** Everything that came for a tool call, by its id. */
  readonly results: ReadonlyMap<number, readonly Message[]>;
  readonly commands: readonly Message[];
  readonly resumptions: readonly string[];
  /** What the agent says of the call at the end. */
  readonly state: Message | undefined;
}

/** Ids of questions after the sequence. */
const firstQuestionId = 900_000;
const answerLimitMs = 4_000;
const stateTries = 4;
const stateStepMs = 30;

/** Plays a sequence to the agent at `url`, as a voice server that answers every command with ok. */
export async function play(
  url: string,
  sequence: Sequence,
  isSettled: (state: Message) => boolean,
): Promise<Transcript> {
  const call = new PlayedCall(url, sequence);
  try {
    return await call.play(isSettled);
  } finally {
    call.hangUp();
  }
}

class PlayedCall {
  readonly #url: string;
  readonly #sequence: Sequence;
  readonly #messages: Message[] = [];
  readonly #resumptions: string[] = [];
  #socket: WebSocket | undefined;
  #closeCode: number | undefined;
  #changed: () => void = () => undefined;
  #questions = 0;

  constructor(url: string, sequence: Sequence) {
    this.#url = url;
    this.#sequence = sequence;
  }

  async play(isSettled: (state: Message) => boolean): Promise<Transcript> {
    await this.#connect();
    this.#socket?.send(this.#sequence.first);
    await this.#until(() => this.#messages.length > 0);
    const opening = this.#messages[0];
    const isAccepted = opening?.type === 'session.accept';
    if (isAccepted) for (const step of this.#sequence.steps) await this.#take(step);
    else await this.#until(() => false);
    const state = isAccepted ? await this.#settledState(isSettled) : undefined;
    return {
      opening: opening && `${String(opening.type)} ${String(opening.code ?? '')}`,
      accept: isAccepted ? opening : undefined,
      closeCode: this.#closeCode,
      results: this.#results(),
      commands: this.#messages.filter(({ type }) => isCommand(type)),
      resumptions: this.#resumptions,
      state,
    };
  }

  hangUp(): void {
    if (this.#isOpen)
      this.#socket?.send('{"type":"session.end","seq":100000,"t_ms":1,"reason":"call_ended"}');
    this.#socket?.close(1000);
  }

  get #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  async #take(step: Sequence['steps'][number]): Promise<void> {
    if (!this.#isOpen) return;
    if ('send' in step) this.#socket?.send(step.send);
    else if ('binary' in step) this.#socket?.send(Buffer.alloc(step.binary));
    else await this.#resume(step.resume);
  }

  async #resume({ seq, previousSeq }: { readonly seq: number; readonly previousSeq: number }): Promise<void> {
    // What was sent before must have been answered: a reset would overtake it.
    await this.#ask('slow_lookup', { ms: stateStepMs });
    if (!this.#isOpen) return;
    const lost = this.#socket;
    const closed = new Promise((resolve) => lost?.once('close', resolve));
    lost?.terminate();
    await closed;
    this.#closeCode = undefined;
    // A server waits before it comes back; so long the agents need to notice the loss.
    await new Promise((resolve) => setTimeout(resolve, stateStepMs));
    await this.#connect();
    const count = this.#messages.length;
    const resume = { attempt: 1, previous_seq: previousSeq, down_ms: stateStepMs };
    this.#socket?.send(JSON.stringify({ ...JSON.parse(this.#sequence.first), seq, t_ms: seq, resume }));
    const isAnswer = ({ type }: Message): boolean => String(type).startsWith('session.');
    await this.#until(() => this.#messages.slice(count).some(isAnswer));
    const { type, version, resume: isKept, code } = this.#messages.slice(count).find(isAnswer) ?? {};
    this.#resumptions.push(JSON.stringify({ type, version, isKept, code }));
  }

  async #settledState(isSettled: (state: Message) => boolean): Promise<Message | undefined> {
    let state: Message | undefined;
    // What is slow on purpose ends first.
    await this.#ask('slow_lookup', { ms: stateStepMs });
    for (let count = 0; count < stateTries && this.#isOpen; count += 1) {
      const answer = await this.#ask('state', {});
      state = typeof answer?.result === 'object' ? (answer.result as Message) : undefined;
      if (state && isSettled(state)) return state;
      await new Promise((resolve) => setTimeout(resolve, stateStepMs));
    }
    return state;
  }

  async #ask(name: string, args: Message): Promise<Message | undefined> {
    this.#questions += 1;
    const id = firstQuestionId + this.#questions;
    const isAnswer = (message: Message): boolean => message.type === 'tool.result' && message.id === id;
    this.#socket?.send(
      JSON.stringify({
        type: 'tool.call',
        seq: 1,
        t_ms: 1,
        id,
        call_id: `q${id}`,
        name,
        arguments: args,
        kind: 'read_only',
        epoch: 1,
        idempotency_key: String(id).padStart(16, '0'),
        timeout_ms: 5_000,
      }),
    );
    await this.#until(() => this.#messages.some(isAnswer));
    return this.#messages.find(isAnswer);
  }

  #connect(): Promise<void> {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.on('message', (data) => this.#hear(JSON.parse(data.toString())));
    socket.on('close', (code) => {
      if (this.#socket === socket) this.#closeCode = code;
      this.#changed();
    });
    return new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.on('error', reject);
    });
  }

  #hear(message: Message): void {
    this.#messages.push(message);
    if (isCommand(message.type) && message.id !== undefined) {
      this.#socket?.send(
        JSON.stringify({ type: 'command.result', seq: 1, t_ms: 1, id: message.id, ok: true }),
      );
    }
    this.#changed();
  }

  /** Waits until it is so, the link is closed, or nothing comes any more. */
  async #until(isSo: () => boolean): Promise<void> {
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      this.#changed();
    }, answerLimitMs);
    while (!isSo() && this.#closeCode === undefined && !isLate) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    clearTimeout(limit);
  }

  #results(): ReadonlyMap<number, readonly Message[]> {
    const results = new Map<number, Message[]>();
    for (const message of this.#messages) {
      const id = Number(message.id);
      if (message.type !== 'tool.result' || id >= firstQuestionId) continue;
      results.set(id, [...(results.get(id) ?? []), message]);
    }
    return results;
  }
}

function isCommand(type: unknown): boolean {
  return (
    type === 'say' ||
    type === 'end' ||
    type === 'context.update' ||
    type === 'tools.set' ||
    type === 'transfer'
  );
}
