import type { CommandEnvelope } from './agent-messages';
import type { FrameTraces, ProtocolError } from './errors';
import { type Fields, isBoolean, isCount, isObject, isString, type Reading, unreadable } from './fields';
import { hasLoneSurrogateEscape } from './json';
import { MAX_COMMAND_ID_BYTES, MAX_OUTGOING_MESSAGE_BYTES, MAX_SERVER_READ_DEPTH } from './limits';
import { cutUtf8, isWellFormed } from './text';

/** How the voice server reads an agent's frames. */
export const SERVER_SIDE_READING: Reading = {
  maxBytes: MAX_OUTGOING_MESSAGE_BYTES,
  maxDepth: MAX_SERVER_READ_DEPTH,
  tracesOf,
};

/** The types a field may have, and what reading one gives. */
interface FieldTypes {
  string: string;
  integer: number;
  boolean: boolean;
}

const checks: { readonly [Name in keyof FieldTypes]: (value: unknown) => value is FieldTypes[Name] } = {
  string: isString,
  integer: isCount,
  boolean: isBoolean,
};

/** Reads the fields of one agent message, and knows what to name and whom to answer when one is refused. */
export class AgentFields {
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  /** The message's id as the server echoes it: cut at 64 bytes, anything but a string as its JSON text. */
  get echoedId(): string | undefined {
    return tracesOf(this.#fields).commandId;
  }

  /** A strict JSON parser loses the whole frame over half an emoji or a number that no double holds. */
  refuseWhatStrictParsersRefuse(text: string): void {
    if (!isWellFormed(text) || hasLoneSurrogateEscape(text)) throw this.#refused('it has a lone surrogate');
    if (hasInfinity(this.#fields)) throw this.#refused('it has a number beyond a double');
  }

  envelope(): CommandEnvelope {
    const id = this.nullable(this.#fields.id, 'id', 'string');
    const re = this.nullable(this.#fields.re, 're', 'integer');
    return { id: id === undefined ? undefined : cutUtf8(id, MAX_COMMAND_ID_BYTES), re };
  }

  /** The field must be there. */
  required<Name extends keyof FieldTypes>(value: unknown, where: string, type: Name): FieldTypes[Name] {
    if (checks[type](value)) return value;
    throw this.mistyped(where, `of type ${type}`);
  }

  /** The field may be absent, and null says the same. */
  nullable<Name extends keyof FieldTypes>(
    value: unknown,
    where: string,
    type: Name,
  ): FieldTypes[Name] | undefined {
    return value === null ? undefined : this.unlessAbsent(value, where, type);
  }

  /** The field may be absent; null is of the wrong type. */
  unlessAbsent<Name extends keyof FieldTypes>(
    value: unknown,
    where: string,
    type: Name,
  ): FieldTypes[Name] | undefined {
    return value === undefined ? undefined : this.required(value, where, type);
  }

  /** One of a few words. */
  word<Word extends string>(value: unknown, where: string, words: readonly Word[]): Word {
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    throw this.mistyped(where, `one of ${words.join(', ')}`);
  }

  nullableWord<Word extends string>(value: unknown, where: string, words: readonly Word[]): Word | undefined {
    return value === undefined || value === null ? undefined : this.word(value, where, words);
  }

  nullableStrings(value: unknown, where: string): readonly string[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (Array.isArray(value) && value.every(isString)) return value;
    throw this.mistyped(where, 'an array of strings');
  }

  /** An array of objects; absent it may be, null it may not. */
  list<Item>(
    value: unknown,
    where: string,
    readItem: (item: Fields, where: string) => Item,
  ): readonly Item[] | undefined {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.mistyped(where, 'an array');
    return value.map((item: unknown, index) => {
      const itemWhere = `${where}[${index}]`;
      if (!isObject(item)) throw this.mistyped(itemWhere, 'an object');
      return readItem(item, itemWhere);
    });
  }

  mistyped(where: string, expected: string): ProtocolError {
    return this.#refused(`"${where}" must be ${expected}`);
  }

  #refused(why: string): ProtocolError {
    return unreadable('An agent message', why, tracesOf(this.#fields));
  }
}

function tracesOf({ id }: Fields): FrameTraces {
  if (id === undefined || id === null) return {};
  // A frame refused for its depth is not serialised: that would recurse.
  if (!isString(id)) return typeof id === 'object' ? {} : { commandId: String(id) };
  return { commandId: cutUtf8(id, MAX_COMMAND_ID_BYTES) };
}

/** Walks without recursion; the frame's depth has been checked. */
function hasInfinity(fields: Fields): boolean {
  const open: unknown[] = [fields];
  while (open.length > 0) {
    const value = open.pop();
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return true;
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
  }
  return false;
}
