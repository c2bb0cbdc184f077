import type { Class } from './class';
import type { Transform, Variant } from './class-transformer';
import type { Rule } from './class-validator';
import type { JsonScalar, JsonSchema, JsonType } from './json';

/** What one value looks like in JSON, and what it becomes in the program. */
export type Shape = ValueShape | DateShape | ClassShape | VariantsShape | ListShape | MapShape;

/** A value that stays as it is: a scalar, or free JSON. */
export interface ValueShape {
  readonly kind: 'value';
  /** Left out where every type is taken. */
  readonly types?: readonly JsonType[];
  readonly keywords: JsonSchema;
}

/** A string that becomes a `Date`. */
export interface DateShape {
  readonly kind: 'date';
  /** The zone in which a time without offset is read; without it an offset is required. */
  readonly timeZone?: string;
  readonly keywords: JsonSchema;
}

/** An object that becomes an instance of a class. */
export interface ClassShape {
  readonly kind: 'class';
  readonly type: Class;
  readonly keywords: JsonSchema;
}

/** An object whose tag property says which class it becomes. */
export interface VariantsShape {
  readonly kind: 'variants';
  readonly tag: string;
  readonly variants: readonly Variant[];
  /** Whether the instance keeps the tag property. */
  readonly keepTag: boolean;
  readonly keywords: JsonSchema;
}

/** An array that stays one or becomes a `Set`. */
export interface ListShape {
  readonly kind: 'list';
  readonly container: 'array' | 'set';
  readonly items: Shape;
  readonly keywords: JsonSchema;
}

/** An object that becomes a `Map`. */
export interface MapShape {
  readonly kind: 'map';
  readonly values: Shape;
  readonly keywords: JsonSchema;
}

/** A rule of class-validator that runs on the bound value, because the schema says less than it does. */
export interface Check {
  readonly rule: Rule;
  /** What is said when it fails, behind the path: `must be an integer`. */
  readonly expectation: string;
}

/** One property of a class as the arguments of a tool carry it. */
export interface PropertyPlan {
  readonly name: string;
  /** The key in JSON: `name`, or the one that `@Expose({ name })` gives. */
  readonly wireName: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** Whether `null` is taken, and then means "absent". */
  readonly nullable: boolean;
  /** The JSON value of the initialiser, where it is the same at each construction. */
  readonly defaultValue?: JsonScalar;
  readonly hasInitializer: boolean;
  readonly description?: string;
  readonly sensitive: boolean;
  /** Whether the value is wrapped in a `Sensitive`. */
  readonly wrapped: boolean;
  /** Whether the published schema leaves the value open, because it is judged after a condition or a transform. */
  readonly loose: boolean;
  readonly conditions: readonly NonNullable<Rule['condition']>[];
  readonly checks: readonly Check[];
  readonly transforms: readonly Transform[];
}

/** A class as the arguments of a tool carry it. */
export interface ClassPlan {
  readonly type: Class;
  readonly properties: readonly PropertyPlan[];
}

/** All classes that a root class reaches, by identity. */
export type ClassPlans = ReadonlyMap<Class, ClassPlan>;
