import type { Clock, ClockTimer } from '@callwright/core';
import type { AgentMessage, ProtocolError, ReviewedAccept, ServerMessageType } from '@callwright/protocol';
import type { Mind, ModelMessage, OfferedTool, ToolOutcome } from './brain';
import { CallTotals } from './call-totals';
import { CommandDesk, type TransferDesk } from './command-desk';
import { Conversation } from './conversation';
import { Dialogue, type DialogueEvent, type Turn } from './dialogue';
import { TestingError, testingErrors } from './errors';
import type { VoiceLinkParts } from './link-parts';
import { ToolEngine } from './tool-engine';
import { ToolOffer } from './tool-offer';
import { Transcript, type TranscriptEntry } from './transcript';
import { formatTranscript } from './transcript-printer';
import { VoiceLink } from './voice-link';

/** One frame as it passed the wire. */
export interface WireFrame {
  /** Milliseconds since the call's start. */
  readonly atMs: number;
  readonly from: 'server' | 'agent';
  /** The message's type; `unreadable`, `raw` or `handshake` where it has none. */
  readonly type: string;
  readonly text: string;
}

/** What a {@link FakeCall} is made from. */
export interface FakeCallParts {
  readonly clock: Clock;
  readonly mind: Mind;
  readonly strict: boolean;
  readonly speechMsPerCharacter: number;
  readonly transfer: TransferDesk | undefined;
  readonly link: Omit<VoiceLinkParts, 'owner' | 'clock'>;
}

const MAX_FRAMES = 20_000;
const DEFAULT_WAIT_MS = 10_000;
/** To write, to be read, to answer in the agent's own turn of the loop, to be read again; twice. */
const LOOP_TURNS_TO_REACT = 8;
const FILLER_TEXT = 'One moment.';
/** The server gives the tools back a moment after a resumption; a `tools.set` that came before is undone by it. */
const RESTORE_TOOLS_AFTER_MS = 10;

/**
 * A call as a test holds it: what the caller does, what the network does, and what was seen. Made by
 * {@link FakeVoiceServer.call}.
 */
export class FakeCall {
  readonly sessionId: string;
  readonly #parts: FakeCallParts;
  readonly #transcript: Transcript;
  readonly #link: VoiceLink;
  readonly #offer = new ToolOffer();
  readonly #totals = new CallTotals();
  readonly #frames: WireFrame[] = [];
  readonly #violations: string[] = [];
  #dialogue: Dialogue | undefined;
  #engine: ToolEngine | undefined;
  #desk: CommandDesk | undefined;
  #conversation: Conversation | undefined;
  /** Waits while the tools are to be given back. */
  #restore: ClockTimer | undefined;
  #endReason: string | undefined;
  #tellEnded: (reason: string) => void = () => undefined;
  /** Resolves with the reason when the call is over and the link closed. */
  readonly ended: Promise<string>;

  /** For {@link FakeVoiceServer}; use its `call`. */
  constructor(parts: FakeCallParts) {
    this.#parts = parts;
    this.sessionId = parts.link.start.session_id;
    this.#transcript = new Transcript(parts.clock);
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
    this.#link = new VoiceLink({ ...parts.link, clock: parts.clock, owner: this.#owner() });
  }

