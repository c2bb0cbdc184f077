import type { Class } from './class';
import type { JsonType } from './json';

/**
 * Keywords of JSON Schema for one property. `type` may also be a class (`String`, `Number`, `Boolean`, `Date`,
 * `Map`, `Set`, or a class with validated properties): it then stands for the property's declared type, for builds
 * without emitted metadata.
 */
export interface SchemaFragment {
  readonly type?: JsonType | readonly JsonType[] | Class | undefined;
  readonly [keyword: string]: unknown;
}

// The keywords a fragment may use: those that every dialect understands and that need no second document.
const keywords = new Set([
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'contains',
  'default',
  'deprecated',
  'description',
  'else',
  'enum',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'if',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'properties',
  'propertyNames',
  'required',
  'then',
  'title',
  'type',
  'uniqueItems',
]);

/** The keywords of the fragment that are not known, in order. Values inside nested schemas are left to Ajv. */
export function unknownKeywords(fragment: SchemaFragment): readonly string[] {
  return Object.keys(fragment).filter((keyword) => !keywords.has(keyword));
}
