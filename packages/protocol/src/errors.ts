/** Every error of this package: code, and the message made from details that never come out of a frame. */
export const protocolErrors = {
  CW_FRAME_UNREADABLE: ({ what, why }: ErrorDetails): string => `${what} cannot be read: ${why}.`,
  CW_FRAME_TOO_LARGE: ({ what, why }: ErrorDetails): string => `${what} is too large: ${why}.`,
  CW_FIELD_INVALID: ({ what, why }: ErrorDetails): string => `${what} cannot be sent: ${why}.`,
  CW_FIELD_TOO_MANY: ({ what, why }: ErrorDetails): string => `${what} has too many items: ${why}.`,
  CW_TOKEN_OPTION_INVALID: ({ what, why }: ErrorDetails): string =>
    `A session token cannot be minted: ${what} ${why}.`,
} as const;

/** What a message of {@link protocolErrors} is made from. */
export interface ErrorDetails {
  /** The message or field, by its name on the wire. */
  readonly what: string;
  /** The rule it breaks; bounds and field names, never a value out of a frame. */
  readonly why: string;
}

/** A code of {@link protocolErrors}. */
export type ProtocolErrorEntry = keyof typeof protocolErrors;

/** The wire's own code for each entry. */
const wireCodes = {
  CW_FRAME_UNREADABLE: 'bad_message',
  CW_FRAME_TOO_LARGE: 'too_large',
  CW_FIELD_INVALID: 'invalid_argument',
  CW_FIELD_TOO_MANY: 'too_large',
  CW_TOKEN_OPTION_INVALID: 'invalid_argument',
} as const;

/** What an unreadable message still told about itself, so that it can be answered. */
export interface FrameTraces {
  /** The id of an unreadable `tool.call`: answer it with an error result. */
  readonly toolCallId?: number | undefined;
  /** The id of an unreadable command: the server answers `bad_message` to it. */
  readonly commandId?: string | undefined;
}

/**
 * The only thing that parsing and building throw. `code` is the wire's own code; `entry` is the code of the error's
 * page. The message holds names and bounds, never a value out of a frame, so it may be logged.
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly entry: ProtocolErrorEntry;
  readonly code: 'bad_message' | 'too_large' | 'invalid_argument';
  readonly #traces: FrameTraces;

  constructor(entry: ProtocolErrorEntry, details: ErrorDetails, traces: FrameTraces = {}) {
    super(`${protocolErrors[entry](details)} [${entry}]`);
    this.entry = entry;
    this.code = wireCodes[entry];
    this.#traces = traces;
  }

  /** The id of the unreadable `tool.call`, when it had a usable one: answer it with an error result. */
  get toolCallId(): number | undefined {
    return this.#traces.toolCallId;
  }

  /** The id of the unreadable command, when it had one: a server answers it with `bad_message`. */
  get commandId(): string | undefined {
    return this.#traces.commandId;
  }
}
