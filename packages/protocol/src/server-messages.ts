import type { ErrorCode, SubscribableEventName } from './vocabulary';

/**
 * What the voice server sends, as typed messages. Names are those of the wire. An optional member is undefined
 * when the wire did not carry it or carried something malformed. Integers are from 0 to 2^53 - 1.
 */

/** What every server message carries; undefined when the wire did not say, which a first message never is. */
export interface Envelope {
  /** 1 for the first `session.start`, one more for each message the server writes in the call. */
  readonly seq?: number | undefined;
  /** Milliseconds since the call's link first opened, by the server's clock. */
  readonly t_ms?: number | undefined;
}

/** What the server can do for a call. */
export interface Capabilities {
  readonly transfer: boolean;
  readonly tools: boolean;
}

/** Present in a `session.start` that takes up a call whose link was lost (protocol section 6). */
export interface ResumeInfo {
  readonly attempt: number;
  readonly previous_seq: number;
  readonly down_ms: number;
}

/** Who calls. `from` and `to` are personal data: never log them. */
export interface CallIdentity {
  readonly carrier: 'twilio' | 'telnyx' | 'sip' | (string & {});
  /** The CallSid, `call_control_id` or SIP `Call-ID`. */
  readonly carrier_call_id: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** True when the server withheld `from` and `to`. */
  readonly pii_redacted: boolean;
}

/** The first message on every connection (protocol section 2). */
export interface SessionStartMessage {
  readonly type: 'session.start';
  readonly seq: number;
  readonly t_ms: number;
  readonly protocol: string;
  readonly versions: readonly number[];
  /** A counter of the server's process, not unique. */
  readonly session_id: string;
  readonly agent: string;
  readonly capabilities: Capabilities;
  readonly resume?: ResumeInfo | undefined;
  readonly call?: CallIdentity | undefined;
}

/** The events that say a turn began, ended, or was cut, and nothing else. */
export interface TurnMessage extends Envelope {
  readonly type:
    | 'turn.user_started'
    | 'turn.user_ended'
    | 'turn.bot_started'
    | 'turn.bot_ended'
    | 'turn.interrupted';
  readonly epoch: number;
}

/** Latencies of one turn, in milliseconds. */
export interface TurnMetrics {
  readonly end_of_turn_ms?: number | undefined;
  readonly stt_final_ms?: number | undefined;
  readonly llm_ttft_ms?: number | undefined;
  readonly tts_ttfb_ms?: number | undefined;
  readonly response_ms?: number | undefined;
}

/** The latencies of a turn. */
export interface TurnMetricsMessage extends Envelope {
  readonly type: 'turn.metrics';
  readonly epoch: number;
  readonly metrics?: TurnMetrics | undefined;
}

/** A transcript of the user's speech, still changing until `final`. */
export interface UserTranscriptMessage extends Envelope {
  readonly type: 'user.transcript';
  readonly text: string;
  readonly final: boolean;
}

/** `user.text` is the whole user turn the model answers, `bot.text` a delta, `bot.tts_text` what is spoken. */
export interface TextMessage extends Envelope {
  readonly type: 'user.text' | 'bot.text' | 'bot.tts_text';
  readonly epoch: number;
  readonly text: string;
}

/** The bot's model began a round, or its speech is complete. */
export interface BotPhaseMessage extends Envelope {
  readonly type: 'bot.llm_started' | 'bot.tts_stopped';
  readonly epoch: number;
}

/** Tokens of a model. */
export interface TokenUsage {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
}

/** The bot's model is done with the turn; usage is summed over its rounds. */
export interface BotLlmStoppedMessage extends Envelope {
  readonly type: 'bot.llm_stopped';
  readonly epoch: number;
  readonly usage?: TokenUsage | undefined;
}

/** Language codes before and after. */
export interface LanguageSwitchedMessage extends Envelope {
  readonly type: 'language.switched';
  readonly from: string;
  readonly to: string;
}

/** One stage's latency over the whole call, in milliseconds. */
export interface StageLatency {
  readonly avg_ms: number;
  readonly max_ms: number;
}

