import type { JsonSchema, JsonType } from '../json';

/** What a value may be in JSON; `date` is a string that becomes a `Date`. */
export type ValueType = JsonType | 'date';

/** What JSON Schema can say of one rule. */
export interface Image {
  /** The types that can satisfy the rule; left out where any type can. */
  readonly types?: readonly ValueType[];
  readonly keywords?: JsonSchema;
  /** Whether types and keywords say all of the rule, so that it need not be asked again. */
  readonly exact: boolean;
  /** Whether a missing value satisfies the rule. */
  readonly acceptsMissing?: boolean;
  /** What the rule wants, as the end of "must be …" or "should be …". */
  readonly expects: string;
  /** Whether `expects` belongs in the property's description, because no keyword says it. */
  readonly hint?: boolean;
  /** Why the decorator cannot be used for the arguments of a tool. */
  readonly refusal?: string;
}

/** The image of one decorator of class-validator. */
export interface DecoratorImage {
  /** The decorator's name, such as `IsString`. */
  readonly decorator: string;
  /** class-validator's name of its rule, such as `isString`. */
  readonly rule: string;
  /** Constraints for the generated table of the reference. */
  readonly example: readonly unknown[];
  readonly image: (constraints: readonly unknown[]) => Image;
}

/** An image that no keyword expresses: a type, a hint, and class-validator's own check. */
export function hinted(
  decorator: string,
  rule: string,
  expects: string,
  keywords: JsonSchema = {},
): DecoratorImage {
  const image: Image = { types: ['string'], keywords, exact: false, expects, hint: true };
  return { decorator, rule, example: [], image: () => image };
}

/** An image of a string by a pattern that is class-validator's own rule. */
export function patterned(decorator: string, rule: string, expects: string, pattern: string): DecoratorImage {
  const image: Image = { types: ['string'], keywords: { pattern }, exact: true, expects };
  return { decorator, rule, example: [], image: () => image };
}

/** An image that depends on nothing. */
export function fixed(decorator: string, rule: string, image: Image): DecoratorImage {
  return { decorator, rule, example: [], image: () => image };
}
