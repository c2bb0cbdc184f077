import type { ToolKind } from './server-messages';

/** What the agent sends, as typed messages. Names are those of the wire. */

/** A tool as an accept declares it (protocol section 2). */
export interface ToolDeclaration {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`; not `confirm_pending`. */
  readonly name: string;
  /** Not blank; at most 4,096 bytes. */
  readonly description: string;
  /** A JSON Schema whose own `type` is `object`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  /** 1 to 30,000; the server's default is 5,000. */
  readonly timeout_ms?: number | undefined;
  /** 0 means never; the server's default is 700. */
  readonly filler_after_ms?: number | undefined;
  /** Only for `side_effect`. */
  readonly confirm?: boolean | undefined;
  /** Only for `side_effect`. */
  readonly repeatable?: boolean | undefined;
}

/** Who says a line of the conversation. */
export type ContextRole = 'system' | 'user' | 'assistant';

/** One line of the conversation given to the model. */
export interface ContextMessage {
  readonly role: ContextRole;
  /** Not blank; at most 65,536 bytes. */
  readonly text: string;
}

/** The agent takes the call (protocol section 2). */
export interface SessionAcceptMessage {
  readonly type: 'session.accept';
  readonly version: number;
  /** At most 64. */
  readonly tools?: readonly ToolDeclaration[] | undefined;
  /** At most 65,536 bytes. Blank counts as absent. */
  readonly system_prompt?: string | undefined;
  /** At most 32. */
  readonly context?: readonly ContextMessage[] | undefined;
  /** At most 4,096 bytes. Blank counts as absent. */
  readonly greeting?: string | undefined;
  /** Absent: every event. Empty: none. */
  readonly events?: readonly string[] | undefined;
  /** The agent keeps the call's state when the link is lost. */
  readonly resume?: boolean | undefined;
}

/** The agent does not take the call. */
export interface SessionRejectMessage {
  readonly type: 'session.reject';
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The answer to a `tool.call`; `error` wins over `result`, and without both the result is null. */
export interface ToolResultMessage {
  readonly type: 'tool.result';
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string | undefined;
}

/** What every command may carry. */
export interface CommandEnvelope {
  /** 1 to 64 bytes. With it the server answers with a `command.result`. */
  readonly id?: string | undefined;
  /** The `seq` of the event this reacts to. */
  readonly re?: number | undefined;
}

/** Says a line. */
export interface SayMessage extends CommandEnvelope {
  readonly type: 'say';
  /** Not blank; at most 4,096 bytes. */
  readonly text: string;
  /** Cuts a running response, never the user. */
  readonly interrupt?: boolean | undefined;
}

/** Ends the call, after a farewell if there is one. */
export interface EndMessage extends CommandEnvelope {
  readonly type: 'end';
  /** The farewell: not blank, at most 4,096 bytes. */
  readonly say?: string | undefined;
  /** At most 512 bytes. */
  readonly reason?: string | undefined;
}

/** Transfers the call to a phone number. */
export interface TransferMessage extends CommandEnvelope {
  readonly type: 'transfer';
  /** E.164: `+` and 8 to 15 digits, the first not 0. */
  readonly destination: string;
  readonly mode?: 'cold' | 'warm' | undefined;
  /** At most 512 bytes. */
  readonly summary?: string | undefined;
  /** At most 512 bytes. */
  readonly reason?: string | undefined;
}

/** Changes what the model knows, from its next response on. */
export interface ContextUpdateMessage extends CommandEnvelope {
  readonly type: 'context.update';
  /** Not blank; at most 65,536 bytes. */
  readonly system_prompt?: string | undefined;
  /** At most 32. */
  readonly append?: readonly ContextMessage[] | undefined;
}

/** Chooses the tools the model is offered, from its next response on. */
export interface ToolsSetMessage extends CommandEnvelope {
  readonly type: 'tools.set';
  /** At most 256 names; null means all. */
  readonly enabled: readonly string[] | null;
}

/** The five commands. */
export type CommandMessage =
  | SayMessage
  | EndMessage
  | TransferMessage
  | ContextUpdateMessage
  | ToolsSetMessage;

/** Everything the agent sends. */
export type AgentMessage = SessionAcceptMessage | SessionRejectMessage | ToolResultMessage | CommandMessage;

/** The `type` of an agent message. */
export type AgentMessageType = AgentMessage['type'];
