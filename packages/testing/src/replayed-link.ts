import type { Application } from '@callwright/gateway';
import { applicationTransport } from './memory-application';
import type { JsonObject } from './recording';
import type { Connection, FrameReceiver, Transport } from './transport';
import type { VirtualClock } from './virtual-clock';

/** How long the agent may take to answer a start. */
const ANSWER_PATIENCE_MS = 5_000;
/** Time passes in such steps while something is waited for. */
const STEP_MS = 20;

/** The voice server's end of a replayed call: sends frames as they are, and keeps what the agent sends. */
export class ReplayedLink {
  readonly #transport: Transport;
  readonly #clock: VirtualClock;
  readonly #results = new Set<unknown>();
  readonly #commands = new Map<string, JsonObject[]>();
  #connection: Connection | undefined;
  #isAnswered = false;
  #isRefused = false;
  #lastSeq = 0;
  #lastStampMs = 0;

  readonly #isAnsweredThen: (type: string, index: number) => boolean;

  /** @param isAnsweredThen whether the recording says what the command of this type and number got; others succeed at once */
  constructor(
    application: Application,
    clock: VirtualClock,
    isAnsweredThen: (type: string, index: number) => boolean,
  ) {
    this.#transport = applicationTransport(application, { clock });
    this.#clock = clock;
    this.#isAnsweredThen = isAnsweredThen;
  }

  /** The agent does not take the call, or not any more: there is nobody to go on with. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Opens a connection, sends a start, and waits for the answer. */
  async dial(start: JsonObject): Promise<void> {
    this.#isAnswered = false;
    this.#connection = await this.#clock.runUntil(this.#transport.dial(this.#receiver()));
    this.send(start);
    await this.until(() => this.#isAnswered, ANSWER_PATIENCE_MS);
    if (!this.#isAnswered) this.#isRefused = true;
  }

  send(frame: JsonObject): void {
    const { seq, t_ms: stampMs } = frame;
    if (typeof seq === 'number') this.#lastSeq = seq;
    if (typeof stampMs === 'number') this.#lastStampMs = stampMs;
    this.#connection?.sendText(JSON.stringify(frame));
  }

  cut(): void {
    this.#connection?.terminate();
  }

  close(): void {
    this.#connection?.close(1000, '');
  }

  hasResult(id: unknown): boolean {
    return this.#results.has(id);
  }

  /** The agent's command of this type by its number, from 0. */
  command(type: string, index: number): JsonObject | undefined {
    return this.#commands.get(type)?.[index];
  }

  /** Lets time pass until it is so, at most so long. */
  async until(isSo: () => boolean, patienceMs: number): Promise<void> {
    const untilMs = this.#clock.nowMs() + patienceMs;
    await this.#clock.settle();
    if (!isSo()) await this.#clock.advance(0); // what is due now
    while (!isSo() && !this.#isRefused && this.#clock.nowMs() < untilMs) await this.#clock.advance(STEP_MS);
  }

  #receiver(): FrameReceiver {
    return {
      text: (text) => this.#hear(text),
      binary: () => undefined,
      ping: () => undefined,
      pong: () => undefined,
      closed: () => undefined,
    };
  }

  #hear(text: string): void {
    const frame: JsonObject = JSON.parse(text); // the agent's own frames are JSON objects
    switch (frame.type) {
      case 'session.accept':
        this.#isAnswered = true;
        return;
      case 'session.reject':
        this.#isAnswered = true;
        this.#isRefused = true;
        return;
      case 'tool.result':
        this.#results.add(frame.id);
        return;
      default:
        this.#hearCommand(String(frame.type), frame);
    }
  }

  #hearCommand(type: string, frame: JsonObject): void {
    const commands = this.#commands.get(type) ?? [];
    this.#commands.set(type, commands);
    commands.push(frame);
    const { id } = frame;
    if (id === undefined || this.#isAnsweredThen(type, commands.length - 1)) return;
    // It has the number of the frame before it: the recorded ones that follow keep theirs.
    this.send({ type: 'command.result', id, ok: true, seq: this.#lastSeq, t_ms: this.#lastStampMs });
  }
}
