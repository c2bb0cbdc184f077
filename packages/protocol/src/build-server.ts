import type { ServerMessage } from './server-messages';

/**
 * The frame of any server message, for a test kit that plays the voice server.
 * @throws ProtocolError `invalid_argument` when a field is missing or of the wrong type.
 */
export function buildServerMessage(message: ServerMessage): string {
  throw new Error(`being written ${message.type}`);
}
