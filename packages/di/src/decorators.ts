import type { Lazy, LazyReference } from './lazy';
import type { ModuleMetadata } from './module';
import { type InjectionRecord, recordOf } from './record';
import type { Scope } from './scope';
import type { AbstractClass, Token } from './tokens';

/** Options of {@link Injectable}. */
export interface InjectableOptions {
  /** @default Scope.SINGLETON */
  scope?: Scope | undefined;
}

/**
 * Marks a class that the container makes. It is also what makes the compiler emit the types of the
 * constructor's parameters.
 *
 * @example
 * ```ts
 * import { Injectable, Scope } from '@callwright/di';
 *
 * @Injectable({ scope: Scope.CALL })
 * export class Basket {
 *   readonly dishes: string[] = [];
 * }
 * ```
 */
export function Injectable(options: InjectableOptions = {}): ClassDecorator {
  return (type) => {
    recordOf(classOf(type)).injectable = options;
  };
}

/**
 * Marks a module: a class that says what it imports, provides and exports, and which agents it has.
 *
 * @example
 * ```ts
 * import { Injectable, Module } from '@callwright/di';
 *
 * @Injectable()
 * export class Bookings {}
 *
 * @Module({ providers: [Bookings], exports: [Bookings] })
 * export class BookingModule {}
 * ```
 */
export function Module(metadata: ModuleMetadata): ClassDecorator {
  return (type) => {
    recordOf(classOf(type)).module = metadata;
  };
}

/** Makes the exports of a module visible in every module, without an import. */
export function Global(): ClassDecorator {
  return (type) => {
    recordOf(classOf(type)).global = true;
  };
}

/** The type of parameter `I` of the constructor of `T`; `unknown` where the compiler cannot see it. */
type ConstructorParameter<T, I extends number> = T extends abstract new (
  ...args: infer P
) => unknown
  ? P[I]
  : unknown;

/** `unknown` (no constraint) if a value of type `V` fits into `P`, else `never` (nothing fits). */
type Fits<V, P> = [V] extends [P] ? unknown : never;

/** What {@link Inject} returns: for a parameter of the constructor, or for a property. */
export interface InjectDecorator<V> {
  /** On a parameter of the constructor. Does not compile if a `V` does not fit the parameter. */
  <T extends AbstractClass, I extends number>(
    target: T,
    key: undefined,
    index: I & Fits<V, ConstructorParameter<T, I>>,
  ): void;
  /** On a property. Does not compile if a `V` does not fit a public property; private ones are not checked. */
  <T extends object, K extends string | symbol>(
    target: T & { readonly prototype?: never },
    key: K & (K extends keyof T ? Fits<V, T[K]> : unknown),
  ): void;
}

/**
 * Says what to inject, where the type alone does not: an {@link InjectionToken}, another class, or a
 * {@link lazy} reference. With a token on every parameter, a build that emits no metadata works too.
 *
 * @example
 * ```ts
 * import { Inject, Injectable, InjectionToken, Optional } from '@callwright/di';
 *
 * interface Mailer { send(text: string): void }
 * const MAILER = new InjectionToken<Mailer>('MAILER');
 *
 * @Injectable()
 * export class Confirmations {
 *   @Inject(MAILER) @Optional() readonly mailer?: Mailer;
 * }
 * ```
 */
export function Inject<V>(token: LazyReference<V>): InjectDecorator<Lazy<V>>;
export function Inject<V>(token: Token<V>): InjectDecorator<V>;
export function Inject(token: unknown): InjectDecorator<never> {
  return (target: object, key: string | symbol | undefined, index?: unknown) => {
    const injection = injectionAt(target, key, index);
    if (injection === undefined) return;
    injection.token = token;
    injection.tokenGiven = true;
  };
}

/** Injects `undefined` instead of failing at boot when nobody provides what is asked for. */
export function Optional(): ParameterDecorator & PropertyDecorator {
  return (target: object, key: string | symbol | undefined, index?: unknown) => {
    const injection = injectionAt(target, key, index);
    if (injection !== undefined) injection.optional = true;
  };
}

/** The record of a constructor's parameter or a property; of any other place only that it was misplaced. */
function injectionAt(
  target: object,
  key: string | symbol | undefined,
  index: unknown,
): InjectionRecord | undefined {
  if (key === undefined && typeof index === 'number') {
    return entry(recordOf(classOf(target)).parameters, index);
  }
  const type = typeof target === 'function' ? classOf(target) : classOf(target.constructor);
  if (key === undefined || typeof target === 'function' || typeof index === 'number') {
    const place = typeof index === 'number' ? `parameter ${index} of ` : 'static property ';
    recordOf(type).misplaced.push(`${place}${String(key)}`);
    return undefined;
  }
  return entry(recordOf(type).properties, key);
}

function entry<K>(records: Map<K, InjectionRecord>, key: K): InjectionRecord {
  const known = records.get(key);
  if (known !== undefined) return known;
  const injection: InjectionRecord = { token: undefined, tokenGiven: false, optional: false };
  records.set(key, injection);
  return injection;
}

/** Decorators are given classes as `Function` or `object`. */
function classOf(target: object): AbstractClass {
  return target as AbstractClass; // the compiler lets these decorators stand on classes and their members only
}
