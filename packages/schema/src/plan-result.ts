import { annotationOf } from './annotations';
import { type Class, isClass, resolveClass } from './class';
import { exposedName, exposedProperties, transformsOf, typeRecordOf } from './class-transformer';
import { SchemaWriter } from './emit';
import type { JsonSchema } from './json';
import type { Problem } from './problem';
import { readClasses } from './read-class';
import { ProblemList } from './reading';
import { isHidden } from './redact';
import { maxDepth } from './scan';
import { isSensitive, redactedText } from './sensitive';

/** The declared result of a tool. */
export interface ResultPlan {
  /** For manifests; the model is not told a result's schema. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  /**
   * JSON from an instance of the class, a plain object of that form, or arrays of them. `@Exclude`, `@Expose` and
   * `@Transform` hold; sensitive values become `[sensitive]`; dates become ISO strings, maps objects, sets arrays.
   * Throws a `RangeError` for values nested more than 128 levels deep, which a cycle is too.
   */
  serialize(value: unknown): unknown;
}

/**
 * Plans a tool's result from its class.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { planResult } from '@callwright/schema';
 * import { Exclude } from 'class-transformer';
 * import { IsString } from 'class-validator';
 *
 * class Reservation {
 *   @IsString() id!: string;
 *   @Exclude() internalNote?: string;
 * }
 * const reservation = Object.assign(new Reservation(), { id: 'r-1', internalNote: 'regular guest' });
 * console.log(planResult(Reservation).serialize(reservation)); // { id: 'r-1' }
 * ```
 */
export function planResult(type: Class): ResultPlan {
  const list = new ProblemList();
  const plans = readClasses([type], { direction: 'out' }, list);
  const writer = new SchemaWriter(plans, { inline: true, forValidation: false, nullForAbsent: false });
  const { additionalProperties: _, ...jsonSchema } = writer.document(plans.get(type)?.properties ?? []);
  return Object.freeze({
    jsonSchema: jsonSchema as JsonSchema,
    problems: list.problems,
    serialize: (value: unknown) => serializeValue(value, type, 0),
  });
}

function serializeValue(value: unknown, declared: Class | undefined, depth: number): unknown {
  if (depth > maxDepth)
    throw new RangeError(`a result is nested more than ${maxDepth} levels deep, or contains itself`);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (isSensitive(value)) return redactedText;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value) || value instanceof Set)
    return [...value].map((item) => serializeValue(item, declared, depth + 1));
  if (value instanceof Map) {
    const entries = [...value].map(
      ([key, item]) => [String(key), serializeValue(item, declared, depth + 1)] as const,
    );
    return Object.fromEntries(entries);
  }
  return serializeObject(value, classOf(value) ?? declared, depth);
}

/** The value's own class; plain objects have none. */
function classOf(value: object): Class | undefined {
  const type: unknown = Object.getPrototypeOf(value)?.constructor;
  return isClass(type) && type !== Object ? type : undefined;
}

function serializeObject(value: object, type: Class | undefined, depth: number): unknown {
  const record = value as Record<string, unknown>;
  const json: Record<string, unknown> = {};
  if (type === undefined) {
    for (const key of Object.keys(record)) set(json, key, serializeValue(record[key], undefined, depth + 1));
    return json;
  }
  for (const key of new Set([...Object.keys(record), ...exposedProperties(type)])) {
    const name = exposedName(type, key, 'out', undefined);
    if (name === undefined) continue;
    const own = record[key];
    let shown = isHidden(type, key) && own !== undefined ? redactedText : own;
    if (shown === own)
      for (const transform of transformsOf(type, key, 'out', undefined)) shown = transform(shown, key, value);
    set(json, name, serializeValue(shown, elementOf(type, key), depth + 1));
  }
  return json;
}

function elementOf(type: Class, property: string): Class | undefined {
  const { element } = annotationOf(type, property);
  return (element === undefined ? undefined : resolveClass(element)) ?? typeRecordOf(type, property)?.type;
}

// `__proto__` as a key would change the object instead of being in it.
function set(json: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return;
  if (key === '__proto__')
    Object.defineProperty(json, key, { value, enumerable: true, configurable: true, writable: true });
  else json[key] = value;
}
