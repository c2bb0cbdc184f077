import { annotate } from './annotations';
import { type Class, type ClassOrThunk, resolveClass } from './class';
import { recordType } from './class-transformer';
import { validateNested } from './class-validator';
import type { SchemaFragment } from './fragment';

/** A decorator of any public property. */
export type AnyPropertyDecorator = (prototype: object, property: string) => void;

/** A decorator of a property that may hold a `Value`; on another property it does not compile. */
export type PropertyDecoratorOf<Value> = <
  Target extends { [Name in Property]?: Value | null | undefined },
  Property extends string,
>(
  prototype: Target,
  property: Property,
) => void;

/**
 * Tells the model what the property means.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { Describe } from '@callwright/schema';
 * import { IsDate } from 'class-validator';
 *
 * class BookTable {
 *   @Describe('Date and time of the visit') @IsDate() time!: Date;
 * }
 * ```
 */
export function Describe(description: string): AnyPropertyDecorator {
  return (prototype, property) => annotate(prototype, property, { description });
}

/**
 * Adds keywords of JSON Schema to the property, or gives its type where the compiler emits none. The keywords are
 * checked as well as published. `$ref` and unknown keywords are boot problems.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { Schema } from '@callwright/schema';
 *
 * class Order {
 *   @Schema({ type: 'object', additionalProperties: { type: 'integer' } }) amounts!: Record<string, number>;
 * }
 * ```
 */
export function Schema(fragment: SchemaFragment): AnyPropertyDecorator {
  return (prototype, property) => annotate(prototype, property, { fragment });
}

/**
 * The property holds an instance of the class, checked and made from the argument: `@ValidateNested`, `@Type` and the
 * type for the schema in one. Takes the class, or a function for one that is declared further down.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { Nested } from '@callwright/schema';
 * import { IsString } from 'class-validator';
 *
 * class Guest {
 *   @IsString() name!: string;
 * }
 * class BookTable {
 *   @Nested(() => Guest) guest!: Guest;
 * }
 * ```
 */
export function Nested<Value>(type: ClassOrThunk<Value>): PropertyDecoratorOf<Value> {
  return (prototype, property) => {
    annotate(prototype, property, { element: type });
    validateNested(prototype, property, false);
    recordType(prototype, property, () => resolveClass(type) ?? Object);
  };
}

/** What an item is in the program, by the class that names it. */
export type ItemOf<Type> = Type extends StringConstructor
  ? string
  : Type extends NumberConstructor
    ? number
    : Type extends BooleanConstructor
      ? boolean
      : Type extends Class<infer Value>
        ? Value
        : Type extends () => infer Inner
          ? ItemOf<Inner>
          : never;

/** What `@ArrayOf` can stand on. */
export type CollectionOf<Item> = readonly Item[] | ReadonlySet<Item> | ReadonlyMap<string, Item>;

/**
 * The property holds an array (or a `Set`, or a `Map` with string keys) of the class's instances, or of strings,
 * numbers, booleans or dates.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { ArrayOf } from '@callwright/schema';
 * import { IsString } from 'class-validator';
 *
 * class Guest {
 *   @IsString() name!: string;
 * }
 * class Party {
 *   @ArrayOf(() => Guest) guests!: Guest[];
 *   @ArrayOf(String) dishes!: string[];
 * }
 * ```
 */
export function ArrayOf<const Type extends ClassOrThunk>(
  type: Type,
): PropertyDecoratorOf<CollectionOf<ItemOf<Type>>> {
  return (prototype, property) => {
    annotate(prototype, property, { element: type, each: true });
    if (isScalarClass(type)) return;
    if (type !== (Date as unknown)) validateNested(prototype, property, true);
    recordType(prototype, property, () => resolveClass(type) ?? Object);
  };
}

function isScalarClass(type: unknown): boolean {
  return type === String || type === Number || type === Boolean;
}

/**
 * Times without an offset are read in this IANA zone, on a property of type `Date`.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { InTimeZone } from '@callwright/schema';
 * import { IsDate } from 'class-validator';
 *
 * class BookTable {
 *   @InTimeZone('Europe/Rome') @IsDate() time!: Date;
 * }
 * ```
 */
export function InTimeZone(timeZone: string): PropertyDecoratorOf<Date | readonly Date[]> {
  return (prototype, property) => annotate(prototype, property, { timeZone });
}
