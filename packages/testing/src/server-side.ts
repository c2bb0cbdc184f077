import type { Clock, ClockTimer } from '@callwright/core';
import type { AgentMessage, ReviewedAccept } from '@callwright/protocol';
import type { DialogueEvent } from './bot-voice';
import type { Mind } from './brain';
import type { CallRecord } from './call-record';
import { CallTotals } from './call-totals';
import { CommandDesk, type TransferDesk } from './command-desk';
import { Conversation } from './conversation';
import { Dialogue } from './dialogue';
import type { LinkOwner, VoiceLinkParts } from './link-parts';
import { ToolEngine } from './tool-engine';
import { ToolOffer } from './tool-offer';
import { VoiceLink } from './voice-link';

/** What a call of the fake server is made from. */
export interface ServerSideParts {
  readonly clock: Clock;
  readonly mind: Mind;
  readonly speechMsPerCharacter: number;
  readonly transfer: TransferDesk | undefined;
  readonly link: Omit<VoiceLinkParts, 'owner' | 'clock'>;
}

const FILLER_TEXT = 'One moment.';
/** The server gives the tools back a moment after a resumption; a `tools.set` that came before is undone by it. */
const RESTORE_TOOLS_AFTER_MS = 10;

/** The voice server's side of one call: its link, its model, its tools and its command desk, put together. */
export class ServerSide {
  readonly link: VoiceLink;
  readonly offer = new ToolOffer();
  readonly conversation: Conversation;
  readonly engine: ToolEngine;
  readonly dialogue: Dialogue;
  /** Resolves with the reason when the call is over and the link closed. */
  readonly ended: Promise<string>;
  readonly #parts: ServerSideParts;
  readonly #record: CallRecord;
  readonly #desk: CommandDesk;
  readonly #totals = new CallTotals();
  /** Waits while the tools are to be given back. */
  #restore: ClockTimer | undefined;
  #endReason: string | undefined;
  #tellEnded: (reason: string) => void = () => undefined;

  constructor(parts: ServerSideParts, record: CallRecord) {
    this.#parts = parts;
    this.#record = record;
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
    const { clock } = parts;
    const { transcript } = record;
    this.link = new VoiceLink({ ...parts.link, clock, owner: this.#owner() });
    this.conversation = new Conversation(this.offer);
    this.engine = this.#createEngine();
    this.dialogue = new Dialogue({
      ...parts,
      transcript,
      offer: this.offer,
      engine: this.engine,
      conversation: this.conversation,
      totals: this.#totals,
      emit: (event) => this.emit(event),
    });
    this.#desk = this.#createDesk();
  }

  get endReason(): string | undefined {
    return this.#endReason;
  }

  /** Dials, and takes what the agent accepted. What breaks a rule is left out and reported. */
  async open(): Promise<void> {
    const accept = await this.link.open();
    const { transcript } = this.#record;
    transcript.note('link', { what: 'connected', detail: `${accept.tools.length} tools` });
    const problems = [...accept.breaks.map((fault) => fault.message), ...this.offer.take(accept.tools)];
    this.#begin(accept);
    for (const message of problems) {
      this.#record.broke(`session.accept: ${message}`);
      this.#error(message);
    }
  }

  /** Raises an event. */
  emit(event: DialogueEvent): void {
    this.#restoreTools();
    this.link.event(event);
  }

  /** The call is over: the agent is told, and the link closed. A server that shuts down says only `session.end`. */
  async end(reason: string, saysWhatWasUsed: boolean): Promise<void> {
    if (this.#endReason !== undefined) {
      await this.ended;
      return;
    }
    this.#stop(reason);
    if (saysWhatWasUsed) this.engine.calls.hangUp();
    this.dialogue.stop();
    const { transcript } = this.#record;
    const usage = { type: 'session.usage', ...this.#totals.summary(transcript.nowMs()) } as const;
    const end = { type: 'session.end', reason } as const;
    transcript.note('end', { reason });
    await this.link.close(saysWhatWasUsed ? [usage, end] : [end]);
    this.engine.calls.linkLost();
    this.#tellEnded(reason);
  }

  /** The server's process dies. */
  crash(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#stop(reason);
    this.link.noteEnding();
    this.link.cut();
    this.dialogue.stop();
    void this.link.close([]);
    this.#record.transcript.note('end', { reason });
    this.#tellEnded(reason);
  }

  #stop(reason: string): void {
    this.#endReason = reason;
    this.#restore?.cancel();
  }

  #begin(accept: ReviewedAccept): void {
    this.conversation.systemPrompt = accept.system_prompt;
    this.conversation.queue(accept.context.map((message) => ({ kind: 'append', message })));
    if (accept.greeting !== undefined) void this.dialogue.line(accept.greeting, 'greeting', false);
  }

  #createEngine(): ToolEngine {
    const { link } = this;
    return new ToolEngine({
      clock: this.#parts.clock,
      sessionId: this.#parts.link.start.session_id,
      offer: this.offer,
      transcript: this.#record.transcript,
      wire: {
        get isUp() {
          return link.isUp;
        },
        sendToolCall: (call) => link.control({ type: 'tool.call', ...call }),
        sendToolCancel: (id, reason) => {
          link.control({ type: 'tool.cancel', id, reason });
        },
      },
      filler: () => this.dialogue.filler(FILLER_TEXT),
      lateNote: (text) => this.conversation.append({ role: 'system', text }),
    });
  }

