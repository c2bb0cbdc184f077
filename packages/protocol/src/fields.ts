import { type FrameTraces, ProtocolError } from './errors';
import { isJsonTextDeeper } from './json';
import { exceedsUtf8 } from './text';

/** Reading of parsed JSON, field by field. Internal: both parsers stand on it. */

/** An object as JSON.parse made it. An own `__proto__` key is a plain key there and changes no prototype. */
export type Fields = Readonly<Record<string, unknown>>;

/** How one side reads the frames of the other. */
export interface Reading {
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Looks into an object that is refused for an id to answer to. */
  readonly tracesOf: (fields: Fields) => FrameTraces;
}

/**
 * The one JSON object in `text`.
 * @throws ProtocolError `too_large` for too many bytes, `bad_message` for all else.
 */
export function readFrame(text: string, reading: Reading): Fields {
  if (exceedsUtf8(text, reading.maxBytes)) {
    throw new ProtocolError('CW_WIRE_TOO_LARGE', {
      what: 'A message',
      why: `at most ${reading.maxBytes} bytes are read`,
    });
  }
  const isTooDeep = isJsonTextDeeper(text, reading.maxDepth);
  const parsed = parseJson(text);
  if (parsed === undefined) throw unreadable('A message', 'it is not JSON');
  if (!isObject(parsed)) throw unreadable('A message', 'it is not a JSON object');
  if (isTooDeep) {
    const why = `it nests deeper than ${reading.maxDepth} levels`;
    throw unreadable('A message', why, reading.tracesOf(parsed));
  }
  return parsed;
}

/**
 * The value in `text`, undefined when it is not JSON. JSON.parse does not recurse, so any depth is safe here; its error
 * quotes the text and is not passed on.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The `bad_message` error. */
export function unreadable(what: string, why: string, traces?: FrameTraces): ProtocolError {
  return new ProtocolError('CW_WIRE_UNREADABLE', { what, why }, traces);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integers are exact in JavaScript up to 2^53 - 1; most of this wire are counts, and unsigned. */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** As {@link isInteger}, and not negative. */
export function isCount(value: unknown): value is number {
  return isInteger(value) && value >= 0;
}

/** JSON may spell a number that no double holds; JSON.parse makes it infinite, and it is refused here. */
export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** Whether a value is absent (null says the same), or else what `is` says. */
export function isAbsentOr<T>(
  value: unknown,
  is: (value: unknown) => value is T,
): value is T | null | undefined {
  return value === undefined || value === null || is(value);
}
