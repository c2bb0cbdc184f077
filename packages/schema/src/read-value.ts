import type { Rule } from './class-validator';
import type { Declaration, DeclaredType } from './declared-type';
import type { SchemaFragment } from './fragment';
import { isJsonObject, isJsonScalar, type JsonSchema, type JsonType, typeOfScalar } from './json';
import type { Image, ValueType } from './keywords/image';
import { decoratorOf } from './keywords/table';
import { oneOfImage } from './keywords/types-and-values';
import { appliesToAny, intersectTypes, keywordsFor, leavesNothing, mergeKeywords } from './merge-images';
import type { Reading } from './reading';
import type { Shape } from './shape';

/** A rule with what JSON Schema can say of it; `undefined` where nothing is known. */
export interface ReadRule {
  readonly rule: Rule;
  readonly image: Image | undefined;
}

/** What is known about one value: a property's, or that of each item. */
export interface ValueFacts {
  readonly where: string;
  readonly rules: readonly ReadRule[];
  readonly declared: DeclaredType;
  readonly discriminator?: Declaration['discriminator'];
  readonly fragment?: SchemaFragment | undefined;
  readonly timeZone: string | undefined;
  /** Whether a value of any type is wanted: `@Allow`, or a `@Schema` without a type. */
  readonly takesAny: boolean;
  /** Whether nobody knows that the metadata library was loaded before the class. @default false */
  readonly mayBeLate?: boolean;
  /** The name in `@Arg`, where it is a parameter. */
  readonly argument?: string;
}

/** The shape of one value that is no list and no map. `undefined` after a problem was reported. */
export function readValue(reading: Reading, facts: ValueFacts): Shape | undefined {
  const wanted = typesOf(reading, facts);
  if (wanted === undefined) return undefined;
  const all = keywordsOf(facts);
  // Where a rule refuses `null`, it is no type; `@IsOptional` adds it again, for what is absent.
  const types = wanted === 'any' || !refusesNull(all) ? wanted : wanted.filter((type) => type !== 'null');
  const keywords = withinTypes(types, all);
  if (leavesNothing(keywords) || types.length === 0) {
    const names = facts.rules.map(({ rule }) => decoratorOf(rule));
    contradiction(reading, facts.where, names[0] ?? '@Schema', names.slice(1).join(', ') || '@Schema');
    return undefined;
  }
  const idle = Object.keys(facts.fragment ?? {}).find(
    (keyword) => types !== 'any' && !appliesToAny(keyword, types),
  );
  if (idle !== undefined && types !== 'any')
    return contradiction(reading, facts.where, `the keyword "${idle}"`, `the type ${types.join(' or ')}`);
  return shapeOf(reading, facts, types === 'any' ? undefined : types, keywords);
}

function refusesNull({ not, allOf }: JsonSchema): boolean {
  const conditions = [{ not }, ...((allOf as readonly JsonSchema[] | undefined) ?? [])];
  return conditions.some(({ not: own }) => {
    if (!isJsonObject(own)) return false;
    return (
      own.type === 'null' ||
      ('const' in own && own.const === null) ||
      (Array.isArray(own.enum) && own.enum.includes(null))
    );
  });
}

/** The list of allowed values without those of other types. */
function withinTypes(types: readonly ValueType[] | 'any', keywords: JsonSchema): JsonSchema {
  if (types === 'any' || !Array.isArray(keywords.enum)) return keywords;
  const isWithin = (value: unknown) =>
    !isJsonScalar(value) || intersectTypes([typeOfScalar(value)], types)?.length === 1;
  return { ...keywords, enum: keywords.enum.filter(isWithin) };
}

function typesOf(reading: Reading, facts: ValueFacts): readonly ValueType[] | 'any' | undefined {
  const { where, declared } = facts;
  let decided: readonly ValueType[] | undefined;
  let decidedBy = '';
  for (const { rule, image } of facts.rules) {
    if (image?.types === undefined) continue;
    const next = intersectTypes(decided, image.types);
    if (next === undefined || next.length === 0)
      return contradiction(reading, where, decidedBy || decoratorOf(rule), decoratorOf(rule));
    decided = next;
    decidedBy = decoratorOf(rule);
  }
  const own = typesOfDeclared(declared);
  if (decided !== undefined) {
    const both = intersectTypes(decided, own);
    if (own !== undefined && both?.length === 0)
      return contradiction(reading, where, decidedBy, `the type ${nameOfDeclared(declared)}`);
    return declared.kind === 'scalar' && declared.isExplicit ? both : decided;
  }
  if (own !== undefined) return own;
  if (facts.takesAny) return 'any';
  reportUnreadable(reading, facts);
  return undefined;
}

function contradiction(reading: Reading, where: string, first: string, second: string): undefined {
  reading.list.report('CW_SCHEMA_CONTRADICTION', where, { first, second });
  return undefined;
}

function typesOfDeclared(declared: DeclaredType): readonly ValueType[] | undefined {
  switch (declared.kind) {
    case 'scalar':
      return declared.types;
    case 'enum':
      return oneOfImage(declared.values).types;
    case 'date':
      return ['date'];
    case 'class':
      return ['object'];
    case 'map':
      return ['object'];
    case 'list':
      return ['array'];
    default:
      return undefined;
  }
}

