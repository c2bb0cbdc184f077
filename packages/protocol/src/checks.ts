import type { ContextMessage } from './agent-messages';
import { ProtocolError } from './errors';
import { isCount, isObject, isString } from './fields';
import { hasLoneSurrogateEscape, isJsonTextDeeper, plainJson } from './json';
import {
  MAX_CONTEXT_MESSAGES,
  MAX_CONTEXT_TEXT_BYTES,
  MAX_DESTINATION_DIGITS,
  MAX_OUTGOING_DEPTH,
  MAX_OUTGOING_MESSAGE_BYTES,
  MAX_TOOL_NAME_CHARACTERS,
  MIN_DESTINATION_DIGITS,
} from './limits';
import { exceedsUtf8, isBlank, isWellFormed, utf8ByteLength } from './text';

/**
 * What is checked before anything is sent. Internal to the builders. Values come from typed code, but a program in
 * JavaScript can pass anything, so types are checked as well.
 */

/** The `invalid_argument` error. */
export function invalid(what: string, why: string): ProtocolError {
  return new ProtocolError('CW_WIRE_INVALID', { what, why });
}

/** The `too_large` error of a count. */
export function tooMany(what: string, limit: number): ProtocolError {
  return new ProtocolError('CW_WIRE_TOO_MANY', { what, why: `there may be at most ${limit}` });
}

/** A string of at most `maxBytes` without lone surrogates. */
export function checkText(value: unknown, what: string, maxBytes: number): void {
  if (!isString(value)) throw invalid(what, 'must be a string');
  if (exceedsUtf8(value, maxBytes)) throw invalid(what, `must have at most ${maxBytes} bytes of UTF-8`);
  if (!isWellFormed(value)) throw invalid(what, 'must not contain a lone surrogate');
}

/** As {@link checkText}, and not blank. */
export function checkSpokenText(value: unknown, what: string, maxBytes: number): void {
  checkText(value, what, maxBytes);
  if (isBlank(value as string)) throw invalid(what, 'must not be blank'); // checkText has seen a string
}

/** An integer from 0 to 2^53 - 1. */
export function checkCount(value: unknown, what: string): void {
  if (!isCount(value)) throw invalid(what, 'must be an integer from 0 to 2^53 - 1');
}

/** Context messages, of an accept or an update. */
export function checkContext(messages: unknown, what: string): void {
  if (!Array.isArray(messages)) throw invalid(what, 'must be an array');
  if (messages.length > MAX_CONTEXT_MESSAGES) throw tooMany(what, MAX_CONTEXT_MESSAGES);
  messages.forEach((message: unknown, index) => {
    const where = `${what}[${index}]`;
    if (!isObject(message)) throw invalid(where, 'must be an object with role and text');
    if (!isRole(message.role)) throw invalid(`${where}.role`, 'must be system, user or assistant');
    checkSpokenText(message.text, `${where}.text`, MAX_CONTEXT_TEXT_BYTES);
  });
}

function isRole(value: unknown): value is ContextMessage['role'] {
  return value === 'system' || value === 'user' || value === 'assistant';
}

/** Role and text of each message, without what else the objects hold. */
export function plainContext(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  return messages.map(({ role, text }) => ({ role, text }));
}

/** JSON text that stands for a value: 120 levels, no lone surrogate. */
export function checkJsonText(json: unknown, what: string): void {
  if (!isString(json) || json === '') throw invalid(what, 'must be JSON text');
  if (!isWellFormed(json) || hasLoneSurrogateEscape(json)) {
    throw invalid(what, 'must not contain a lone surrogate');
  }
  if (isJsonTextDeeper(json, MAX_OUTGOING_DEPTH)) {
    throw invalid(what, `must not nest deeper than ${MAX_OUTGOING_DEPTH} levels`);
  }
}

/** The JSON text of an object, to be put into a message. */
export function stringifyObject(value: unknown, what: string): string {
  if (!isObject(value)) throw invalid(what, 'must be an object');
  const json = plainJson(value, MAX_OUTGOING_DEPTH);
  if (json === undefined) throw invalid(what, `must be JSON data of at most ${MAX_OUTGOING_DEPTH} levels`);
  checkJsonText(json, what);
  return json;
}

/** `frame`, when the server would read it. */
export function checkFrame(frame: string, what: string): string {
  if (!exceedsUtf8(frame, MAX_OUTGOING_MESSAGE_BYTES)) return frame;
  const why = `it has ${utf8ByteLength(frame)} bytes, and the server reads at most ${MAX_OUTGOING_MESSAGE_BYTES}`;
  throw new ProtocolError('CW_WIRE_TOO_LARGE', { what, why });
}

const TOOL_NAME = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_TOOL_NAME_CHARACTERS}}$`);

/** Whether a tool may have this name, as far as its characters go. */
export function isToolName(value: unknown): value is string {
  return isString(value) && TOOL_NAME.test(value);
}

const DESTINATION = new RegExp(
  `^\\+[1-9][0-9]{${MIN_DESTINATION_DIGITS - 1},${MAX_DESTINATION_DIGITS - 1}}$`,
);

/** Whether a call can be transferred there. */
export function isDestination(value: unknown): value is string {
  return isString(value) && DESTINATION.test(value);
}
