import type { Clock } from '@callwright/core';
import type { SubscribableMessage } from '@callwright/protocol';
import type { ToolOutcome } from './brain';
import type { CallTotals } from './call-totals';
import type { Conversation } from './conversation';
import type { BotEntry, Transcript } from './transcript';

type WithoutEnvelope<Message> = Message extends SubscribableMessage ? Omit<Message, 'seq' | 't_ms'> : never;

/** A subscribable event, as a dialogue raises it. */
export type DialogueEvent = WithoutEnvelope<SubscribableMessage>;

/** The bot's side of one turn. */
export class BotTurn {
  readonly epoch: number;
  readonly outcomes: ToolOutcome[] = [];
  readonly #abort = new AbortController();
  /** What the bot has to say, as far as it is known. */
  said = '';
  hasSpoken = false;

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cut(): void {
    this.#abort.abort();
  }
}

/** What a {@link BotVoice} is made from. */
export interface BotVoiceParts {
  readonly clock: Clock;
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  readonly totals: CallTotals;
  readonly emit: (event: DialogueEvent) => void;
  /** How long the bot speaks, per character. */
  readonly speechMsPerCharacter: number;
}

/** What is spoken, and what the turn hears of it. */
export interface Utterance {
  readonly source: BotEntry['source'];
  /** When the model's first words came, from the turn's start; undefined for a line of the agent. */
  readonly firstTextMs: number | undefined;
  /** The bot is silent. */
  readonly over: () => void;
}

/** What is said goes to the speech synthesis in sentences. */
const BETWEEN_SENTENCES = /(?<=[.!?])(?=\s+\S)/;

/** Makes the bot's words audible: the events of speech, and the time it takes. */
export class BotVoice {
  readonly #parts: BotVoiceParts;

  constructor(parts: BotVoiceParts) {
    this.#parts = parts;
  }

  /** Speaks what the turn has to say. Resolves when it is spoken or cut. */
  async speak(turn: BotTurn, { source, firstTextMs, over }: Utterance): Promise<void> {
    const { emit, transcript, totals, conversation } = this.#parts;
    const { epoch, said } = turn;
    for (const text of said.split(BETWEEN_SENTENCES)) emit({ type: 'bot.tts_text', epoch, text });
    emit({ type: 'bot.tts_stopped', epoch });
    this.#start(turn, firstTextMs);
    totals.countSpeech(said);
    const entry = transcript.add('bot', {
      source,
      epoch,
      text: said,
      silentAtMs: undefined,
      interrupted: false,
    });
    await this.#time(said, turn.signal);
    entry.interrupted = turn.signal.aborted;
    if (!entry.interrupted) {
      entry.silentAtMs = transcript.nowMs();
      emit({ type: 'turn.bot_ended', epoch });
    }
    conversation.append({ role: 'assistant', text: said });
    // Whoever waits for the bot's silence may speak at once: the turn is over before the entry is settled.
    over();
    transcript.settle(entry);
  }

  /** A few words while a tool takes long: a round of its own in the turn that waits, where there is one. */
  filler(text: string, turn: BotTurn | undefined, newestEpoch: number): void {
    const { emit, transcript } = this.#parts;
    const epoch = turn?.epoch ?? newestEpoch;
    if (turn !== undefined) {
      emit({ type: 'bot.llm_started', epoch });
      emit({ type: 'bot.text', epoch, text });
      emit({ type: 'bot.tts_text', epoch, text });
      this.#start(turn, undefined);
    }
    const silentAtMs = transcript.nowMs();
    transcript.note('bot', { source: 'filler', epoch, text, silentAtMs, interrupted: false });
  }

  /** Once per turn, also when a filler was spoken before the answer. */
  #start(turn: BotTurn, firstTextMs: number | undefined): void {
    if (turn.hasSpoken) return;
    turn.hasSpoken = true;
    const { emit } = this.#parts;
    const { epoch } = turn;
    emit({ type: 'turn.bot_started', epoch });
    const firstText = firstTextMs === undefined ? {} : { llm_ttft_ms: firstTextMs };
    emit({ type: 'turn.metrics', epoch, metrics: { ...firstText, tts_ttfb_ms: 0 } });
  }

  #time(text: string, signal: AbortSignal): Promise<void> {
    const ms = [...text].length * this.#parts.speechMsPerCharacter;
    if (ms === 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#parts.clock.setTimer(resolve, ms);
      const cut = (): void => {
        timer.cancel();
        resolve();
      };
      signal.addEventListener('abort', cut, { once: true });
    });
  }
}