function nameOfDeclared(declared: DeclaredType): string {
  switch (declared.kind) {
    case 'scalar':
      return declared.types.join(' or ');
    case 'class':
      return declared.type.name;
    case 'list':
      return declared.container === 'set' ? 'Set' : 'Array';
    case 'date':
      return 'Date';
    case 'map':
      return 'Map';
    default:
      return declared.kind;
  }
}

/** Reports why a type is not known, each cause by its own code. */
function reportUnreadable(
  reading: Reading,
  { where, declared, argument, mayBeLate = false }: ValueFacts,
): void {
  if (declared.kind === 'unsupported')
    reading.list.report('CW_META_UNSUPPORTED', where, { type: declared.name });
  else if (declared.kind === 'opaque')
    reading.list.report('CW_META_OPAQUE', where, { emitted: declared.emitted, argument });
  else if (declared.kind === 'sensitive')
    reading.list.report('CW_META_OPAQUE', where, {
      emitted: 'Sensitive, without the type inside',
      argument,
    });
  else reading.list.report('CW_META_MISSING', where, { argument, mayBeLate });
}

function keywordsOf(facts: ValueFacts): JsonSchema {
  let keywords: JsonSchema = {};
  for (const { image } of facts.rules) keywords = mergeKeywords(keywords, image?.keywords ?? {});
  const isDecided = facts.rules.some(({ image }) => image?.types !== undefined);
  if (!isDecided && facts.declared.kind === 'enum')
    keywords = mergeKeywords(keywords, { enum: facts.declared.values });
  const { type: _, description: __, ...own } = facts.fragment ?? {};
  return mergeKeywords(keywords, own);
}

function shapeOf(
  reading: Reading,
  facts: ValueFacts,
  types: readonly ValueType[] | undefined,
  keywords: JsonSchema,
): Shape {
  const own = types === undefined ? keywords : narrowed(types, keywords);
  if (types?.includes('date')) {
    const { timeZone } = facts;
    return { kind: 'date', keywords: own, ...(timeZone === undefined ? {} : { timeZone }) };
  }
  if (types?.includes('object')) {
    if (facts.discriminator !== undefined) return variantsOf(reading, facts.discriminator, own);
    if (facts.declared.kind === 'class') {
      reading.reach(facts.declared.type);
      return { kind: 'class', type: facts.declared.type, keywords: own };
    }
  }
  // 'date' was handled above, so what is left are types of JSON.
  return {
    kind: 'value',
    keywords: own,
    ...(types === undefined ? {} : { types: types as readonly JsonType[] }),
  };
}

function variantsOf(
  reading: Reading,
  { property, variants, keep }: NonNullable<Declaration['discriminator']>,
  keywords: JsonSchema,
): Shape {
  for (const variant of variants) reading.reach(variant.type);
  return { kind: 'variants', tag: property, variants, keepTag: keep, keywords };
}

/** Keywords that speak of the types at hand; `not null` and `not empty` go where the types already say so. */
export function narrowed(types: readonly ValueType[], keywords: JsonSchema): JsonSchema {
  const kept: JsonSchema = Object.assign({}, ...types.map((type) => keywordsFor(type, keywords)));
  if (types.includes('null')) return kept;
  const { not, allOf, ...rest } = kept;
  const conditions = [
    ...(not === undefined ? [] : [{ not }]),
    ...((allOf as JsonSchema[] | undefined) ?? []),
  ];
  let result: JsonSchema = rest;
  for (const whole of conditions) {
    if (isNotNull(whole)) continue;
    const condition = isNotEmpty(whole) ? whole : withoutIdleValues(whole, types);
    if (condition === undefined) continue;
    if (!isNotEmpty(condition)) result = mergeKeywords(result, asKeywords(condition));
    else if (types.includes('string')) result = mergeKeywords(result, { minLength: 1 });
  }
  return result;
}

/** `not` without the values that the types exclude; `null` among them would also refuse an absent value. */
function withoutIdleValues(condition: JsonSchema, types: readonly ValueType[]): JsonSchema | undefined {
  const { not } = condition;
  if (!isJsonObject(not) || Object.keys(condition).length > 1) return condition;
  const values = 'const' in not ? [not.const] : not.enum;
  if (!Array.isArray(values)) return condition;
  const left = (withinTypes(types, { enum: values }) as { enum: unknown[] }).enum; // it had an `enum`, so it has one
  if (left.length === 0) return undefined;
  return { not: left.length === 1 ? { const: left[0] } : { enum: left } };
}

// A condition with one keyword can stand beside others; anything larger stays a member of `allOf`.
function asKeywords(condition: JsonSchema): JsonSchema {
  const names = Object.keys(condition);
  return names.length === 1 && names[0] !== 'anyOf' ? condition : { allOf: [condition] };
}

function isNotNull({ not }: JsonSchema): boolean {
  return JSON.stringify(not) === '{"type":"null"}';
}

function isNotEmpty({ not }: JsonSchema): boolean {
  return JSON.stringify(not) === '{"enum":["",null]}';
}
