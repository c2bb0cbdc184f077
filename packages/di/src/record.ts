import type { ModuleMetadata } from './module';
import type { Scope } from './scope';
import type { AbstractClass, Class } from './tokens';

/** What `@Injectable` records. */
export interface InjectableRecord {
  readonly scope?: Scope | undefined;
}

/** What `@Inject` and `@Optional` record of one parameter or property. */
export interface InjectionRecord {
  /** A token or a lazy reference as the user gave it; only meaningful if `tokenGiven`. */
  token: unknown;
  tokenGiven: boolean;
  optional: boolean;
}

/** Everything the decorators of this package record of one class. Inherited records are never changed. */
export interface ClassRecord {
  injectable: InjectableRecord | undefined;
  module: ModuleMetadata | undefined;
  global: boolean;
  /** By index of the constructor's parameter. */
  readonly parameters: Map<number, InjectionRecord>;
  /** By name of the property, of this class alone. */
  readonly properties: Map<string | symbol, InjectionRecord>;
  /** Places where a decorator of this package was put and cannot work: method parameters, static properties. */
  readonly misplaced: string[];
  /** Whether `Reflect.metadata` existed when the first decorator ran: else the compiler's metadata is lost. */
  readonly metadataReady: boolean;
}

// An own property by a registered symbol: two copies of this package read each other's records, and a class
// never changes what its base recorded.
const RECORD = Symbol.for('callwright:di.record');

/** The record of exactly this class, made when it is missing. */
export function recordOf(type: AbstractClass): ClassRecord {
  const known = ownRecord(type);
  if (known !== undefined) return known;
  const record: ClassRecord = {
    injectable: undefined,
    module: undefined,
    global: false,
    parameters: new Map(),
    properties: new Map(),
    misplaced: [],
    metadataReady: typeof (Reflect as { metadata?: unknown }).metadata === 'function',
  };
  Object.defineProperty(type, RECORD, { value: record });
  return record;
}

/** The record of exactly this class, not of its bases. */
export function ownRecord(type: AbstractClass): ClassRecord | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(type, RECORD);
  return descriptor?.value as ClassRecord | undefined; // only recordOf writes it
}

/** The class and its bases, the class first. */
export function lineage(type: AbstractClass): readonly AbstractClass[] {
  const classes: AbstractClass[] = [];
  let current: unknown = type;
  while (typeof current === 'function' && current !== Function.prototype) {
    classes.push(current as AbstractClass); // a prototype of a class that is a function is a class
    current = Object.getPrototypeOf(current);
  }
  return classes;
}

/** The scope that `@Injectable` gave to the class or, if it says nothing, to the nearest base that does. */
export function recordedScope(type: Class): Scope | undefined {
  for (const current of lineage(type)) {
    const scope = ownRecord(current)?.injectable?.scope;
    if (scope !== undefined) return scope;
  }
  return undefined;
}

/** The types of the constructor's parameters that the compiler emitted for exactly this class. */
export function emittedParameterTypes(type: AbstractClass): readonly unknown[] | undefined {
  // The library adds this function to Reflect; its own types are global and would leak into users' programs.
  const reflect = Reflect as { getOwnMetadata?: (key: string, target: object) => unknown };
  const types = reflect.getOwnMetadata?.('design:paramtypes', type);
  return Array.isArray(types) ? types : undefined;
}
