import type { ProtocolError } from './errors';
import type { ServerMessage, SessionStartMessage, UnknownMessage } from './server-messages';

/**
 * Reads one message of a live link.
 * @throws ProtocolError `bad_message` or `too_large`; nothing else.
 */
export function parseServerMessage(text: string): ServerMessage | UnknownMessage {
  throw new Error(`being written ${text}`);
}

/** What the first message on a connection turned out to be. Everything but `start` is closed with 1002. */
export type FirstMessage =
  | { readonly outcome: 'start'; readonly start: SessionStartMessage }
  | { readonly outcome: 'unreadable'; readonly error: ProtocolError }
  /** Readable, but of another type; `wire_type` comes from outside. */
  | { readonly outcome: 'other_type'; readonly wire_type: string }
  | { readonly outcome: 'other_protocol' };

/** Reads the first message on a connection; never throws. */
export function parseSessionStart(text: string): FirstMessage {
  throw new Error(`being written ${text}`);
}