  #createDesk(): CommandDesk {
    return new CommandDesk({
      clock: this.#parts.clock,
      dialogue: this.dialogue,
      conversation: this.conversation,
      transfer: this.#parts.transfer,
      transcript: this.#record.transcript,
      answer: (id, error) => {
        this.link.control({ type: 'command.result', id, ok: error === undefined, error });
      },
      eventsWritten: () => this.link.eventsWritten(),
      broke: (rule) => this.#record.broke(rule),
      ending: () => this.link.noteEnding(),
      ended: () => void this.end('ended_by_agent', true),
    });
  }

  #owner(): LinkOwner {
    const { transcript } = this.#record;
    return {
      message: (message) => this.#take(message),
      unreadable: (error) => this.#answerFault('bad_message', error.message, error.commandId),
      unknownType: (type, id) =>
        this.#answerFault('unknown_type', `there is no message type ${JSON.stringify(type)}`, id),
      binary: () => this.#answerFault('bad_message', 'binary frames are not part of the protocol', undefined),
      broke: (rule) => this.#record.broke(rule),
      lost: (reason, willRedial) => {
        transcript.note('link', { what: 'lost', detail: reason });
        this.engine.calls.linkLost();
        if (willRedial) this.#withdrawTools();
      },
      resumed: (attempt) => {
        transcript.note('link', { what: 'resumed', detail: `attempt ${attempt}` });
        this.#restore = this.#parts.clock.setTimer(() => this.#restoreTools(), RESTORE_TOOLS_AFTER_MS);
      },
      gone: (reason) => {
        transcript.note('link', { what: 'gone', detail: reason });
        this.#withdrawTools();
      },
      frame: (from, type, text) => this.#record.frame(from, type, text),
    };
  }

  /** Without the agent the model is offered nothing of the agent's, from its next answer on. */
  #withdrawTools(): void {
    this.conversation.queue([{ kind: 'tools', enabled: [] }]);
  }

  /** All tools are offered again, whatever the agent set before: it has to say so again. */
  #restoreTools(): void {
    if (this.#restore === undefined) return;
    this.#restore.cancel();
    this.#restore = undefined;
    this.conversation.queue([{ kind: 'tools', enabled: null }]);
  }

  #take(message: AgentMessage): void {
    if (this.#endReason !== undefined) return;
    switch (message.type) {
      case 'session.accept':
      case 'session.reject':
        this.#record.broke(`a second ${message.type}`);
        this.#error('not_ready: the handshake is over');
        return;
      case 'tool.result': {
        const fault = this.engine.calls.answer(message.id, message.result, message.error);
        if (fault !== undefined) this.#record.broke(fault);
        return;
      }
      default:
        this.#desk.take(message);
    }
  }

  /** With an id the answer is a result, without one an `error` event. */
  #answerFault(code: 'bad_message' | 'unknown_type', message: string, id: string | undefined): void {
    this.#record.broke(`${code}: ${message}`);
    if (id === undefined) this.#error(`${code}: ${message}`);
    else this.link.control({ type: 'command.result', id, ok: false, error: { code, message } });
  }

  #error(message: string): void {
    this.link.control({ type: 'error', stage: 'agent_link', message, fatal: false });
  }
}
