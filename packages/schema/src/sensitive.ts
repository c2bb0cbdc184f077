import { inspect } from 'node:util';
import { annotate } from './annotations';

const redacted = '[sensitive]';
const brand = Symbol.for('callwright:schema:sensitive');

/**
 * A value that must not be shown: a card number, a PIN. It is read with `reveal()` alone; `util.inspect`,
 * `console.log`, `JSON.stringify`, `String` and error texts show `[sensitive]`.
 */
class SensitiveValue<T> {
  readonly #value: T;
  constructor(value: T) {
    this.#value = value;
  }
  /** The value itself. */
  reveal(): T {
    return this.#value;
  }
  toString(): string {
    return redacted;
  }
  toJSON(): string {
    return redacted;
  }
  [inspect.custom](): string {
    return redacted;
  }
  get [brand](): true {
    return true;
  }
}

/** See {@link SensitiveConstructor}. */
export type Sensitive<T> = SensitiveValue<T>;

/** What `Sensitive` is: with `new` a wrapped value, without it a decorator. */
export interface SensitiveConstructor {
  /** Wraps a value. */
  new <T>(value: T): SensitiveValue<T>;
  /** Marks a property: its value is never shown by `util.inspect` or `JSON.stringify` of the instance, nor in an error. */
  (): (prototype: object, property: string) => void;
  readonly prototype: SensitiveValue<unknown>;
}

/**
 * Privacy by type. `@Sensitive()` on a property keeps the value out of everything that shows the instance; a property
 * of type `Sensitive<string>` also keeps it wrapped in the program, until `reveal()`.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { Sensitive } from '@callwright/schema';
 * import { IsCreditCard, IsString } from 'class-validator';
 *
 * class Payment {
 *   @IsCreditCard() @Sensitive() card!: string;
 *   @IsString() pin!: Sensitive<string>;
 * }
 * ```
 */
// A class cannot be called without `new`, so a function stands in front of it and shares its prototype.
export const Sensitive: SensitiveConstructor = Object.assign(
  function sensitive(this: unknown, value?: unknown): unknown {
    if (new.target !== undefined) return Reflect.construct(SensitiveValue, [value], new.target);
    return (prototype: object, property: string) => annotate(prototype, property, { sensitive: true });
  },
  { prototype: SensitiveValue.prototype },
) as unknown as SensitiveConstructor; // TypeScript has no type for a function that is both, so the interface above says it
Object.defineProperty(Sensitive, 'name', { value: 'Sensitive' });

/** Whether the value is a `Sensitive`, of this copy of the package or another. */
export function isSensitive(value: unknown): value is SensitiveValue<unknown> {
  return typeof value === 'object' && value !== null && brand in value;
}

/** Whether the type is `Sensitive`, of this copy of the package or another. */
export function isSensitiveType(type: unknown): boolean {
  return (
    typeof type === 'function' &&
    typeof type.prototype === 'object' &&
    type.prototype !== null &&
    brand in type.prototype
  );
}

/** The text that stands for a value that must not be shown. */
export const redactedText = redacted;
