import type { Class } from './class-types';

/**
 * The events of a call, as handlers receive them. Every class carries its literal `type`, so that two events of
 * the same shape never pass for each other: `@OnEvent(BotText) heard(event: UserText)` does not compile.
 * Field names are camel case; the wire's are in `docs/reference/protocol.md`.
 */

/** The caller began to speak. `epoch` numbers the turn; a barge-in moves the call to a higher one. */
export class TurnUserStarted {
  static readonly type = 'turn.user_started';
  readonly type = 'turn.user_started';
  constructor(readonly epoch: number) {}
}

/** The caller stopped speaking. Comes after the `user.text` of the same turn. */
export class TurnUserEnded {
  static readonly type = 'turn.user_ended';
  readonly type = 'turn.user_ended';
  constructor(readonly epoch: number) {}
}

/** The bot began to speak. */
export class TurnBotStarted {
  static readonly type = 'turn.bot_started';
  readonly type = 'turn.bot_started';
  constructor(readonly epoch: number) {}
}

/** The bot stopped speaking. */
export class TurnBotEnded {
  static readonly type = 'turn.bot_ended';
  readonly type = 'turn.bot_ended';
  constructor(readonly epoch: number) {}
}

/** The caller cut the bot's turn off (barge-in). `epoch` is the new, higher one. */
export class TurnInterrupted {
  static readonly type = 'turn.interrupted';
  readonly type = 'turn.interrupted';
  constructor(readonly epoch: number) {}
}

/** Latencies of one turn in milliseconds; what was not measured is absent. */
export interface TurnLatencies {
  readonly endOfTurnMs?: number | undefined;
  readonly sttFinalMs?: number | undefined;
  readonly llmTtftMs?: number | undefined;
  readonly ttsTtfbMs?: number | undefined;
  readonly responseMs?: number | undefined;
}

/** The latencies of a finished turn. */
export class TurnMetrics {
  static readonly type = 'turn.metrics';
  readonly type = 'turn.metrics';
  constructor(
    readonly epoch: number,
    readonly metrics: TurnLatencies | undefined,
  ) {}
}

/** A piece of speech-to-text; `final` when it will not change any more. */
export class UserTranscript {
  static readonly type = 'user.transcript';
  readonly type = 'user.transcript';
  constructor(
    readonly text: string,
    readonly final: boolean,
  ) {}
}

/** The whole user turn that the language model answers. */
export class UserText {
  static readonly type = 'user.text';
  readonly type = 'user.text';
  constructor(
    readonly epoch: number,
    readonly text: string,
  ) {}
}

/** The language model began a response; a tool loop has several in one turn. */
export class BotLlmStarted {
  static readonly type = 'bot.llm_started';
  readonly type = 'bot.llm_started';
  constructor(readonly epoch: number) {}
}

/** A piece of the bot's text. A line given by `say` is one piece. */
export class BotText {
  static readonly type = 'bot.text';
  readonly type = 'bot.text';
  constructor(
    readonly epoch: number,
    readonly text: string,
  ) {}
}

