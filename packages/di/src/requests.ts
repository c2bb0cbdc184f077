import { problem } from './errors';
import { isLazyReference } from './lazy';
import type { InjectionRequest, Report } from './node';
import type { FactoryDependency } from './provider';
import { emittedParameterTypes, type InjectionRecord, lineage, ownRecord } from './record';
import { type AbstractClass, type Class, isToken, type Token, tokenName } from './tokens';

/** A class whose requests are read, and the module it is registered in, for messages. */
interface Reading {
  readonly type: Class;
  readonly module: string;
  readonly report: Report;
}

/** What the constructor and the decorated properties of a class ask for. */
export function requestsOfClass(reading: Reading): readonly InjectionRequest[] {
  reportMisplaced(reading);
  return [...parameterRequests(reading), ...propertyRequests(reading)];
}

/** What `inject` of a factory asks for. */
export function requestsOfFactory(
  inject: readonly FactoryDependency[],
  name: string,
  report: Report,
): readonly InjectionRequest[] {
  const requests: InjectionRequest[] = [];
  for (const [index, dependency] of inject.entries()) {
    const place = `inject[${index}] of the factory`;
    const wrapped = typeof dependency === 'object' && dependency !== null && 'token' in dependency;
    const token: unknown = wrapped ? dependency.token : dependency;
    const optional = wrapped && dependency.optional === true;
    const request = requestFor({ token, tokenGiven: true, optional }, place, undefined);
    if (request === undefined) {
      report.problems.push(problem('CW_DI_TYPE_UNDEFINED', { place: `${name}, ${place}` }));
    } else {
      requests.push(request);
    }
  }
  return requests;
}

function reportMisplaced({ type, report }: Reading): void {
  for (const place of ownRecord(type)?.misplaced ?? []) {
    report.problems.push(problem('CW_DI_INJECT_MISPLACED', { type: tokenName(type), place }));
  }
}

function parameterRequests(reading: Reading): readonly InjectionRequest[] {
  const owner = constructorOwner(reading.type);
  const types = emittedParameterTypes(owner);
  const records = ownRecord(owner)?.parameters;
  const count = Math.max(owner.length, types?.length ?? 0, highestIndex(records) + 1);
  const bare: number[] = [];
  const requests: InjectionRequest[] = [];
  for (let index = 0; index < count; index++) {
    const record = records?.get(index);
    if (record?.tokenGiven !== true && types === undefined) {
      bare.push(index);
      continue;
    }
    const request = parameterRequest(reading, owner, { index, record, emitted: types?.[index] });
    if (request !== undefined) requests.push(request);
  }
  if (bare.length > 0) reportNoMetadata(reading, owner, bare);
  return requests;
}

/**
 * The nearest class of the line that has a constructor of its own, as far as it can be seen: compilers emit
 * types for it, or it has parameters. A class without one takes its base's parameters.
 */
function constructorOwner(type: Class): AbstractClass {
  const owner = lineage(type).find(
    (current) =>
      emittedParameterTypes(current) !== undefined ||
      current.length > 0 ||
      (ownRecord(current)?.parameters.size ?? 0) > 0,
  );
  return owner ?? type;
}

function highestIndex(records: ReadonlyMap<number, InjectionRecord> | undefined): number {
  return records === undefined ? -1 : Math.max(-1, ...records.keys());
}

interface Parameter {
  readonly index: number;
  readonly record: InjectionRecord | undefined;
  readonly emitted: unknown;
}

function parameterRequest(
  reading: Reading,
  owner: AbstractClass,
  { index, record, emitted }: Parameter,
): InjectionRequest | undefined {
  const place = `parameter ${index} of the constructor`;
  const given = record?.tokenGiven === true;
  const optional = record?.optional ?? false;
  const token = given ? record.token : emitted;
  const at = { place: `${tokenName(reading.type)}, ${place}` };
  const { problems } = reading.report;
  if (!given && SAYS_NOTHING.has(emitted)) {
    // The length of a function counts the parameters before the first default value.
    const hasDefault = index === owner.length;
    if (hasDefault) problems.push(problem('CW_DI_ANNOTATION_MISSING', at));
    else if (emitted === undefined) problems.push(problem('CW_DI_TYPE_UNDEFINED', at));
    else problems.push(problem('CW_DI_TYPE_OPAQUE', { ...at, emitted: plainName(emitted) }));
    return undefined;
  }
  if (!given && isPlain(emitted)) {
    problems.push(problem('CW_DI_TYPE_BUILTIN', { ...at, emitted: plainName(emitted) }));
    return undefined;
  }
  const request = requestFor({ token, tokenGiven: true, optional }, place, undefined);
  if (request === undefined) problems.push(problem('CW_DI_TYPE_UNDEFINED', at));
  return request;
}

/** What compilers emit where they know no class. */
const SAYS_NOTHING: ReadonlySet<unknown> = new Set([Object, Function, undefined]);

const PLAIN_TYPES: ReadonlySet<unknown> = new Set([String, Number, Boolean, Symbol, BigInt, Array, Promise]);

/** Whether the emitted type is one that could only be a value: a primitive, an array, an enum. */
function isPlain(emitted: unknown): boolean {
  return PLAIN_TYPES.has(emitted) || !isToken(emitted);
}

function plainName(emitted: unknown): string {
  return typeof emitted === 'function' ? emitted.name : 'a plain object (an enum?)';
}

function reportNoMetadata({ type, module, report }: Reading, owner: AbstractClass, bare: number[]): void {
  const at = {
    type: tokenName(type),
    module,
    parameters: `parameter${bare.length === 1 ? '' : 's'} ${bare.join(', ')}`,
  };
  const record = ownRecord(owner);
  if (record === undefined) report.problems.push(problem('CW_DI_NOT_DECORATED', at));
  else if (!record.metadataReady) report.problems.push(problem('CW_DI_METADATA_LATE', at));
  else report.problems.push(problem('CW_DI_METADATA_NOT_EMITTED', at));
}

/** Properties of the class and its bases; a class's own decorators win over those of its base. */
function propertyRequests(reading: Reading): readonly InjectionRequest[] {
  const found = new Map<string | symbol, InjectionRequest>();
  for (const current of [...lineage(reading.type)].reverse()) {
    for (const [property, record] of ownRecord(current)?.properties ?? []) {
      const place = `property ${String(property)}`;
      const request = requestFor(record, place, property);
      if (request === undefined) {
        const at = { place: `${tokenName(reading.type)}, ${place}` };
        reading.report.problems.push(problem('CW_DI_TYPE_UNDEFINED', at));
      } else {
        found.set(property, request);
      }
    }
  }
  return [...found.values()];
}

/** The request a record stands for; undefined if what it names is no token. */
function requestFor(
  record: InjectionRecord,
  place: string,
  property: string | symbol | undefined,
): InjectionRequest | undefined {
  const lazy = isLazyReference(record.token);
  const token: unknown = isLazyReference(record.token) ? record.token.resolve() : record.token;
  if (!isToken(token)) return undefined;
  return { token: token as Token, optional: record.optional, lazy, place, property };
}
