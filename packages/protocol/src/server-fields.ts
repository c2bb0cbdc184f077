import type { FrameTraces, ProtocolError } from './errors';
import { type Fields, isBoolean, isCount, isObject, isString, type Reading, unreadable } from './fields';
import { MAX_INCOMING_DEPTH, MAX_INCOMING_MESSAGE_BYTES } from './limits';
import type { ToolKind } from './server-messages';

/**
 * The fields of server messages. A required field that is missing or mistyped makes the message unreadable; values are
 * passed in rather than looked up by name, as a look-up by a variable name costs several times more.
 */

/** How an agent reads the server's frames. */
export const SERVER_READING: Reading = {
  maxBytes: MAX_INCOMING_MESSAGE_BYTES,
  maxDepth: MAX_INCOMING_DEPTH,
  tracesOf,
};

function tracesOf({ type, id }: Fields): FrameTraces {
  return type === 'tool.call' && isCount(id) ? { toolCallId: id } : {};
}

export function seqOf({ seq }: Fields): number | undefined {
  return isCount(seq) ? seq : undefined;
}

export function timeOf({ t_ms }: Fields): number | undefined {
  return isCount(t_ms) ? t_ms : undefined;
}

export function epochOf(fields: Fields): number {
  return countOf(fields.epoch, fields, 'epoch');
}

export function textOf(fields: Fields): string {
  return stringOf(fields.text, fields, 'text');
}

export function kindOf(fields: Fields): ToolKind {
  const { kind } = fields;
  if (kind === 'read_only' || kind === 'side_effect') return kind;
  throw mistyped(fields, 'kind', '"read_only" or "side_effect"');
}

export function countOf(value: unknown, fields: Fields, name: string): number {
  if (isCount(value)) return value;
  throw mistyped(fields, name, 'an integer from 0 to 2^53 - 1');
}

export function stringOf(value: unknown, fields: Fields, name: string): string {
  if (isString(value)) return value;
  throw mistyped(fields, name, 'a string');
}

export function booleanOf(value: unknown, fields: Fields, name: string): boolean {
  if (isBoolean(value)) return value;
  throw mistyped(fields, name, 'a boolean');
}

export function objectOf(value: unknown, fields: Fields, name: string): Fields {
  if (isObject(value)) return value;
  throw mistyped(fields, name, 'an object');
}

/** `fields.type` may stand in the message: a field is only read once the type is known to be one of ours. */
export function mistyped(fields: Fields, name: string, expected: string): ProtocolError {
  return unreadable(`Message ${String(fields.type)}`, `"${name}" must be ${expected}`, tracesOf(fields));
}
