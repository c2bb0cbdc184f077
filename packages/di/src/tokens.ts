/** A class that can be constructed. `never[]` lets a class with any parameters be one. */
export type Class<T = unknown> = new (...args: never[]) => T;

/** A class that need not be constructible: an abstract class is a good token for an implementation chosen elsewhere. */
export type AbstractClass<T = unknown> = abstract new (...args: never[]) => T;

/** What a provider is asked for by: a class, an abstract class, or an {@link InjectionToken}. */
export type Token<T = unknown> = AbstractClass<T> | InjectionToken<T>;

/** Options of an {@link InjectionToken}. */
export interface InjectionTokenOptions {
  /**
   * Every provider of the token is one of many, as if each said `multi: true`; whoever injects the token gets
   * the array of all of them that its module sees.
   * @default false
   */
  multi?: boolean | undefined;
}

const TOKEN_BRAND = Symbol.for('callwright:di.token');

/**
 * A token for what has no class: an interface, a function, a configuration object. Its identity is the object
 * itself; the description only appears in messages. `T` is the type that is injected: for a token with
 * `multi`, the array.
 *
 * @example
 * ```ts
 * import { Inject, Injectable, InjectionToken } from '@callwright/di';
 *
 * const OPENING_HOUR = new InjectionToken<number>('OPENING_HOUR');
 *
 * @Injectable()
 * export class Bookings {
 *   constructor(@Inject(OPENING_HOUR) readonly openingHour: number) {}
 * }
 * ```
 */
export class InjectionToken<T> {
  /** Never set: it only carries `T` for the compiler. */
  declare readonly valueType?: T;
  /** The name used in messages. */
  readonly description: string;
  /** Whether every provider of this token is one of many. */
  readonly multi: boolean;

  constructor(description: string, options?: InjectionTokenOptions) {
    this.description = description;
    this.multi = options?.multi ?? false;
  }

  /** `InjectionToken(description)`. */
  toString(): string {
    return `InjectionToken(${this.description})`;
  }
}

// On the prototype and by a registered symbol, so that a token made by another copy of this package is one too.
Object.defineProperty(InjectionToken.prototype, TOKEN_BRAND, { value: true });

const TOKEN_ID = Symbol.for('callwright:di.token-id');

/**
 * Gives a token a name that is the same in every copy of the package it comes from. What a framework provides to everyone is then
 * found by whichever copy's class a program imported.
 */
export function identifyToken(token: Token, id: string): void {
  Object.defineProperty(token, TOKEN_ID, { value: id });
}

/** The name that {@link identifyToken} gave; a derived class does not inherit it. */
export function tokenId(token: Token): string | undefined {
  return Object.getOwnPropertyDescriptor(token, TOKEN_ID)?.value as string | undefined; // only identifyToken writes it
}

/** Whether two tokens are the same one, perhaps of two copies of a package. */
export function isSameToken(a: Token, b: Token): boolean {
  if (a === b) return true;
  const id = tokenId(a);
  return id !== undefined && id === tokenId(b);
}

/** Whether `value` can be a token: any class (a function), or an {@link InjectionToken} of any copy of the package. */
export function isToken(value: unknown): value is Token {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && TOKEN_BRAND in value;
}

/** The name of a token as messages show it. */
export function tokenName(token: unknown): string {
  if (typeof token === 'function') return token.name === '' ? '(anonymous class)' : token.name;
  if (isToken(token)) return (token as InjectionToken<unknown>).description; // not a function: the other kind
  return String(token);
}

/** Whether `token` is an {@link InjectionToken} made with `multi: true`. */
export function isMultiToken(token: Token): boolean {
  return typeof token !== 'function' && token.multi;
}
