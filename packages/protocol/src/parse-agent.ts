import type { AgentMessage } from './agent-messages';
import type { UnknownMessage } from './server-messages';

/**
 * Reads one message of an agent as strictly as the voice server does.
 * @throws ProtocolError `bad_message` or `too_large`; nothing else.
 */
export function parseAgentMessage(text: string): AgentMessage | UnknownMessage {
  throw new Error(`being written ${text}`);
}
