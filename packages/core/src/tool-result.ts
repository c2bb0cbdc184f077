import { plainWord } from './plain-word';

/**
 * A tool's result as JSON text. What JSON has no form for is refused instead of silently changed: NaN would become
 * null and a Map `{}`, and the model would read that as the truth.
 */

/** The voice server's parser stops at 128 levels; the message around the result takes some. */
export const RESULT_DEPTH_LIMIT = 120;

/** JSON text, or why there is none. The reason never holds a value, only a kind and a path; keys that could be data are `[…]`. */
export type ResultText = { readonly json: string } | { readonly refusal: string };

/** Writes a result as compact JSON; `undefined` becomes `null`. Never throws. */
export function resultText(value: unknown): ResultText {
  try {
    if (value === undefined || value === null) return { json: 'null' };
    const refusal = refusalOf(value, 1);
    if (refusal) {
      const { what, path } = refusal;
      return { refusal: path === undefined ? what : `${what} at $${path}` };
    }
    const json: string | undefined = JSON.stringify(value);
    if (json === undefined) return { json: 'null' }; // its toJSON gave nothing
    // JSON.stringify writes half a surrogate pair as an escape, which the server's parser refuses with the whole message.
    if (json.includes('\\ud') && hasLoneSurrogateEscape(json))
      return { refusal: 'text with half a surrogate pair' };
    return { json };
  } catch (error) {
    return { refusal: error instanceof RangeError ? 'too many levels' : 'a value that cannot be read' };
  }
}

/** What is wrong with the value, and where: `NaN at $.price`. The path is put together only where there is something wrong. */
function refusalOf(value: unknown, depth: number): Refusal | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { what: String(value), path: '' };
    case 'object':
      return value === null ? undefined : objectRefusal(value, depth);
    default:
      return { what: `a ${typeof value}`, path: '' };
  }
}

interface Refusal {
  readonly what: string;
  /** Undefined where a place says nothing. */
  readonly path: string | undefined;
}

function objectRefusal(value: object, depth: number): Refusal | undefined {
  if (depth > RESULT_DEPTH_LIMIT)
    return { what: `more than ${RESULT_DEPTH_LIMIT} levels, or a cycle`, path: undefined };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const refusal = refusalOf(value[index], depth + 1);
      if (refusal) return below(`[${index}]`, refusal);
    }
    return undefined;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) {
    const own = unusualObject(value, depth);
    if (own !== 'plain') return own;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'string') continue;
    const refusal = refusalOf(member, depth + 1);
    if (refusal) return below(`.${plainWord(key) ?? '[…]'}`, refusal);
  }
  return undefined;
}

function below(step: string, { what, path }: Refusal): Refusal {
  return { what, path: path === undefined ? undefined : step + path };
}

/** Objects with a class: what serialises itself is looked at as it will be written. */
function unusualObject(value: object, depth: number): Refusal | undefined | 'plain' {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? { what: 'an invalid Date', path: '' } : undefined;
  const kind = kindWithoutJson(value);
  if (kind) return { what: `a ${kind}`, path: '' };
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson !== 'function') return 'plain';
  return refusalOf(toJson.call(value, ''), depth + 1);
}

function kindWithoutJson(value: object): string | undefined {
  if (value instanceof Map) return 'Map';
  if (value instanceof Set) return 'Set';
  if (value instanceof WeakMap || value instanceof WeakSet) return 'WeakMap or WeakSet';
  if (value instanceof Promise) return 'Promise';
  if (value instanceof RegExp) return 'RegExp';
  if (value instanceof Error) return 'Error';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'binary buffer';
  return undefined;
}

/** Only escapes that stand behind an even number of backslashes are escapes. */
function hasLoneSurrogateEscape(json: string): boolean {
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(json);
}
