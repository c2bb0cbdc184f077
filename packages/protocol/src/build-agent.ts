import type {
  CommandMessage,
  ContextUpdateMessage,
  EndMessage,
  SayMessage,
  ToolsSetMessage,
  TransferMessage,
} from './agent-messages';

/** A message without its type, as a builder takes it. */
export type Fields<Message> = Omit<Message, 'type'>;

/** The frame of a `session.reject`. Both texts are made well-formed and cut at 512 bytes; never throws. */
export function buildReject(code?: string, message?: string): string {
  throw new Error(`being written ${code} ${message}`);
}

/**
 * The frame that answers a tool call. `resultJson` must be JSON text.
 * @throws ProtocolError `too_large` over 65,536 bytes; `invalid_argument` for a lone surrogate, more than 120 levels, or a bad id.
 */
export function buildToolResult(id: number, resultJson: string): string {
  throw new Error(`being written ${id} ${resultJson}`);
}

/** The frame that answers a tool call with an error the model reads: made well-formed, cut at 1,024 bytes. */
export function buildToolError(id: number, message: string): string {
  throw new Error(`being written ${id} ${message}`);
}

/** @throws ProtocolError `invalid_argument` or `too_large`. */
export function buildSay(fields: Fields<SayMessage>): string {
  throw new Error(`being written ${fields.text}`);
}

/** @throws ProtocolError `invalid_argument` or `too_large`. */
export function buildEnd(fields: Fields<EndMessage>): string {
  throw new Error(`being written ${fields.id}`);
}

/** @throws ProtocolError `invalid_argument` or `too_large`. */
export function buildTransfer(fields: Fields<TransferMessage>): string {
  throw new Error(`being written ${fields.id}`);
}

/** @throws ProtocolError `invalid_argument` or `too_large`. */
export function buildContextUpdate(fields: Fields<ContextUpdateMessage>): string {
  throw new Error(`being written ${fields.id}`);
}

/** @throws ProtocolError `invalid_argument` or `too_large`. */
export function buildToolsSet(fields: Fields<ToolsSetMessage>): string {
  throw new Error(`being written ${fields.id}`);
}

/** Builds any of the five. @throws ProtocolError `invalid_argument` or `too_large`. */
export function buildCommand(command: CommandMessage): string {
  throw new Error(`being written ${command.type}`);
}
