import { ProtocolError } from './errors';
import {
  type Fields,
  isAbsentOr,
  isBoolean,
  isInteger,
  isObject,
  isString,
  readFrame,
  unreadable,
} from './fields';
import { MAX_WIRE_TYPE_BYTES } from './limits';
import { countOf, mistyped, objectOf, SERVER_READING, stringOf } from './server-fields';
import type { CallIdentity, Capabilities, ResumeInfo, SessionStartMessage } from './server-messages';
import { cutUtf8 } from './text';
import { PROTOCOL_NAME } from './vocabulary';

/** What the first message on a connection turned out to be. All but `start` are answered by closing with 1002. */
export type FirstMessage =
  | { readonly outcome: 'start'; readonly start: SessionStartMessage }
  | { readonly outcome: 'unreadable'; readonly error: ProtocolError }
  /** `wire_type` comes from outside, cut at 64 bytes. */
  | { readonly outcome: 'other_type'; readonly wire_type: string }
  | { readonly outcome: 'other_protocol' };

/**
 * Reads the first message on a connection; never throws.
 * @example
 * import { parseSessionStart } from '@callwright/protocol';
 * parseSessionStart('{"type":"hello"}').outcome; // 'other_type'
 */
export function parseSessionStart(text: string): FirstMessage {
  try {
    return judge(readFrame(text, SERVER_READING));
  } catch (error) {
    if (error instanceof ProtocolError) return { outcome: 'unreadable', error };
    throw error;
  }
}

function judge(fields: Fields): FirstMessage {
  const { type, protocol } = fields;
  if (!isString(type)) throw unreadable('A message', 'it has no string "type"');
  if (type !== 'session.start') {
    return { outcome: 'other_type', wire_type: cutUtf8(type, MAX_WIRE_TYPE_BYTES) };
  }
  // Another protocol may shape the rest of its message as it likes.
  if (isString(protocol) && protocol !== PROTOCOL_NAME) return { outcome: 'other_protocol' };
  return { outcome: 'start', start: readSessionStart(fields) };
}

/** The `session.start` in `fields`, whose `type` has been seen. */
export function readSessionStart(fields: Fields): SessionStartMessage {
  return {
    type: 'session.start',
    seq: countOf(fields.seq, fields, 'seq'),
    t_ms: countOf(fields.t_ms, fields, 't_ms'),
    protocol: stringOf(fields.protocol, fields, 'protocol'),
    versions: readVersions(fields),
    session_id: stringOf(fields.session_id, fields, 'session_id'),
    agent: stringOf(fields.agent, fields, 'agent'),
    capabilities: readCapabilities(fields.capabilities),
    resume: readResume(fields),
    call: readCall(fields.call),
  };
}

function readVersions(fields: Fields): readonly number[] {
  const { versions } = fields;
  if (Array.isArray(versions) && versions.every(isInteger)) return versions;
  throw mistyped(fields, 'versions', 'an array of integers');
}

/** What the server does not say it can do, it cannot do. */
function readCapabilities(value: unknown): Capabilities {
  if (!isObject(value)) return { transfer: false, tools: false };
  return { transfer: value.transfer === true, tools: value.tools === true };
}

/** A resumption must not be mistaken for a new call, so a malformed one makes the message unreadable. */
function readResume(fields: Fields): ResumeInfo | undefined {
  if (fields.resume === undefined) return undefined;
  const { attempt, previous_seq, down_ms } = objectOf(fields.resume, fields, 'resume');
  return {
    attempt: countOf(attempt, fields, 'resume.attempt'),
    previous_seq: countOf(previous_seq, fields, 'resume.previous_seq'),
    down_ms: countOf(down_ms, fields, 'resume.down_ms'),
  };
}

function readCall(value: unknown): CallIdentity | undefined {
  if (!isObject(value)) return undefined;
  const { carrier, carrier_call_id, from, to, pii_redacted } = value;
  if (!isString(carrier) || !isString(carrier_call_id)) return undefined;
  if (!isAbsentOr(from, isString) || !isAbsentOr(to, isString)) return undefined;
  if (!isAbsentOr(pii_redacted, isBoolean)) return undefined;
  return {
    carrier,
    carrier_call_id,
    from: from ?? undefined,
    to: to ?? undefined,
    pii_redacted: pii_redacted ?? false,
  };
}
