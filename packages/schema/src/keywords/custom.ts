import type { SchemaFragment } from '../fragment';
import type { JsonType } from '../json';
import type { Image } from './image';

/** What a custom validator of class-validator means in JSON Schema. */
export interface ValidatorImage {
  /** The JSON types that can satisfy it. */
  readonly types?: readonly JsonType[] | undefined;
  /** Keywords that never refuse what the validator accepts. */
  readonly keywords?: Omit<SchemaFragment, 'type'> | undefined;
  /** What it wants, as the end of "must be …": `an Italian tax code`. It also stands in the description. */
  readonly expects: string;
}

type ImageFunction = (constraints: readonly unknown[]) => ValidatorImage;

// One registry for all copies of this package in a process.
const registryKey = Symbol.for('callwright:schema:validators');
const holder = globalThis as { [registryKey]?: Map<string, ImageFunction> };

/**
 * Tells what a custom validator means in JSON Schema, by the name it has in class-validator: the `name` given to
 * `registerDecorator` or `ValidateBy`, or the constraint class's name. The validator itself still checks each value.
 *
 * @example
 * ```ts
 * import { registerValidator } from '@callwright/schema';
 *
 * registerValidator('isRomanNumeral', () => ({
 *   types: ['string'],
 *   keywords: { pattern: '^[IVXLCDM]+$' },
 *   expects: 'a Roman numeral',
 * }));
 * ```
 */
export function registerValidator(name: string, image: ImageFunction): void {
  holder[registryKey] ??= new Map();
  holder[registryKey].set(name, image);
}

/** The image of a registered validator. */
export function customImageOf(name: string, constraints: readonly unknown[]): Image | undefined {
  const image = holder[registryKey]?.get(name)?.(constraints);
  if (image === undefined) return undefined;
  return {
    exact: false,
    hint: true,
    expects: image.expects,
    ...(image.types === undefined ? {} : { types: image.types }),
    ...(image.keywords === undefined ? {} : { keywords: image.keywords }),
  };
}
