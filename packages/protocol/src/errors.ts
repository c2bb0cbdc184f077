/** Every error of this package: code, and the message made from details that never come out of a frame. */
export const protocolErrors = {
  CW_WIRE_UNREADABLE: ({ what, why }: ErrorDetails): string =>
    `${what} cannot be read: ${why}.\nThe sender breaks version 1 of the protocol; drop the frame and go on.`,
  CW_WIRE_TOO_LARGE: ({ what, why }: ErrorDetails): string =>
    `${what} is too large: ${why}.\nMake it smaller; the other side would drop the link over it.`,
  CW_WIRE_INVALID: ({ what, why }: ErrorDetails): string =>
    `${what} cannot be sent: it ${why}.\nNothing was sent. Mend the value and send again.`,
  CW_WIRE_TOO_MANY: ({ what, why }: ErrorDetails): string =>
    `${what} cannot be sent: ${why}.\nNothing was sent. Send fewer, or spread them over several messages.`,
  CW_SESSION_TOKEN_OPTION: ({ what, why }: ErrorDetails): string =>
    `A session token cannot be minted: ${what} ${why}.\nNo token was made. Mend the option.`,
} as const;

/** What a message of {@link protocolErrors} is made from. */
export interface ErrorDetails {
  /** The message, field or option, by its own name. */
  readonly what: string;
  /** The rule it breaks: bounds and names, never a value out of a frame. */
  readonly why: string;
}

/** A code of {@link protocolErrors}. */
export type ProtocolErrorEntry = keyof typeof protocolErrors;

/** The wire's own code for each entry. */
const wireCodes = {
  CW_WIRE_UNREADABLE: 'bad_message',
  CW_WIRE_TOO_LARGE: 'too_large',
  CW_WIRE_INVALID: 'invalid_argument',
  CW_WIRE_TOO_MANY: 'too_large',
  CW_SESSION_TOKEN_OPTION: 'invalid_argument',
} as const;

/** What else an error knows: what an unreadable message still told about itself, and the error behind it. */
export interface FrameTraces extends ErrorOptions {
  readonly toolCallId?: number | undefined;
  readonly commandId?: string | undefined;
}

/**
 * The only thing that parsing, building and minting throw. `code` is the wire's own code; `entry` is the code of the
 * error's page. The message holds names and bounds, never a value out of a frame, so it may be logged.
 * @example
 * import { parseServerMessage, ProtocolError } from '@callwright/protocol';
 * try {
 *   parseServerMessage('[]');
 * } catch (error) {
 *   if (error instanceof ProtocolError) console.log(error.code); // bad_message
 * }
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly entry: ProtocolErrorEntry;
  readonly code: 'bad_message' | 'too_large' | 'invalid_argument';
  readonly #traces: FrameTraces;

  constructor(entry: ProtocolErrorEntry, details: ErrorDetails, traces: FrameTraces = {}) {
    super(protocolErrors[entry](details), 'cause' in traces ? { cause: traces.cause } : undefined);
    this.entry = entry;
    this.code = wireCodes[entry];
    this.#traces = traces;
  }

  /** The id of an unreadable or too deep `tool.call`, when it had a usable one: answer it with an error result. */
  get toolCallId(): number | undefined {
    return this.#traces.toolCallId;
  }

  /** The id of an unreadable agent message, when it had one: the server answers it with `bad_message`. */
  get commandId(): string | undefined {
    return this.#traces.commandId;
  }
}
