import { setMaxListeners } from 'node:events';
import type { Clock } from '@callwright/core';
import { BotTurn, BotVoice, type DialogueEvent } from './bot-voice';
import type { Mind, ModelCall, ModelReply, ToolOutcome } from './brain';
import { type CallTotals, usageOf } from './call-totals';
import type { Conversation } from './conversation';
import { TestingError, testingErrors } from './errors';
import type { ToolEngine } from './tool-engine';
import type { ToolOffer } from './tool-offer';
import type { BotEntry, Transcript } from './transcript';

/** What one user turn led to. */
export interface Turn {
  readonly epoch: number;
  /** What the bot said; what it had begun to say, when it was interrupted. */
  readonly said: string;
  readonly outcomes: readonly ToolOutcome[];
  /** True when the user spoke again before the bot was done, or the call ended. */
  readonly interrupted: boolean;
}

/** What a {@link Dialogue} is made from. */
export interface DialogueParts {
  readonly clock: Clock;
  readonly mind: Mind;
  readonly offer: ToolOffer;
  readonly engine: ToolEngine;
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  readonly totals: CallTotals;
  readonly emit: (event: DialogueEvent) => void;
  /** How long the bot speaks, per character. */
  readonly speechMsPerCharacter: number;
}

/** A line of the agent that waits to be spoken. */
interface Line {
  readonly text: string;
  readonly source: 'greeting' | 'say' | 'farewell';
  readonly over: () => void;
}

const MAX_HELD_LINES = 8;
const MAX_TOOL_ROUNDS = 6;
const MAX_LISTENERS = 64;
/**
 * Who speaks when: user turns, answers of the model, lines of the agent, barge-ins. One bot turn at a time; a new user turn
 * cuts the one that runs.
 */
export class Dialogue {
  readonly #parts: DialogueParts;
  readonly #voice: BotVoice;
  #newestEpoch = -1;
  #current: BotTurn | undefined;
  /** Rounds of tools that a test started beside the turns. */
  readonly #asides = new Set<AbortController>();
  readonly #lines: Line[] = [];
  /** The epoch of a barge-in that has no words yet. */
  #openBargeIn: number | undefined;
  #silent: (() => void)[] = [];
  #isOver = false;

