import type { JsonSchema } from './json';
import type { ValueType } from './keywords/image';

/** The types that satisfy both lists; `integer` is part of `number`. Without a list every type is taken. */
export function intersectTypes(
  first: readonly ValueType[] | undefined,
  second: readonly ValueType[] | undefined,
): readonly ValueType[] | undefined {
  if (first === undefined) return second;
  if (second === undefined) return first;
  const narrow = (type: ValueType, others: readonly ValueType[]): readonly ValueType[] => {
    if (others.includes(type)) return [type];
    if (type === 'integer' && others.includes('number')) return ['integer'];
    return type === 'number' && others.includes('integer') ? ['integer'] : [];
  };
  return [...new Set(first.flatMap((type) => narrow(type, second)))];
}

/** Keywords of two rules as one schema: the narrower bound wins, and what cannot be merged goes into `allOf`. */
export function mergeKeywords(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...first };
  for (const [keyword, value] of Object.entries(second)) mergeKeyword(merged, keyword, value);
  return merged;
}

const larger = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const smaller = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

function mergeKeyword(merged: JsonSchema, keyword: string, value: unknown): void {
  // One allowed value is a list of one, so that it meets the lists of other rules.
  if (keyword === 'const') return mergeKeyword(merged, 'enum', [value]);
  const known = merged[keyword];
  if (known === undefined || JSON.stringify(known) === JSON.stringify(value)) merged[keyword] = value;
  else if (larger.has(keyword)) merged[keyword] = Math.max(known as number, value as number);
  else if (smaller.has(keyword)) merged[keyword] = Math.min(known as number, value as number);
  else if (keyword === 'enum')
    merged[keyword] = (known as unknown[]).filter((item) => (value as unknown[]).includes(item));
  else if (keyword === 'allOf') merged[keyword] = [...(known as unknown[]), ...(value as unknown[])];
  else merged.allOf = [...((merged.allOf as unknown[] | undefined) ?? []), { [keyword]: value }];
}

/** Whether the keywords leave no value: bounds that cross, or an empty list of values. */
export function leavesNothing(keywords: JsonSchema): boolean {
  const crosses = (low: string, high: string) =>
    typeof keywords[low] === 'number' && typeof keywords[high] === 'number' && keywords[low] > keywords[high];
  const touches = (low: string, high: string) =>
    typeof keywords[low] === 'number' &&
    typeof keywords[high] === 'number' &&
    keywords[low] >= keywords[high];
  return (
    crosses('minimum', 'maximum') ||
    crosses('minLength', 'maxLength') ||
    crosses('minItems', 'maxItems') ||
    touches('exclusiveMinimum', 'maximum') ||
    touches('minimum', 'exclusiveMaximum') ||
    touches('exclusiveMinimum', 'exclusiveMaximum') ||
    (Array.isArray(keywords.enum) && keywords.enum.length === 0)
  );
}

const applies: Readonly<Record<string, readonly ValueType[]>> = {
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  minLength: ['string', 'date'],
  maxLength: ['string', 'date'],
  pattern: ['string', 'date'],
  format: ['string', 'date'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  contains: ['array'],
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  patternProperties: ['object'],
  propertyNames: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
};

/** Whether the keyword says something about one of the types. */
export function appliesToAny(keyword: string, types: readonly ValueType[]): boolean {
  const own = applies[keyword];
  return own === undefined || own.some((type) => types.includes(type));
}

/** The keywords that say something about a type, with those that speak of any. */
export function keywordsFor(type: ValueType, keywords: JsonSchema): JsonSchema {
  const kept = Object.entries(keywords).filter(([keyword]) => applies[keyword]?.includes(type) ?? true);
  return Object.fromEntries(kept);
}