/** Tokens that one turn's responses used. */
export interface LlmTokens {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** The language model ended; once per turn, with the usage summed. */
export class BotLlmStopped {
  static readonly type = 'bot.llm_stopped';
  readonly type = 'bot.llm_stopped';
  constructor(
    readonly epoch: number,
    readonly usage: LlmTokens | undefined,
  ) {}
}

/** Text whose speech was synthesised. */
export class BotTtsText {
  static readonly type = 'bot.tts_text';
  readonly type = 'bot.tts_text';
  constructor(
    readonly epoch: number,
    readonly text: string,
  ) {}
}

/** Speech synthesis of the turn ended. */
export class BotTtsStopped {
  static readonly type = 'bot.tts_stopped';
  readonly type = 'bot.tts_stopped';
  constructor(readonly epoch: number) {}
}

/** The call's language changed. `from` and `to` are language codes. */
export class LanguageSwitched {
  static readonly type = 'language.switched';
  readonly type = 'language.switched';
  constructor(
    readonly from: string,
    readonly to: string,
  ) {}
}

/** Average and maximum of one latency over a call, in milliseconds. */
export interface LatencySummary {
  readonly avgMs: number;
  readonly maxMs: number;
}

/** Latencies of the whole call, by stage. */
export interface CallLatencies {
  readonly endOfTurn?: LatencySummary | undefined;
  readonly sttFinal?: LatencySummary | undefined;
  readonly llmTtft?: LatencySummary | undefined;
  readonly ttsTtfb?: LatencySummary | undefined;
  readonly response?: LatencySummary | undefined;
}

/** What the call consumed, by stage. */
export interface CallConsumption {
  readonly llm?:
    | (LlmTokens & {
        readonly provider: string;
        readonly model: string;
        readonly responsesWithoutUsage: number;
      })
    | undefined;
  readonly stt?:
    | { readonly provider: string; readonly model: string; readonly audioSeconds: number }
    | undefined;
  readonly tts?:
    | { readonly provider: string; readonly model: string; readonly characters: number }
    | undefined;
}

/** The call's summary; at most once, right before the end. Missing when the link was down then. */
export class CallUsage {
  static readonly type = 'session.usage';
  readonly type = 'session.usage';
  constructor(
    readonly durationMs: number,
    readonly turns: number,
    readonly interruptedTurns: number,
    readonly latency: CallLatencies,
    readonly usage: CallConsumption,
  ) {}
}

/**
 * Why a call ended: `ended_by_agent`, `call_ended` (the caller hung up, or the server ended it), `link_closed` (the
 * link was lost for good), `shutdown` (this process ended it), or another word of the voice server.
 */
export type CallEndReason = 'ended_by_agent' | 'call_ended' | 'link_closed' | 'shutdown' | (string & {});

/** The call ended. Handlers of it run before the `onCallEnd` hooks. */
export class CallEnd {
  static readonly type = 'session.end';
  readonly type = 'session.end';
  constructor(readonly reason: CallEndReason) {}
}

/** The voice server reports a fault of its own, or of something this agent sent (`stage` `agent_link`). */
export class VoiceServerError {
  static readonly type = 'error';
  readonly type = 'error';
  constructor(
    readonly stage: string,
    readonly message: string,
    readonly fatal: boolean,
  ) {}
}

/** Events are missing here: dropped by the voice server, or by a handler that fell too far behind. */
export class EventsLost {
  static readonly type = 'events.lost';
  readonly type = 'events.lost';
  constructor(readonly count: number) {}
}

/** The link came back. Not a message of the wire: it stands after the events queued before the loss. */
export class CallResumed {
  static readonly type = 'session.resumed';
  readonly type = 'session.resumed';
  constructor(
    readonly attempt: number,
    readonly previousSeq: number,
    readonly downMs: number,
    /** The last sequence number this agent read before the loss. */
    readonly seenSeq: number,
  ) {}
}

/** Any event of a call. */
export type CallEvent =
  | TurnUserStarted
  | TurnUserEnded
  | TurnBotStarted
  | TurnBotEnded
  | TurnInterrupted
  | TurnMetrics
  | UserTranscript
  | UserText
  | BotLlmStarted
  | BotText
  | BotLlmStopped
  | BotTtsText
  | BotTtsStopped
  | LanguageSwitched
  | CallUsage
  | CallEnd
  | VoiceServerError
  | EventsLost
  | CallResumed;

/** The wire name of an event, such as `user.text`. */
export type EventType = CallEvent['type'];

/** The event class of a wire name. */
export type EventOf<T extends EventType> = Extract<CallEvent, { readonly type: T }>;

/** A class of events: what `@OnEvent` takes beside names and families. */
export type EventClass<E extends CallEvent = CallEvent> = Class<E> & { readonly type: E['type'] };

/** The events an agent subscribes to; the others in {@link EVENT_CLASSES} always come. */
export const SUBSCRIBABLE_EVENT_CLASSES = [
  TurnUserStarted,
  TurnUserEnded,
  TurnBotStarted,
  TurnBotEnded,
  TurnInterrupted,
  TurnMetrics,
  UserTranscript,
  UserText,
  BotLlmStarted,
  BotText,
  BotLlmStopped,
  BotTtsText,
  BotTtsStopped,
  LanguageSwitched,
] as const;

/** Every event class, by wire name. */
export const EVENT_CLASSES: ReadonlyMap<string, EventClass> = new Map(
  [...SUBSCRIBABLE_EVENT_CLASSES, CallUsage, CallEnd, VoiceServerError, EventsLost, CallResumed].map(
    (eventClass) => [eventClass.type, eventClass as EventClass],
  ),
);

/** The wire names an agent can subscribe to. */
export type SubscribableEventType = (typeof SUBSCRIBABLE_EVENT_CLASSES)[number]['type'];

export const SUBSCRIBABLE_EVENT_TYPES: readonly SubscribableEventType[] = SUBSCRIBABLE_EVENT_CLASSES.map(
  (eventClass) => eventClass.type,
);

/** A family of events, such as `turn.*`: every event whose wire name begins so. */
export type EventFamily = EventType extends infer T
  ? T extends `${infer Head}.${string}`
    ? `${Head}.*`
    : never
  : never;

/** The events of a family. */
export type EventsOfFamily<F extends EventFamily> = F extends `${infer Head}.*`
  ? Extract<CallEvent, { readonly type: `${Head}.${string}` }>
  : never;
