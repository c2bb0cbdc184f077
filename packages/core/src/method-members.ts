import type { Class } from './class-types';
import {
  type ClassRecords,
  classChain,
  type HandlerRecord,
  ownRecords,
  type ParameterRecord,
  type TimerRecord,
  type ToolRecord,
} from './records';

/** A decorated method as the class and its bases describe it: the nearest word on each point wins. */
export interface MethodMember<R> {
  readonly key: PropertyKey;
  readonly record: R;
  readonly parameters: ReadonlyMap<number, ParameterRecord>;
  /** `design:paramtypes`, when the compiler emitted them. */
  readonly emittedTypes: readonly unknown[] | undefined;
  /** What the source calls them; empty where it does more than list names. */
  readonly parameterNames: readonly string[];
  /** How many parameters the method has, as far as anything tells. */
  readonly parameterCount: number;
  readonly hasRestParameter: boolean;
}

/** The tools of a class, its bases' first. */
export function toolMembers(type: Class): MethodMember<ToolRecord>[] {
  return members(type, (records) => records.tools);
}

/** The event handlers of a class, its bases' first. */
export function handlerMembers(type: Class): MethodMember<HandlerRecord[]>[] {
  return members(type, (records) => records.handlers);
}

/** The timers of a class, its bases' first. */
export function timerMembers(type: Class): MethodMember<TimerRecord[]>[] {
  return members(type, (records) => records.timers);
}

function members<R>(type: Class, pick: (records: ClassRecords) => Map<PropertyKey, R>): MethodMember<R>[] {
  const baseFirst = classChain(type).reverse();
  const found = new Map<PropertyKey, R>();
  for (const current of baseFirst) {
    const records = ownRecords(current);
    if (records) for (const [key, record] of pick(records)) found.set(key, record);
  }
  return [...found].map(([key, record]) => memberOf(type, key, record));
}

function memberOf<R>(type: Class, key: PropertyKey, record: R): MethodMember<R> {
  const parameters = parameterRecords(type, key);
  const emittedTypes = emittedParameterTypes(type, key);
  const method = (type.prototype as Record<PropertyKey, unknown>)[key];
  return {
    key,
    record,
    parameters,
    emittedTypes,
    parameterNames: typeof method === 'function' ? namesInSource(method) : [],
    parameterCount: Math.max(
      emittedTypes?.length ?? 0,
      typeof method === 'function' ? method.length : 0,
      ...[...parameters.keys()].map((index) => index + 1),
    ),
    hasRestParameter: typeof method === 'function' && startsWithRest(method, emittedTypes),
  };
}

/** Nearest class that says anything about the method's parameters. */
function parameterRecords(type: Class, key: PropertyKey): ReadonlyMap<number, ParameterRecord> {
  for (const current of classChain(type)) {
    const records = ownRecords(current)?.parameters.get(key);
    if (records) return records;
  }
  return new Map();
}

function emittedParameterTypes(type: Class, key: PropertyKey): readonly unknown[] | undefined {
  const read = (Reflect as { getMetadata?: (name: string, target: object, key: PropertyKey) => unknown })
    .getMetadata;
  const types = read?.call(Reflect, 'design:paramtypes', type.prototype, key);
  return Array.isArray(types) ? types : undefined;
}

/**
 * A rest parameter is not counted by `length` and looks like any other in the metadata, so the source text is asked; only
 * when there are more emitted types than counted parameters, which is rare (defaults and rests).
 */
function startsWithRest(method: object, emittedTypes: readonly unknown[] | undefined): boolean {
  if ((emittedTypes?.length ?? 0) <= (method as { length: number }).length) return false;
  const source = Function.prototype.toString.call(method);
  return /^[^(]*\([^)]*\.\.\./.test(source);
}

function namesInSource(method: object): readonly string[] {
  const [, list = ''] = /^[^(]*\(([\w$\s,]*)\)/.exec(Function.prototype.toString.call(method)) ?? [];
  return list.split(',').map((name) => name.trim());
}

/** `LuigiAgent.bookTable`, as messages name a method. */
export function methodName(type: Class, key: PropertyKey): string {
  return `${type.name}.${String(key)}`;
}
