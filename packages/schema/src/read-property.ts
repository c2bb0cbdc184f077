import { type Annotation, annotationOf } from './annotations';
import type { Class } from './class';
import { exposedName, transformsOf } from './class-transformer';
import type { PropertyRules, Rule } from './class-validator';
import { isKnownTimeZone } from './date';
import { classify, type Declaration, type DeclaredType, readDeclaration } from './declared-type';
import { unknownKeywords } from './fragment';
import { isJsonScalar } from './json';
import { decoratorOf, imageOf } from './keywords/table';
import { readContainer } from './read-container';
import { type ReadRule, readValue } from './read-value';
import type { Reading } from './reading';
import { maxUnits } from './scan';
import type { Check, PropertyPlan, Shape } from './shape';
import { isSlow } from './slow-pattern';

/** What a property's initialiser gave at two constructions. */
export interface Initializer {
  readonly value: unknown;
  readonly isStable: boolean;
}

/** What is read about a property before its shape is decided. */
export interface PropertyFacts {
  readonly where: string;
  readonly annotation: Annotation;
  readonly declaration: Declaration;
  readonly rules: readonly Rule[];
  /** Rules of the value as a whole, without those that a condition or transform may switch off. */
  readonly own: readonly ReadRule[];
  readonly each: readonly ReadRule[];
  readonly timeZone: string | undefined;
  readonly takesAny: boolean;
}

/** Reads one property. `undefined` where it is excluded, or after a problem. */
export function readProperty(
  reading: Reading,
  type: Class,
  property: string,
  propertyRules: PropertyRules | undefined,
  initializer: Initializer | undefined,
): PropertyPlan | undefined {
  const wireName = exposedName(type, property, reading.direction, reading.groups);
  if (wireName === undefined) return undefined;
  const where = `${reading.prefix}${type.name}.${property}`;
  if (isReserved(wireName) || isReserved(property)) {
    reading.list.report('CW_SCHEMA_RESERVED_NAME', where, {
      name: isReserved(wireName) ? wireName : property,
    });
    return undefined;
  }
  const annotation = annotationOf(type, property);
  const rules = propertyRules?.rules ?? [];
  if (!isUsable(reading, where, annotation, rules)) return undefined;
  const transforms = transformsOf(type, property, reading.direction, reading.groups);
  const facts = factsOf(reading, {
    where,
    annotation,
    rules,
    declaration: readDeclaration(type, property, annotation),
  });
  const shape = shapeOf(reading, facts, transforms.length > 0);
  if (shape === undefined) return undefined;
  if (transforms.length > 0 && annotation.fragment === undefined)
    reading.list.warn('CW_SCHEMA_TRANSFORM', where, {});
  if (propertyRules?.overridden !== undefined)
    reading.list.warn('CW_SCHEMA_OVERRIDE', where, { base: propertyRules.overridden.name });
  return {
    name: property,
    wireName,
    transforms,
    ...planOf(facts, shape, transforms.length > 0, initializer),
  };
}

/** Names that every object has, or that make an object something else. */
export function isReserved(name: string): boolean {
  return name === 'then' || name === 'prototype' || name in Object.prototype;
}

function isUsable(reading: Reading, where: string, annotation: Annotation, rules: readonly Rule[]): boolean {
  const before = reading.list.problems.length;
  for (const keyword of unknownKeywords(annotation.fragment ?? {}))
    reading.list.report('CW_SCHEMA_KEYWORD', where, { keyword });
  if (annotation.timeZone !== undefined && !isKnownTimeZone(annotation.timeZone))
    reading.list.report('CW_SCHEMA_TIME_ZONE', where, { timeZone: annotation.timeZone });
  for (const rule of rules) {
    if (rule.kind === 'promise')
      reading.list.report('CW_SCHEMA_REFUSED', where, {
        decorator: '@ValidatePromise',
        why: 'JSON has no promises',
      });
    if (rule.isAsync) reading.list.report('CW_VALIDATOR_ASYNC', where, { decorator: decoratorOf(rule) });
    const why = rule.kind === 'check' ? imageOf(rule)?.refusal : undefined;
    if (why !== undefined)
      reading.list.report('CW_SCHEMA_REFUSED', where, { decorator: decoratorOf(rule), why });
  }
  const pattern = annotation.fragment?.pattern;
  if (typeof pattern === 'string' && isSlow(pattern, 'u', maxUnits))
    reading.list.warn('CW_SCHEMA_SLOW_PATTERN', where, { pattern: pattern.slice(0, 120) });
  return reading.list.problems.length === before;
}

function factsOf(
  reading: Reading,
  {
    where,
    annotation,
    rules,
    declaration,
  }: Pick<PropertyFacts, 'where' | 'annotation' | 'rules' | 'declaration'>,
): PropertyFacts {
  // A rule with its own `validateIf` may not apply, so it decides nothing in the schema.
  const checks = rules.filter((rule) => rule.kind === 'check' && rule.validateIf === undefined);
  const read = checks.map((rule): ReadRule => ({ rule, image: imageOf(rule) }));
  for (const { rule, image } of read)
    if (image === undefined && annotation.fragment === undefined && annotation.description === undefined)
      reading.list.warn('CW_SCHEMA_CUSTOM', where, { name: rule.name });
  const hasOpenFragment = annotation.fragment !== undefined && annotation.fragment.type === undefined;
  return {
    where,
    annotation,
    rules,
    declaration: withInstanceClass(declaration, checks),
    own: read.filter(({ rule }) => !rule.each),
    each: read.filter(({ rule }) => rule.each),
    timeZone: annotation.timeZone ?? reading.timeZone,
    // A result is shown, not judged: what cannot be read is shown as any value.
    takesAny: reading.direction === 'out' || hasOpenFragment || rules.some((rule) => rule.kind === 'allow'),
  };
}

