import type { Clock } from '@callwright/core';
import type { ServerMessageType } from '@callwright/protocol';
import type { DialogueEvent } from './bot-voice';
import type { ModelMessage, OfferedTool, ToolOutcome } from './brain';
import { CallRecord, type WireFrame } from './call-record';
import type { Dialogue, Turn } from './dialogue';
import type { WhileAwaited } from './driven-promise';
import { TestingError, testingErrors } from './errors';
import { ServerSide, type ServerSideParts } from './server-side';
import type { TranscriptEntry } from './transcript';
import { formatTranscript } from './transcript-printer';

/** What a {@link FakeCall} is made from. */
export interface FakeCallParts extends ServerSideParts {
  /** Makes of each promise what moves the clock while it is awaited. */
  readonly whileAwaited: WhileAwaited;
  /** A frame that a voice server refuses fails the test. */
  readonly strict: boolean;
}

const DEFAULT_WAIT_MS = 10_000;
/** To write, to be read, to answer in the agent's own turn of the loop, to be read again; twice. */
const LOOP_TURNS_TO_REACT = 8;

/**
 * A call as a test holds it: what the caller does, what the network does, and what was seen. Made by
 * {@link FakeVoiceServer.call}.
 */
export class FakeCall {
  readonly sessionId: string;
  readonly #clock: Clock;
  readonly #whileAwaited: WhileAwaited;
  readonly #strict: boolean;
  readonly #record: CallRecord;
  readonly #server: ServerSide;

  /** For {@link FakeVoiceServer}; use its `call`. */
  constructor(parts: FakeCallParts) {
    this.#clock = parts.clock;
    this.#whileAwaited = parts.whileAwaited;
    this.#strict = parts.strict;
    this.sessionId = parts.link.start.session_id;
    this.#record = new CallRecord(parts.clock);
    this.#server = new ServerSide(parts, this.#record);
  }

  /** For {@link FakeVoiceServer}: dials, and takes what the agent accepted. */
  open(): Promise<void> {
    return this.#server.open();
  }

  /** Resolves with the reason when the call is over and the link closed. */
  get ended(): Promise<string> {
    return this.#whileAwaited(this.#server.ended);
  }

  /** What happened so far, in order. */
  get transcript(): readonly TranscriptEntry[] {
    return this.#record.transcript.entries;
  }

  /** Every frame of the wire, both ways; at most the first 20,000. */
  get frames(): readonly WireFrame[] {
    return this.#record.frames;
  }

  /** What the agent sent that a voice server refuses, in words. */
  get violations(): readonly string[] {
    return this.#record.violations;
  }

  /** What the model reads at the moment. */
  get messages(): readonly ModelMessage[] {
    return this.#server.conversation.messages;
  }

  /** The tools the model is offered at the moment. */
  get tools(): readonly OfferedTool[] {
    return this.#server.offer.offered();
  }

  /** Whether the link is up. */
  get isLinked(): boolean {
    return this.#server.link.isUp;
  }

  /** Whether the bot is answering or speaking. */
  get isBotBusy(): boolean {
    return this.#server.dialogue.isBusy;
  }

  /** The reason of the call's end, once it has ended. */
  get endReason(): string | undefined {
    return this.#server.endReason;
  }

  /**
   * The user says something; while the bot is busy this is a barge-in. Resolves when the bot has answered and is silent.
   * @param options.spoken adds the events of spoken turns (`turn.user_started`, `user.transcript`, `turn.user_ended`).
   * @throws TestingError what the brain throws, `CW_CALL_OVER`, and `CW_FRAME_REFUSED` on a strict server.
   */
  user(text: string, options: { readonly spoken?: boolean | undefined } = {}): Promise<Turn> {
    const say = async (): Promise<Turn> => {
      const turn = await this.#live().userTurn(text, options.spoken === true);
      await this.#letAgentReact();
      this.requireClean();
      return turn;
    };
    return this.#whileAwaited(say());
  }

