import { ProtocolError } from './errors';
import { plainJson } from './json';
import { MAX_INCOMING_DEPTH } from './limits';
import { parseServerMessage } from './parse-server';
import type { ServerMessage } from './server-messages';

/**
 * The frame of any server message, for a test kit that plays the voice server. Members that are undefined are left out.
 * @throws ProtocolError `invalid_argument` when an agent could not read the message back.
 * @example
 * import { buildServerMessage } from '@callwright/protocol';
 * buildServerMessage({ type: 'session.end', seq: 9, t_ms: 61_000, reason: 'call_ended' });
 */
export function buildServerMessage(message: ServerMessage): string {
  const frame = plainJson(message, MAX_INCOMING_DEPTH);
  if (frame === undefined) throw unsendable('is not JSON data an agent reads');
  if (typeReadBack(frame) === 'unknown') throw unsendable('is of an unknown type');
  return frame;
}

function typeReadBack(frame: string): string {
  try {
    return parseServerMessage(frame).type;
  } catch (cause) {
    throw unsendable('cannot be read back', cause);
  }
}

function unsendable(why: string, cause?: unknown): ProtocolError {
  return new ProtocolError(
    'CW_WIRE_INVALID',
    { what: 'A server message', why },
    cause === undefined ? {} : { cause },
  );
}
