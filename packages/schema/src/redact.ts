import { inspect } from 'node:util';
import { annotationOf, designTypeOf } from './annotations';
import { type Class, isClass } from './class';
import { isSensitive, isSensitiveType, redactedText } from './sensitive';
import type { ClassPlan } from './shape';

/** Levels that a redacted copy goes down. */
const maxDepth = 32;
/** Items of an array, and keys of an object, that a redacted copy holds. */
const maxItems = 1_000;

/**
 * A copy that may be logged, recorded or traced: values of `Sensitive` and properties with `@Sensitive()` are
 * replaced by `[sensitive]`, at any depth, also inside maps, sets and arrays. Cycles, deeper levels than 32 and more
 * than 1,000 items are cut. Functions and symbols are left out.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { redact, Sensitive } from '@callwright/schema';
 * import { IsCreditCard, IsInt } from 'class-validator';
 *
 * class Payment {
 *   @IsInt() amount!: number;
 *   @Sensitive() @IsCreditCard() card!: string;
 * }
 *
 * const payment = Object.assign(new Payment(), { amount: 12, card: '4111111111111111' });
 * console.log(redact(payment)); // { amount: 12, card: '[sensitive]' }
 * ```
 */
export function redact(value: unknown): unknown {
  return redactValue(value, 0, new Set());
}

function redactValue(value: unknown, depth: number, parents: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (isSensitive(value)) return redactedText;
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof Error) return { name: value.name };
  if (parents.has(value) || depth >= maxDepth) return '[cut]';
  parents.add(value);
  const copy = redactObject(value, depth + 1, parents);
  parents.delete(value);
  return copy;
}

function redactObject(value: object, depth: number, parents: Set<object>): unknown {
  const inner = (item: unknown) => redactValue(item, depth, parents);
  if (Array.isArray(value)) return value.slice(0, maxItems).map(inner);
  if (value instanceof Set) return [...value].slice(0, maxItems).map(inner);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const type: unknown = value.constructor;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of entries.slice(0, maxItems))
    copy[String(key)] = isClass(type) && isHidden(type, String(key)) ? redactedText : inner(item);
  return { ...copy };
}

/** Whether the property of the class is sensitive: by its decorator or by its type. */
export function isHidden(type: Class, property: string): boolean {
  return annotationOf(type, property).sensitive === true || isSensitiveType(designTypeOf(type, property));
}

const hiddenKey = Symbol.for('callwright:schema:hidden');

/**
 * Makes instances of the class hide their sensitive properties from `util.inspect` and `JSON.stringify`. A `toJSON`
 * or an inspection of the class itself is kept and hidden from in the same way.
 */
export function hideSensitive({ type, properties }: ClassPlan): void {
  const hidden = properties.filter((property) => property.sensitive).map((property) => property.name);
  const prototype = type.prototype as Record<PropertyKey, unknown>;
  if (hidden.length === 0 || Object.hasOwn(prototype, hiddenKey)) return;
  const define = (key: PropertyKey, value: unknown) =>
    Object.defineProperty(prototype, key, { value, enumerable: false, configurable: true, writable: true });
  const ownToJson = prototype.toJSON;
  define(hiddenKey, true);
  define('toJSON', function toJSON(this: object, key: string): unknown {
    const plain: unknown = typeof ownToJson === 'function' ? ownToJson.call(this, key) : { ...this };
    return withHidden(plain, hidden);
  });
  define(inspect.custom, function inspectHidden(this: object, depth: number, options: object): string {
    if (depth < 0) return `[${this.constructor.name}]`;
    return `${this.constructor.name} ${inspect(withHidden({ ...this }, hidden), { ...options, depth })}`;
  });
}

function withHidden(plain: unknown, hidden: readonly string[]): unknown {
  if (typeof plain !== 'object' || plain === null) return plain;
  const shown: Record<string, unknown> = { ...plain };
  for (const name of hidden) if (name in shown && shown[name] !== undefined) shown[name] = redactedText;
  return shown;
}