  /**
   * Waits for something in the transcript that has happened already or is to come; the first entry that fits is returned. The
   * fields of an entry that is still running may change later.
   * @throws TestingError `CW_CALL_WAITED` after `timeoutMs` on the server's clock, with the call's timeline. Default: 10,000.
   */
  waitFor(fits: (entry: TranscriptEntry) => boolean, timeoutMs = DEFAULT_WAIT_MS): Promise<TranscriptEntry> {
    const there = this.transcript.find(fits);
    if (there !== undefined) return Promise.resolve(there);
    const happened = new Promise<TranscriptEntry>((resolve, reject) => {
      const timer = this.#clock.setTimer(() => {
        stop();
        const timeline = formatTranscript(this.transcript);
        reject(
          new TestingError('CW_CALL_WAITED', `${testingErrors.CW_CALL_WAITED({ timeoutMs })}\n\n${timeline}`),
        );
      }, timeoutMs);
      const stop = this.#record.transcript.onChange((entry) => {
        if (!fits(entry)) return;
        timer.cancel();
        stop();
        resolve(entry);
      });
    });
    return this.#whileAwaited(happened);
  }

  /** Waits until the bot is silent and no line waits: after the greeting, for example. */
  untilSilent(): Promise<void> {
    return this.#whileAwaited(this.#live().silence());
  }

  /**
   * The user begins to speak while the bot answers or speaks. The words come with the next {@link user}.
   * @throws TestingError `CW_CALL_NOTHING_TO_INTERRUPT`
   */
  interrupt(): void {
    if (this.#live().bargeIn()) return;
    throw new TestingError('CW_CALL_NOTHING_TO_INTERRUPT', testingErrors.CW_CALL_NOTHING_TO_INTERRUPT());
  }

  /** The model calls one tool, without words around it. The outcome is what the model reads. */
  tool(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolOutcome> {
    return this.#whileAwaited(this.#aside(name, args, false));
  }

  /**
   * The user agrees to the newest request that waits for a yes, and the model confirms it.
   * @throws TestingError `CW_BRAIN_NOTHING_TO_CONFIRM`
   */
  confirm(): Promise<ToolOutcome> {
    return this.#whileAwaited(this.#confirmNewest());
  }

  async #confirmNewest(): Promise<ToolOutcome> {
    const callId = this.#server.engine.gate.newest;
    if (callId === undefined) {
      throw new TestingError(
        'CW_BRAIN_NOTHING_TO_CONFIRM',
        testingErrors.CW_BRAIN_NOTHING_TO_CONFIRM({ step: 'confirm()' }),
      );
    }
    return this.#aside('confirm_pending', { call_id: callId }, true);
  }

  /** Raises an event as the voice server does, for those that nothing else raises, such as `language.switched`. */
  emit(event: DialogueEvent): void {
    this.#live();
    this.#server.emit(event);
  }

  /** The connection is reset. The server notices at once and redials, if the agent keeps its calls. */
  cut(): void {
    this.#server.link.cut();
  }

  /** The server lost the connection and redials; the agent's end still looks open. */
  halfOpen(): void {
    this.#server.link.halfOpen();
  }

  /** Nothing passes any more and nobody is told: the server notices after 30 to 40 s, the agent by its own ping. */
  silence(): void {
    this.#server.link.silence();
  }

  /** Waits until the link is up again. @throws Error when the server has given up; the message says why. */
  resume(): Promise<void> {
    return this.#whileAwaited(this.#server.link.whenUp());
  }

  /** The next `count` redials fail, as if nobody listened. */
  refuseDials(count: number): void {
    this.#server.link.refuseDials(count);
  }

  /** The next frame of this type is written twice. */
  duplicateNext(type: ServerMessageType): void {
    this.#server.link.faults.duplicateNext(type);
  }

  /** The next `count` frames of this type are lost on the way. */
  drop(type: ServerMessageType, count = 1): void {
    this.#server.link.faults.drop(type, count);
  }

  /** From now on every frame to the agent takes this long, in milliseconds. */
  delay(ms: number): void {
    this.#server.link.faults.delayMs = ms;
  }

  /** Sends any text as a frame: what a voice server would never send. It has no `seq` but its own. */
  sendRaw(text: string): void {
    this.#server.link.sendRaw(text);
  }

  /** Sends a binary frame, which the protocol does not have. */
  sendRawBinary(bytes: Uint8Array): void {
    this.#server.link.sendRawBinary(bytes);
  }

  /** The caller hangs up. Resolves when the link is closed. @throws TestingError `CW_FRAME_REFUSED` on a strict server. */
  hangUp(): Promise<void> {
    return this.#whileAwaited(this.#server.end('call_ended', true).then(() => this.requireClean()));
  }

  /** The server goes down: no `tool.cancel`, no `session.usage`. */
  shutDown(): Promise<void> {
    return this.#whileAwaited(this.#server.end('call_ended', false));
  }

  /** The server's process dies: the connection is reset and nobody redials. */
  crash(): void {
    this.#server.crash('server_crashed');
  }

  /** Hears each transcript entry when it is complete. Returns how to stop. */
  onEntry(listener: (entry: TranscriptEntry) => void): () => void {
    return this.#record.transcript.onSettled(listener);
  }

  /** @throws TestingError `CW_FRAME_REFUSED` when the server is strict and the agent sent what it would refuse. */
  requireClean(): void {
    const [reason] = this.#record.violations;
    if (!this.#strict || reason === undefined) return;
    const timeline = formatTranscript(this.transcript);
    throw new TestingError(
      'CW_FRAME_REFUSED',
      `${testingErrors.CW_FRAME_REFUSED({ reason })}\n\n${timeline}`,
    );
  }

  async #aside(
    name: string,
    args: Readonly<Record<string, unknown>>,
    afterUserTurn: boolean,
  ): Promise<ToolOutcome> {
    const [outcome] = await this.#live().aside([{ name, args }], afterUserTurn);
    await this.#letAgentReact();
    this.requireClean();
    if (outcome === undefined) throw new Error('one call has one outcome');
    return outcome;
  }

  /**
   * What was queued is written, and an agent in this process has had time to answer it: what a test looks at next is there. An
   * agent behind a socket may need longer; `waitFor` is for that.
   */
  async #letAgentReact(): Promise<void> {
    await this.#server.link.eventsWritten();
    for (let turn = 0; turn < LOOP_TURNS_TO_REACT; turn += 1) {
      await new Promise<void>((resolve) => this.#clock.defer(resolve));
    }
  }

  #live(): Dialogue {
    const { dialogue, endReason } = this.#server;
    if (endReason === undefined) return dialogue;
    throw new TestingError('CW_CALL_OVER', testingErrors.CW_CALL_OVER({ reason: endReason }));
  }
}