  constructor(parts: DialogueParts) {
    this.#parts = parts;
    this.#voice = new BotVoice(parts);
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** A turn of the user; cuts what the bot is doing. Resolves when the bot fell silent, or was cut. */
  userTurn(text: string, spoken: boolean): Promise<Turn> {
    const { emit, engine, transcript, conversation } = this.#parts;
    const epoch = this.#openBargeIn ?? this.#takeTurn();
    this.#openBargeIn = undefined;
    if (spoken) {
      emit({ type: 'turn.user_started', epoch });
      emit({ type: 'user.transcript', text, final: true });
    }
    emit({ type: 'user.text', epoch, text });
    if (spoken) emit({ type: 'turn.user_ended', epoch });
    engine.gate.noteUserTurn();
    transcript.note('user', { text, epoch });
    conversation.applyEdits();
    conversation.append({ role: 'user', text });
    return this.#answer(epoch, text);
  }

  /** The user speaks while the bot is busy, without words yet. False when the bot was not busy. */
  bargeIn(): boolean {
    if (this.#current === undefined && this.#asides.size === 0) return false;
    const epoch = this.#nextEpoch();
    this.#cut(epoch);
    this.#openBargeIn = epoch;
    return true;
  }

  /** One round of tools that the test asks for itself, in a turn of its own. */
  async aside(calls: readonly ModelCall[], afterUserTurn: boolean): Promise<readonly ToolOutcome[]> {
    if (afterUserTurn) this.#parts.engine.gate.noteUserTurn();
    const abort = new AbortController();
    this.#asides.add(abort);
    try {
      return await this.#parts.engine.run(calls, roundsOf(this.#nextEpoch(), abort.signal));
    } finally {
      this.#asides.delete(abort);
    }
  }

  /**
   * Queues a line of the agent. At most 8 wait, newer ones are dropped without a word. An interrupting line drops those that
   * wait and cuts the bot. Resolves when the line was spoken, cut or dropped.
   */
  line(text: string, source: Line['source'], interrupt: boolean): Promise<void> {
    if (interrupt) {
      for (const dropped of this.#lines.splice(0)) dropped.over();
      if (this.#current !== undefined) this.#openBargeIn = this.#cutForLine();
    }
    return new Promise((over) => {
      if (this.#lines.length >= MAX_HELD_LINES) over();
      else this.#lines.push({ text, source, over });
      this.#speakNextLine();
    });
  }

  /** Resolves when the bot is silent and no line waits. */
  silence(): Promise<void> {
    if (!this.isBusy) return Promise.resolve();
    return new Promise((resolve) => this.#silent.push(resolve));
  }

  /** The call is over: what runs ends as interrupted. */
  stop(): void {
    this.#isOver = true;
    for (const line of this.#lines.splice(0)) line.over();
    this.#current?.cut();
    for (const aside of this.#asides) aside.abort();
    this.#tellSilent();
  }

  async #answer(epoch: number, userText: string): Promise<Turn> {
    const turn = this.#open(epoch);
    const cut = new Promise<void>((resolve) => {
      turn.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const answered = this.#playRounds(turn, userText).finally(() => this.#close(turn));
    await Promise.race([answered, cut]);
    answered.catch(() => undefined);
    return { epoch, said: turn.said, outcomes: turn.outcomes, interrupted: turn.signal.aborted };
  }

  /** Rounds of the model until it asks for no more tools, then the speech. */
  async #playRounds(turn: BotTurn, userText: string): Promise<void> {
    const { engine, totals, emit, clock } = this.#parts;
    const startMs = clock.nowMs();
    const rounds = roundsOf(turn.epoch, turn.signal);
    let outcomes: readonly ToolOutcome[] = [];
    for (let round = 0; ; round += 1) {
      emit({ type: 'bot.llm_started', epoch: turn.epoch });
      totals.countRound();
      const reply = await this.#ask(userText, round, turn.epoch, outcomes);
      if (turn.signal.aborted) return;
      if (reply.say !== undefined) this.#write(turn, reply.say, clock.nowMs() - startMs);
      const { calls } = reply;
      if (calls === undefined || calls.length === 0) {
        emit({ type: 'bot.llm_stopped', epoch: turn.epoch, usage: usageOf(round + 1) });
        break;
      }
      if (round > MAX_TOOL_ROUNDS) throw testingError('CW_BRAIN_ENDLESS_ROUNDS', { rounds: round });
      outcomes =
        round === MAX_TOOL_ROUNDS ? engine.refuseRound(calls, rounds) : await engine.run(calls, rounds);
      if (turn.signal.aborted) return;
      turn.outcomes.push(...outcomes);
      for (const { text } of outcomes) this.#parts.conversation.append({ role: 'tool', text });
    }
    await this.#speak(turn, 'model', clock.nowMs() - startMs);
  }

  async #ask(
    userText: string,
    round: number,
    epoch: number,
    outcomes: readonly ToolOutcome[],
  ): Promise<ModelReply> {
    const { mind, offer, conversation, engine } = this.#parts;
    engine.noteReported();
    const reply = await mind.respond({
      userText,
      round,
      epoch,
      outcomes,
      systemPrompt: conversation.systemPrompt,
      messages: conversation.messages,
      tools: offer.offered(),
      pendingConfirmation: engine.gate.newest,
    });
    const isSilent = (reply.say ?? '').trim() === '' && (reply.calls ?? []).length === 0;
    if (isSilent) throw testingError('CW_BRAIN_SILENT', { text: userText });
    return reply;
  }

  /** The model's words, as deltas of one word each. */
  #write(turn: BotTurn, text: string, firstTextMs: number): void {
    if (turn.said === '') this.#parts.totals.countFirstText(firstTextMs);
    for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
      this.#parts.emit({ type: 'bot.text', epoch: turn.epoch, text: word });
    }
    turn.said += text;
  }

  /** What the bot says while a tool takes long. */
  filler(text: string): void {
    this.#voice.filler(text, this.#current, this.#newestEpoch);
  }

  #speak(turn: BotTurn, source: BotEntry['source'], firstTextMs: number | undefined): Promise<void> {
    return this.#voice.speak(turn, { source, firstTextMs, over: () => this.#close(turn) });
  }

  #speakNextLine(): void {
    if (this.#isOver || this.#current !== undefined) return;
    const line = this.#lines.shift();
    if (line === undefined) {
      this.#tellSilent();
      return;
    }
    // A line that cut the bot speaks in the turn of the cut.
    const epoch = this.#openBargeIn ?? this.#nextEpoch();
    this.#openBargeIn = undefined;
    const turn = this.#open(epoch);
    turn.said = line.text;
    const { emit } = this.#parts;
    emit({ type: 'bot.llm_started', epoch });
    emit({ type: 'bot.text', epoch, text: line.text });
    emit({ type: 'bot.llm_stopped', epoch });
    void this.#speak(turn, line.source, undefined).then(line.over);
  }

  /** The epoch of a new user turn; what the bot is doing is cut. */
  #takeTurn(): number {
    const epoch = this.#nextEpoch();
    if (this.#current !== undefined) this.#cut(epoch);
    return epoch;
  }

  #cutForLine(): number {
    const epoch = this.#nextEpoch();
    this.#cut(epoch);
    return epoch;
  }

  #cut(epoch: number): void {
    this.#parts.engine.gate.clear();
    this.#parts.totals.countInterruption();
    const turn = this.#current;
    this.#current = undefined;
    turn?.cut();
    for (const aside of this.#asides) aside.abort();
    this.#parts.emit({ type: 'turn.interrupted', epoch });
  }

  #open(epoch: number): BotTurn {
    const turn = new BotTurn(epoch);
    this.#current = turn;
    this.#parts.totals.countTurn();
    return turn;
  }

  #close(turn: BotTurn): void {
    if (this.#current !== turn) return;
    this.#current = undefined;
    this.#speakNextLine();
  }

  #tellSilent(): void {
    for (const resolve of this.#silent.splice(0)) resolve();
  }

  /** The first turn of a call is 0, whoever speaks in it. */
  #nextEpoch(): number {
    this.#newestEpoch += 1;
    return this.#newestEpoch;
  }
}

function roundsOf(epoch: number, signal: AbortSignal): Parameters<ToolEngine['run']>[1] {
  // Each tool call of a round listens, and a response may carry 32.
  setMaxListeners(MAX_LISTENERS, signal);
  let callNumber = 0;
  return { epoch, signal, nextCallNumber: () => callNumber++, malformed: { count: 0 } };
}

function testingError<Code extends 'CW_BRAIN_SILENT' | 'CW_BRAIN_ENDLESS_ROUNDS'>(
  code: Code,
  details: Parameters<(typeof testingErrors)[Code]>[0],
): TestingError {
  // The table's functions differ in their details; the signature ties code and details together.
  const message = testingErrors[code] as (details: never) => string;
  return new TestingError(code, message(details as never));
}
