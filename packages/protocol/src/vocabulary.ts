/** The fixed words of the wire: its name, its versions, the event names, the codes. */

/** What `session.start` carries as `protocol`. */
export const PROTOCOL_NAME = 'brisvox.agent';

/** The versions of the protocol this package speaks, highest first. */
export const PROTOCOL_VERSIONS: readonly number[] = Object.freeze([1]);

/** The events an accept may subscribe to (protocol section 3). */
export const SUBSCRIBABLE_EVENTS = Object.freeze([
  'turn.user_started',
  'turn.user_ended',
  'turn.bot_started',
  'turn.bot_ended',
  'turn.interrupted',
  'turn.metrics',
  'user.transcript',
  'user.text',
  'bot.llm_started',
  'bot.text',
  'bot.llm_stopped',
  'bot.tts_text',
  'bot.tts_stopped',
  'language.switched',
] as const);

/** The name of an event that an accept may subscribe to. */
export type SubscribableEventName = (typeof SUBSCRIBABLE_EVENTS)[number];

/** The types the server sends whatever the subscription says. */
export const ALWAYS_SENT_TYPES = Object.freeze([
  'session.usage',
  'session.end',
  'error',
  'events.lost',
  'tool.call',
  'tool.cancel',
  'command.result',
] as const);

/** The types of the agent's commands. */
export const COMMAND_TYPES = Object.freeze([
  'say',
  'end',
  'transfer',
  'context.update',
  'tools.set',
] as const);

/** The type of a command. */
export type CommandType = (typeof COMMAND_TYPES)[number];

/** The name the server keeps for its own confirmation tool. */
export const RESERVED_TOOL_NAME = 'confirm_pending';

/** The error codes of version 1. */
export const ERROR_CODES = Object.freeze([
  'bad_message',
  'unknown_type',
  'invalid_argument',
  'too_large',
  'queue_full',
  'unsupported',
  'call_ended',
  'not_ready',
  'rejected',
  'unavailable',
  'outcome_unknown',
  'unsupported_version',
  'unknown_session',
] as const);

/** An error code of version 1. */
export type KnownErrorCode = (typeof ERROR_CODES)[number];

/** An error code as it may come: the known ones, or any other string. */
export type ErrorCode = KnownErrorCode | (string & {});

/** The codes of a `session.reject` that have a meaning of their own (protocol section 2). */
export const REJECT_CODES = Object.freeze(['unsupported_version', 'unavailable', 'unknown_session'] as const);

/** WebSocket close codes, by what they say on this wire (protocol section 2). */
export const CLOSE_CODES = Object.freeze({
  /** A call that ended, or a rejected one. */
  normal: 1000,
  /** This process ends; the server may redial. */
  goingAway: 1001,
  /** The first message was unreadable, of another type, or of another protocol. */
  protocolError: 1002,
  /** No `session.start` came in time. */
  policyViolation: 1008,
});

const subscribable: ReadonlySet<string> = new Set(SUBSCRIBABLE_EVENTS);

/** Whether `name` is an event an accept may subscribe to. */
export function isSubscribableEvent(name: string): name is SubscribableEventName {
  return subscribable.has(name);
}

/**
 * The highest version that both sides speak, or undefined when there is none.
 * @example
 * import { highestCommonVersion } from '@callwright/protocol';
 * highestCommonVersion([1, 2]); // 1
 */
export function highestCommonVersion(offered: readonly number[]): number | undefined {
  return PROTOCOL_VERSIONS.find((version) => offered.includes(version));
}
