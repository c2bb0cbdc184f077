/**
 * What stands in for the language model. A {@link FakeVoiceServer} asks its brain as a voice server asks a model: once per
 * round, with the conversation so far; the answer is text, or tools to call, or both.
 */

/** Makes one mind per call, so that calls of one server do not share where they are in a script. */
export interface Brain {
  startCall(): Mind;
}

/** The model of one call. */
export interface Mind {
  /**
   * One round. A round that calls tools is followed by another one that has their outcomes.
   * Throwing makes the user's turn fail: a test never goes on with a silent reply.
   */
  respond(request: ModelRequest): ModelReply | Promise<ModelReply>;
}

/** What the model reads in one round. */
export interface ModelRequest {
  /** The user's turn that is being answered. */
  readonly userText: string;
  /** 0 for the first round of a turn. */
  readonly round: number;
  readonly epoch: number;
  readonly systemPrompt: string | undefined;
  /** The conversation, oldest first, tool outcomes and notes included; at most the last 200 messages. */
  readonly messages: readonly ModelMessage[];
  /** The tools that are offered in this turn. */
  readonly tools: readonly OfferedTool[];
  /** What the calls of the round before led to, in the order they were asked for. */
  readonly outcomes: readonly ToolOutcome[];
  /** The newest request that waits for the user's confirmation. */
  readonly pendingConfirmation: string | undefined;
}

/** One message of the conversation, as the model reads it. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** A tool as the model is told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What the model answers. At least one of the two must be there. */
export interface ModelReply {
  readonly say?: string | undefined;
  readonly calls?: readonly ModelCall[] | undefined;
}

/** A tool the model asks for. */
export interface ModelCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * How a tool call ended for the model:
 * `ok`; `failed` (the agent's error, or no link); `timed_out` and `interrupted` (a side effect then runs on);
 * `confirmation_required` (held by the gate); the refusals of the server, which the agent never sees.
 */
export type ToolStatus =
  | 'ok'
  | 'failed'
  | 'timed_out'
  | 'interrupted'
  | 'confirmation_required'
  | 'confirmation_refused'
  | 'invalid_arguments'
  | 'arguments_too_large'
  | 'unknown_tool'
  | 'too_many_calls'
  | 'already_done'
  | 'already_reported'
  | 'duplicate_call'
  | 'budget_exhausted';

/** What one tool call led to. */
export interface ToolOutcome {
  /** The server's name of the call: `t<epoch>.<n>`. */
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: ToolStatus;
  /** What the model reads: the result as text, or an error as JSON. */
  readonly text: string;
  /** The result as the agent sent it; undefined unless `ok`. */
  readonly value: unknown;
}
