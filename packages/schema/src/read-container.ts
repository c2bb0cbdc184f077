import type { DeclaredType } from './declared-type';
import { isJsonScalar, type JsonSchema } from './json';
import { decoratorOf } from './keywords/table';
import { intersectTypes, leavesNothing, mergeKeywords } from './merge-images';
import type { PropertyFacts } from './read-property';
import { narrowed, readValue } from './read-value';
import type { Reading } from './reading';
import type { Shape } from './shape';

/** The shape of a list or map; `none` where the property is neither, `undefined` after a problem was reported. */
export function readContainer(reading: Reading, facts: PropertyFacts): Shape | 'none' | undefined {
  if (facts.declaration.type.kind === 'map') return readMap(reading, facts);
  return isList(facts) ? readList(reading, facts) : 'none';
}

function isList({ declaration, own, each, rules }: PropertyFacts): boolean {
  if (declaration.type.kind === 'list' || declaration.each || each.length > 0) return true;
  if (rules.some((rule) => rule.each)) return true;
  return own.some(({ image }) => image?.types?.length === 1 && image.types[0] === 'array');
}

function readList(reading: Reading, facts: PropertyFacts): Shape | undefined {
  const { where, declaration, own } = facts;
  const scalarRule = own.find(({ image }) => intersectTypes(image?.types, ['array'])?.length === 0);
  const declared = declaration.type;
  if (scalarRule !== undefined) {
    reading.list.report('CW_SCHEMA_CONTRADICTION', where, {
      first: decoratorOf(scalarRule.rule),
      second: 'an array',
    });
    return undefined;
  }
  if (
    declared.kind === 'date' ||
    declared.kind === 'class' ||
    (declared.kind === 'scalar' && !takesArrays(declared))
  ) {
    const second =
      declared.kind === 'scalar' ? `the type ${declared.types.join(' or ')}` : `the type ${declared.kind}`;
    reading.list.report('CW_SCHEMA_CONTRADICTION', where, { first: 'an array', second });
    return undefined;
  }
  const items = readItems(reading, facts);
  if (items === undefined) return undefined;
  const container = declared.kind === 'list' ? declared.container : 'array';
  const keywords = listKeywords(facts, container, items);
  if (leavesNothing(keywords)) {
    reading.list.report('CW_SCHEMA_CONTRADICTION', where, {
      first: 'the smallest size',
      second: 'the largest size',
    });
    return undefined;
  }
  return { kind: 'list', container, items, keywords };
}

function takesArrays(declared: DeclaredType & { kind: 'scalar' }): boolean {
  return declared.types.includes('array');
}

function readMap(reading: Reading, facts: PropertyFacts): Shape | undefined {
  const values = readItems(reading, facts);
  return values === undefined ? undefined : { kind: 'map', values, keywords: ownKeywords(facts, 'object') };
}

function readItems(reading: Reading, facts: PropertyFacts): Shape | undefined {
  const { where, declaration, each, rules, annotation } = facts;
  const element = declaration.element;
  const isNested = rules.some((rule) => rule.kind === 'nested');
  if (isNested && element === undefined && declaration.discriminator === undefined) {
    reading.list.report('CW_SCHEMA_NESTED_TYPE', where, {});
    return undefined;
  }
  const itemsAreLists = each.some(({ image }) => image?.types?.length === 1 && image.types[0] === 'array');
  if (itemsAreLists || element?.kind === 'list' || element?.kind === 'map') {
    reading.list.report('CW_SCHEMA_NESTED_ARRAY', where, {});
    return undefined;
  }
  const isKnown =
    element !== undefined ||
    declaration.discriminator !== undefined ||
    each.some(({ image }) => image?.types !== undefined) ||
    annotation.fragment?.items !== undefined ||
    annotation.fragment?.additionalProperties !== undefined;
  if (!isKnown && !facts.takesAny) reading.list.warn('CW_SCHEMA_ITEMS', where, {});
  return readValue(reading, {
    where: `${where}[]`,
    rules: each,
    declared: declaration.discriminator === undefined ? (element ?? { kind: 'missing' }) : { kind: 'map' },
    discriminator: declaration.discriminator,
    timeZone: facts.timeZone,
    takesAny: !isKnown || facts.takesAny || annotation.fragment !== undefined,
  });
}

function ownKeywords({ own, annotation }: PropertyFacts, type: 'array' | 'object'): JsonSchema {
  let keywords: JsonSchema = {};
  for (const { image } of own) keywords = mergeKeywords(keywords, image?.keywords ?? {});
  const { type: _, description: __, ...written } = annotation.fragment ?? {};
  return narrowed([type], mergeKeywords(keywords, written));
}

function listKeywords(facts: PropertyFacts, container: 'array' | 'set', items: Shape): JsonSchema {
  const { uniqueItems, ...rest } = ownKeywords(facts, 'array');
  const isWritten = facts.annotation.fragment?.uniqueItems === true;
  const isUnique = container === 'set' || isWritten || (uniqueItems === true && isComparable(facts, items));
  return isUnique ? { ...rest, uniqueItems: true } : rest;
}

// class-validator compares by identity (and by what a selector gives), `uniqueItems` by content.
function isComparable({ rules }: PropertyFacts, items: Shape): boolean {
  const rule = rules.find(({ name }) => name === 'arrayUnique');
  const hasSelector = rule !== undefined && rule.accepts([{ a: 1 }, { a: 1 }], {}) === false;
  if (hasSelector || items.kind !== 'value') return false;
  const isScalar = items.types?.every((type) => type !== 'object' && type !== 'array') ?? false;
  return isScalar || (Array.isArray(items.keywords.enum) && items.keywords.enum.every(isJsonScalar));
}