/** The latencies of a call, by stage. */
export interface LatencySummary {
  readonly end_of_turn?: StageLatency | undefined;
  readonly stt_final?: StageLatency | undefined;
  readonly llm_ttft?: StageLatency | undefined;
  readonly tts_ttfb?: StageLatency | undefined;
  readonly response?: StageLatency | undefined;
}

/** What the model used in a call. */
export interface LlmUsage extends TokenUsage {
  readonly provider: string;
  readonly model: string;
  readonly responses_without_usage: number;
}

/** What speech recognition used in a call. */
export interface SttUsage {
  readonly provider: string;
  readonly model: string;
  readonly audio_seconds: number;
}

/** What speech synthesis used in a call. */
export interface TtsUsage {
  readonly provider: string;
  readonly model: string;
  readonly characters: number;
}

/** What a call used, by provider. */
export interface UsageSummary {
  readonly llm?: LlmUsage | undefined;
  readonly stt?: SttUsage | undefined;
  readonly tts?: TtsUsage | undefined;
}

/** Once, right before `session.end`; missing when the link was down then. */
export interface SessionUsageMessage extends Envelope {
  readonly type: 'session.usage';
  readonly duration_ms: number;
  readonly turns: number;
  readonly interrupted_turns: number;
  readonly latency?: LatencySummary | undefined;
  readonly usage?: UsageSummary | undefined;
}

/** The last message of a call. */
export interface SessionEndMessage extends Envelope {
  readonly type: 'session.end';
  readonly reason: 'call_ended' | 'ended_by_agent' | (string & {});
}

/** Something went wrong on the server; `message` may quote what a peer said. */
export interface ErrorMessage extends Envelope {
  readonly type: 'error';
  readonly stage: string;
  readonly message: string;
  readonly fatal: boolean;
}

/** The server dropped `count` events since the last one it sent. */
export interface EventsLostMessage extends Envelope {
  readonly type: 'events.lost';
  readonly count: number;
}

/** Whether a tool only reads, or changes something. */
export type ToolKind = 'read_only' | 'side_effect';

/** The model asks for a tool (protocol section 4). */
export interface ToolCallMessage extends Envelope {
  readonly type: 'tool.call';
  /** Counts over the whole call; the one thing that ties a result to its call. */
  readonly id: number;
  /** The server's own name of this tool call, unique in the call. */
  readonly call_id: string;
  readonly name: string;
  /** As JSON.parse made it: an own `__proto__` key is a plain key in here. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  readonly epoch: number;
  /** Unique inside one call only. */
  readonly idempotency_key: string;
  readonly timeout_ms: number;
}

/** The server stopped waiting for a tool (protocol section 4). */
export interface ToolCancelMessage extends Envelope {
  readonly type: 'tool.cancel';
  readonly id: number;
  readonly reason: 'interrupted' | 'timeout' | 'abandoned' | (string & {});
}

/** Why a command failed. */
export interface CommandFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The answer to a command that carried an id (protocol section 5). */
export interface CommandResultMessage extends Envelope {
  readonly type: 'command.result';
  readonly id: string;
  readonly ok: boolean;
  readonly error?: CommandFailure | undefined;
}

/** A message of a type that version 1 does not have: for a debug line, then forgotten. */
export interface UnknownMessage extends Envelope {
  readonly type: 'unknown';
  /** The type on the wire. It comes from outside: cut it before it goes anywhere. */
  readonly wire_type: string;
}

/** The events that a subscription chooses from. */
export type SubscribableMessage =
  | TurnMessage
  | TurnMetricsMessage
  | UserTranscriptMessage
  | TextMessage
  | BotPhaseMessage
  | BotLlmStoppedMessage
  | LanguageSwitchedMessage;

/** Everything the server sends. */
export type ServerMessage =
  | SessionStartMessage
  | SubscribableMessage
  | SessionUsageMessage
  | SessionEndMessage
  | ErrorMessage
  | EventsLostMessage
  | ToolCallMessage
  | ToolCancelMessage
  | CommandResultMessage;

/** The `type` of a server message. */
export type ServerMessageType = ServerMessage['type'];

/** Fails to compile when the list of event names and the typed messages differ. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const namesMatchTypes: Same<SubscribableMessage['type'], SubscribableEventName> = true;
void namesMatchTypes;