  /** For {@link FakeVoiceServer}: dials, and takes what the agent accepted. */
  async open(): Promise<void> {
    const accept = await this.#link.open();
    this.#transcript.note('link', { what: 'connected', detail: `${accept.tools.length} tools` });
    const problems = [...accept.breaks.map((fault) => fault.message), ...this.#offer.take(accept.tools)];
    this.#begin(accept);
    for (const message of problems) {
      this.#broke(`session.accept: ${message}`);
      this.#error(message);
    }
  }

  /** What happened so far, in order. */
  get transcript(): readonly TranscriptEntry[] {
    return this.#transcript.entries;
  }

  /** Every frame of the wire, both ways; at most the first 20,000. */
  get frames(): readonly WireFrame[] {
    return this.#frames;
  }

  /** What the agent sent that a voice server refuses, in words. */
  get violations(): readonly string[] {
    return this.#violations;
  }

  /** What the model reads at the moment. */
  get messages(): readonly ModelMessage[] {
    return this.#conversation?.messages ?? [];
  }

  /** The tools the model is offered at the moment. */
  get tools(): readonly OfferedTool[] {
    return this.#offer.offered();
  }

  /** Whether the link is up. */
  get isLinked(): boolean {
    return this.#link.isUp;
  }

  /** Whether the bot is answering or speaking. */
  get isBotBusy(): boolean {
    return this.#dialogue?.isBusy ?? false;
  }

  /** The reason of the call's end, once it has ended. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  /**
   * The user says something; while the bot is busy this is a barge-in. Resolves when the bot has answered and is silent.
   * @param options.spoken adds the events of spoken turns (`turn.user_started`, `user.transcript`, `turn.user_ended`).
   * @throws TestingError what the brain throws, `CW_CALL_OVER`, and `CW_FRAME_REFUSED` on a strict server.
   */
  async user(text: string, options: { readonly spoken?: boolean | undefined } = {}): Promise<Turn> {
    const turn = await this.#live().userTurn(text, options.spoken === true);
    await this.#letAgentReact();
    this.requireClean();
    return turn;
  }

  /**
   * Waits for something in the transcript that has happened already or is to come; the first entry that fits is returned. The
   * fields of an entry that is still running may change later.
   * @throws TestingError `CW_CALL_WAITED` after `timeoutMs` on the server's clock, with the call's timeline. Default: 10,000.
   */
  waitFor(fits: (entry: TranscriptEntry) => boolean, timeoutMs = DEFAULT_WAIT_MS): Promise<TranscriptEntry> {
    const there = this.transcript.find(fits);
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const timer = this.#parts.clock.setTimer(() => {
        stop();
        const timeline = formatTranscript(this.transcript);
        reject(
          new TestingError('CW_CALL_WAITED', `${testingErrors.CW_CALL_WAITED({ timeoutMs })}\n\n${timeline}`),
        );
      }, timeoutMs);
      const stop = this.#transcript.onChange((entry) => {
        if (!fits(entry)) return;
        timer.cancel();
        stop();
        resolve(entry);
      });
    });
  }

  /** Waits until the bot is silent and no line waits: after the greeting, for example. */
  untilSilent(): Promise<void> {
    return this.#live().silence();
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
  async tool(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolOutcome> {
    return this.#aside(name, args, false);
  }

  /**
   * The user agrees to the newest request that waits for a yes, and the model confirms it.
   * @throws TestingError `CW_BRAIN_NOTHING_TO_CONFIRM`
   */
  async confirm(): Promise<ToolOutcome> {
    const callId = this.#engine?.gate.newest;
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
    this.#emit(event);
  }

  /** The connection is reset. The server notices at once and redials, if the agent keeps its calls. */
  cut(): void {
    this.#link.cut();
  }

  /** The server lost the connection and redials; the agent's end still looks open. */
  halfOpen(): void {
    this.#link.halfOpen();
  }

  /** Nothing passes any more and nobody is told: the server notices after 30 to 40 s, the agent by its own ping. */
  silence(): void {
    this.#link.silence();
  }

  /** Waits until the link is up again. @throws Error when the server has given up; the message says why. */
  resume(): Promise<void> {
    return this.#link.whenUp();
  }

  /** The next `count` redials fail, as if nobody listened. */
  refuseDials(count: number): void {
    this.#link.refuseDials(count);
  }

  /** The next frame of this type is written twice. */
  duplicateNext(type: ServerMessageType): void {
    this.#link.faults.duplicateNext(type);
  }

  /** The next `count` frames of this type are lost on the way. */
  drop(type: ServerMessageType, count = 1): void {
    this.#link.faults.drop(type, count);
  }

  /** From now on every frame to the agent takes this long, in milliseconds. */
  delay(ms: number): void {
    this.#link.faults.delayMs = ms;
  }

  /** Sends any text as a frame: what a voice server would never send. It has no `seq` but its own. */
  sendRaw(text: string): void {
    this.#link.sendRaw(text);
  }

  /** Sends a binary frame, which the protocol does not have. */
  sendRawBinary(bytes: Uint8Array): void {
    this.#link.sendRawBinary(bytes);
  }

  /** The caller hangs up. Resolves when the link is closed. @throws TestingError `CW_FRAME_REFUSED` on a strict server. */
  async hangUp(): Promise<void> {
    await this.#end('call_ended', true);
    this.requireClean();
  }

  /** The server goes down: no `tool.cancel`, no `session.usage`. */
  async shutDown(): Promise<void> {
    await this.#end('call_ended', false);
  }

  /** The server's process dies: the connection is reset and nobody redials. */
  crash(): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = 'server_crashed';
    this.#link.noteEnding();
    this.#link.cut();
    this.#dialogue?.stop();
    void this.#link.close([]);
    this.#transcript.note('end', { reason: 'server_crashed' });
    this.#tellEnded('server_crashed');
  }

  /** Hears each transcript entry when it is complete. Returns how to stop. */
  onEntry(listener: (entry: TranscriptEntry) => void): () => void {
    return this.#transcript.onSettled(listener);
  }

  /** @throws TestingError `CW_FRAME_REFUSED` when the server is strict and the agent sent what it would refuse. */
  requireClean(): void {
    const [reason] = this.#violations;
    if (!this.#parts.strict || reason === undefined) return;
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
    await this.#link.eventsWritten();
    for (let turn = 0; turn < LOOP_TURNS_TO_REACT; turn += 1) {
      await new Promise<void>((resolve) => this.#parts.clock.defer(resolve));
    }
  }

  #live(): Dialogue {
    if (this.#dialogue !== undefined && this.#endReason === undefined) return this.#dialogue;
    throw new TestingError('CW_CALL_OVER', testingErrors.CW_CALL_OVER({ reason: this.#endReason }));
  }

  #begin(accept: ReviewedAccept): void {
    const { clock, mind, speechMsPerCharacter, transfer } = this.#parts;
    const conversation = new Conversation(this.#offer, accept.system_prompt);
    conversation.queue(accept.context.map((message) => ({ kind: 'append', message })));
    const engine = new ToolEngine({
      clock,
      sessionId: this.sessionId,
      offer: this.#offer,
      transcript: this.#transcript,
      wire: this.#toolWire(),
      filler: () => this.#dialogue?.filler(FILLER_TEXT),
      lateNote: (text) => conversation.append({ role: 'system', text }),
    });
    const dialogue = new Dialogue({
      clock,
      mind,
      engine,
      conversation,
      speechMsPerCharacter,
      offer: this.#offer,
      transcript: this.#transcript,
      totals: this.#totals,
      emit: (event) => this.#emit(event),
    });
    this.#desk = new CommandDesk({
      clock,
      dialogue,
      conversation,
      transfer,
      transcript: this.#transcript,
      answer: (id, error) => {
        this.#link.control({ type: 'command.result', id, ok: error === undefined, error });
      },
      eventsWritten: () => this.#link.eventsWritten(),
      broke: (rule) => this.#broke(rule),
      ending: () => this.#link.noteEnding(),
      ended: () => void this.#end('ended_by_agent', true),
    });
    this.#conversation = conversation;
    this.#engine = engine;
    this.#dialogue = dialogue;
    if (accept.greeting !== undefined) void dialogue.line(accept.greeting, 'greeting', false);
  }

  #toolWire(): ConstructorParameters<typeof ToolEngine>[0]['wire'] {
    const link = this.#link;
    return {
      get isUp() {
        return link.isUp;
      },
      sendToolCall: (call) => link.control({ type: 'tool.call', ...call }),
      sendToolCancel: (id, reason) => {
        link.control({ type: 'tool.cancel', id, reason });
      },
    };
  }

  #emit(event: DialogueEvent): void {
    this.#restoreTools();
    this.#link.event(event);
  }

  #owner(): VoiceLinkParts['owner'] {
    return {
      message: (message) => this.#take(message),
      unreadable: (error) => this.#refuse(error),
      unknownType: (wireType, id) =>
        this.#answerFault('unknown_type', `there is no message type ${JSON.stringify(wireType)}`, id),
      binary: () => this.#answerFault('bad_message', 'binary frames are not part of the protocol', undefined),
      broke: (rule) => this.#broke(rule),
      lost: (reason, willRedial) => {
        this.#transcript.note('link', { what: 'lost', detail: reason });
        this.#engine?.calls.linkLost();
        // Without the agent the model is offered nothing of the agent's, from its next answer on.
        if (willRedial) this.#conversation?.queue([{ kind: 'tools', enabled: [] }]);
      },
      resumed: (attempt) => {
        this.#transcript.note('link', { what: 'resumed', detail: `attempt ${attempt}` });
        this.#restore = this.#parts.clock.setTimer(() => this.#restoreTools(), RESTORE_TOOLS_AFTER_MS);
      },
      gone: (reason) => {
        this.#transcript.note('link', { what: 'gone', detail: reason });
        this.#conversation?.queue([{ kind: 'tools', enabled: [] }]);
      },
      frame: (from, type, text) => {
        if (this.#frames.length < MAX_FRAMES)
          this.#frames.push({ atMs: this.#transcript.nowMs(), from, type, text });
      },
    };
  }

  /** All tools are offered again, whatever the agent set before: it has to say so again. */
  #restoreTools(): void {
    if (this.#restore === undefined) return;
    this.#restore.cancel();
    this.#restore = undefined;
    this.#conversation?.queue([{ kind: 'tools', enabled: null }]);
  }

  #take(message: AgentMessage): void {
    if (this.#endReason !== undefined) return;
    switch (message.type) {
      case 'session.accept':
      case 'session.reject':
        this.#broke(`a second ${message.type}`);
        this.#error('not_ready: the handshake is over');
        return;
      case 'tool.result': {
        const fault = this.#engine?.calls.answer(message.id, message.result, message.error);
        if (fault !== undefined) this.#broke(fault);
        return;
      }
      default:
        this.#desk?.take(message);
    }
  }

  #refuse(error: ProtocolError): void {
    this.#answerFault('bad_message', error.message, error.commandId);
  }

  /** With an id the answer is a result, without one an `error` event. */
  #answerFault(code: 'bad_message' | 'unknown_type', message: string, id: string | undefined): void {
    this.#broke(`${code}: ${message}`);
    if (id === undefined) this.#error(`${code}: ${message}`);
    else this.#link.control({ type: 'command.result', id, ok: false, error: { code, message } });
  }

  #error(message: string): void {
    this.#link.control({ type: 'error', stage: 'agent_link', message, fatal: false });
  }

  #broke(rule: string): void {
    this.#violations.push(rule);
    this.#transcript.note('refused', { reason: rule });
  }

  async #end(reason: string, saysWhatWasUsed: boolean): Promise<void> {
    if (this.#endReason !== undefined) {
      await this.ended;
      return;
    }
    this.#endReason = reason;
    this.#restore?.cancel();
    if (saysWhatWasUsed) this.#engine?.calls.hangUp();
    this.#dialogue?.stop();
    const usage = { type: 'session.usage', ...this.#totals.summary(this.#transcript.nowMs()) } as const;
    const end = { type: 'session.end', reason } as const;
    this.#transcript.note('end', { reason });
    await this.#link.close(saysWhatWasUsed ? [usage, end] : [end]);
    this.#engine?.calls.linkLost();
    this.#tellEnded(reason);
  }
}