// `@IsInstance(Guest)` names the class as `@Type` would.
function withInstanceClass(declaration: Declaration, checks: readonly Rule[]): Declaration {
  const rule = checks.find(({ name }) => name === 'isInstance');
  if (rule === undefined || declaration.element !== undefined) return declaration;
  const element: DeclaredType = classify(rule.constraints[0]);
  return element.kind === 'class' || element.kind === 'date' ? { ...declaration, element } : declaration;
}

function shapeOf(reading: Reading, facts: PropertyFacts, isTransformed: boolean): Shape | undefined {
  const { declaration, where, annotation } = facts;
  if (declaration.elementIsBroken) {
    reading.list.report('CW_META_OPAQUE', where, { emitted: '@Type or @Nested gives no class' });
    return undefined;
  }
  if (declaration.discriminator?.variants.length === 0) {
    reading.list.report('CW_SCHEMA_DISCRIMINATOR', where, { why: 'it names no class' });
    return undefined;
  }
  if (isTransformed && declaration.element === undefined && declaration.type.kind !== 'date')
    return { kind: 'value', keywords: fragmentKeywords(annotation), ...explicitTypes(declaration.type) };
  const container = readContainer(reading, facts);
  if (container !== 'none') return container;
  const nested = facts.rules.some((rule) => rule.kind === 'nested');
  const declared = declaration.element ?? declaration.type;
  if (declared.kind === 'missing' && annotation.metadataLibraryPresent === false) {
    reading.list.report('CW_META_LATE', where, {});
    return undefined;
  }
  // Only decorators of our own record whether the library was there when the class was made.
  const mayBeLate = annotation.metadataLibraryPresent === undefined;
  if (nested && declared.kind !== 'class' && declaration.discriminator === undefined) {
    if (declared.kind === 'missing') reading.list.report('CW_META_MISSING', where, { mayBeLate });
    else reading.list.report('CW_SCHEMA_NESTED_TYPE', where, {});
    return undefined;
  }
  return readValue(reading, {
    where,
    rules: facts.own,
    declared: declaration.discriminator === undefined ? declared : { kind: 'map' },
    discriminator: declaration.discriminator,
    fragment: annotation.fragment,
    timeZone: facts.timeZone,
    takesAny: facts.takesAny,
    mayBeLate,
  });
}

function fragmentKeywords({ fragment }: Annotation): Shape['keywords'] {
  const { type: _, description: __, ...keywords } = fragment ?? {};
  return keywords;
}

function explicitTypes(declared: DeclaredType): Partial<Pick<Shape & { kind: 'value' }, 'types'>> {
  return declared.kind === 'scalar' && declared.isExplicit ? { types: declared.types } : {};
}

function planOf(
  facts: PropertyFacts,
  shape: Shape,
  isTransformed: boolean,
  initializer: Initializer | undefined,
): Omit<PropertyPlan, 'name' | 'wireName' | 'transforms'> {
  const { rules, annotation, declaration } = facts;
  const conditions = rules.flatMap(({ condition }) => (condition === undefined ? [] : [condition]));
  const loose = conditions.length > 0 || isTransformed;
  const isOptional = rules.some((rule) => rule.kind === 'optional');
  const wrapped = declaration.type.kind === 'sensitive';
  const value = initializer?.value;
  const isPublished =
    initializer?.isStable === true && isJsonScalar(value) && value !== null && !isTransformed;
  const description = descriptionOf(facts);
  return {
    shape,
    required: !isOptional && initializer === undefined && conditions.length === 0 && !acceptsMissing(facts),
    nullable: isOptional,
    hasInitializer: initializer !== undefined,
    sensitive: wrapped || annotation.sensitive === true,
    wrapped,
    loose,
    conditions,
    checks: checksOf(facts, loose, shape),
    ...(isPublished && !wrapped && annotation.sensitive !== true ? { defaultValue: value } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

// Where every rule takes `undefined`, class-validator takes an object without the property.
function acceptsMissing({ own, each, rules }: PropertyFacts): boolean {
  if (rules.length > 0 && rules.every((rule) => rule.kind === 'allow')) return true;
  if (rules.some((rule) => rule.kind === 'nested')) return false;
  return own.length > 0 && each.length === 0 && own.every(({ image }) => image?.acceptsMissing === true);
}

function descriptionOf({ annotation, own, each }: PropertyFacts): string | undefined {
  const written = annotation.description ?? annotation.fragment?.description;
  const hints = [...own, ...each].flatMap(({ image }) => (image?.hint === true ? [image.expects] : []));
  const hint = [...new Set(hints)].join('; ');
  if (typeof written !== 'string') return hint === '' ? undefined : hint;
  return hint === '' ? written : `${written} (${hint})`;
}

/** The rules that must still be asked: those the schema does not express, and all of them where it says nothing. */
function checksOf({ rules }: PropertyFacts, loose: boolean, shape: Shape): readonly Check[] {
  return rules.flatMap((rule): readonly Check[] => {
    if (rule.kind !== 'check') return [];
    const image = imageOf(rule);
    const isSaid =
      image?.exact === true || (rule.name === 'arrayUnique' && shape.keywords.uniqueItems === true);
    if (isSaid && !loose && rule.validateIf === undefined) return [];
    if (rule.customMessage !== undefined) return [{ rule, expectation: `is refused: ${rule.customMessage}` }];
    return [{ rule, expectation: `must be ${image?.expects ?? `valid (${rule.name})`}` }];
  });
}
