import type { EnumObject } from './class';
import { type Class, isClass } from './class';
import { classify, type DeclaredType } from './declared-type';
import { isJsonScalar, type JsonScalar, type JsonSchema } from './json';
import { oneOfImage, valuesOfEnum } from './keywords/types-and-values';
import { intersectTypes } from './merge-images';
import { type ArgumentsPlan, createPlan, type SchemaOptions } from './plan';
import { checkTimeZone } from './plan-dto';
import { readClasses } from './read-class';
import { isReserved } from './read-property';
import { readValue } from './read-value';
import { ProblemList, type Reading } from './reading';
import { readExpression, readStringExpression } from './regular-expression';
import { maxUnits } from './scan';
import { isSensitiveType, Sensitive } from './sensitive';
import type { PropertyPlan, Shape } from './shape';
import { isSlow } from './slow-pattern';

/** A type given by name, or a class: `String`, `Number`, `Boolean`, `Date`, or one with validated properties. */
export type ArgumentType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | Class;

/** What `@Arg(name, options)` says of one argument. */
export interface ArgOptions {
  readonly description?: string | undefined;
  /** The values it may have: a list, or an enum. */
  readonly enum?: readonly (string | number | boolean)[] | EnumObject | undefined;
  /** For builds without emitted metadata, and where the parameter's type says too little (`integer`). */
  readonly type?: ArgumentType | undefined;
  /** The type of the items of an array. */
  readonly items?: ArgumentType | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** A source for `pattern` of JSON Schema, or an expression without flags (or with `u`). */
  readonly pattern?: string | RegExp | undefined;
  /** Whether it may be left out; the parameter is then `undefined`. @default false */
  readonly optional?: boolean | undefined;
  /** What the parameter is where the argument is left out. */
  readonly default?: string | number | boolean | undefined;
  /** The IANA zone for dates without offset. */
  readonly timeZone?: string | undefined;
}

/** One parameter of a tool that is an argument of its own. */
export interface ScalarParameter {
  readonly name: string;
  /** The parameter's entry in `design:paramtypes`; `undefined` without metadata. */
  readonly designType: unknown;
  readonly options: ArgOptions;
  /** For problems: `LuigiAgent.openingHours, parameter 0 ("day")`. */
  readonly where: string;
}

/** Plans named arguments. The bound value is an array of their values, in the order of `parameters`. */
export function planScalars(
  parameters: readonly ScalarParameter[],
  options: SchemaOptions = {},
): ArgumentsPlan {
  const list = new ProblemList();
  checkTimeZone(options, list, 'arguments');
  const roots: Class[] = [];
  const reading: Reading = {
    list,
    groups: options.groups,
    timeZone: options.timeZone,
    direction: 'in',
    prefix: '',
    reach: (type) => void roots.push(type),
  };
  reportNames(parameters, list);
  const properties = parameters.map((parameter) => planParameter(reading, parameter));
  const plans = readClasses(roots, options, list);
  const read = properties.filter((property) => property !== undefined);
  const defaults = parameters.map(({ options: own, designType }) =>
    own.default !== undefined && isSensitiveType(designType) ? new Sensitive(own.default) : own.default,
  );
  return createPlan(
    {
      plans,
      properties: read,
      list,
      compileBinder: (binderOptions) =>
        (require('./binder') as typeof import('./binder')).compileListBinder(
          plans,
          read,
          defaults,
          binderOptions,
        ),
      makeChecker: () => (require('./check') as typeof import('./check')).checkerOfList(plans, read),
    },
    options,
  );
}

function reportNames(parameters: readonly ScalarParameter[], list: ProblemList): void {
  const seen = new Set<string>();
  for (const { name, where } of parameters) {
    if (isReserved(name)) list.report('CW_SCHEMA_RESERVED_NAME', where, { name });
    if (seen.has(name)) list.report('CW_SCHEMA_DUPLICATE_NAME', where, { name });
    seen.add(name);
  }
}

function planParameter(
  reading: Reading,
  { name, designType, options, where }: ScalarParameter,
): PropertyPlan | undefined {
  if (!isUsablePattern(reading, where, options)) return undefined;
  const shape = shapeOf(reading, { name, where, designType, options });
  if (shape === undefined) return undefined;
  const wrapped = isSensitiveType(designType);
  const hasDefault = options.default !== undefined;
  return {
    name,
    wireName: name,
    shape,
    required: options.optional !== true && !hasDefault,
    nullable: options.optional === true,
    hasInitializer: hasDefault,
    sensitive: wrapped,
    wrapped,
    loose: false,
    conditions: [],
    checks: [],
    transforms: [],
    ...(hasDefault && !wrapped ? { defaultValue: options.default } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
  };
}

function shapeOf(reading: Reading, { name, where, designType, options }: ScalarParameter): Shape | undefined {
  const declared = options.type === undefined ? classify(designType) : declaredBy(options.type);
  const keywords = keywordsOf(options);
  if (declared.kind === 'list') return listOf(reading, where, options, declared, keywords);
  if (declared.kind === 'map') {
    reading.list.report('CW_META_UNSUPPORTED', where, { type: 'Map' });
    return undefined;
  }
  const shape = readValue(reading, {
    where,
    rules: enumRules(options),
    declared,
    fragment: keywords,
    timeZone: options.timeZone ?? reading.timeZone,
    takesAny: false,
    mayBeLate: true,
    argument: name,
  });
  return shape !== undefined && fits(reading, where, options, shape) ? shape : undefined;
}

function declaredBy(type: ArgumentType): DeclaredType {
  if (isClass(type)) return classify(type);
  if (type === 'array') return { kind: 'list', container: 'array' };
  return { kind: 'scalar', types: [type as Exclude<ArgumentType, Class | 'array'>], isExplicit: true };
}

function keywordsOf(options: ArgOptions): JsonSchema {
  const { pattern } = options;
  const all = {
    minimum: options.min,
    maximum: options.max,
    minLength: options.minLength,
    maxLength: options.maxLength,
    minItems: options.minItems,
    maxItems: options.maxItems,
    pattern: pattern instanceof RegExp ? readExpression(pattern).pattern : pattern,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Reports an expression that cannot be published, and warns of one that can take very long. */
function isUsablePattern(reading: Reading, where: string, { pattern, maxLength }: ArgOptions): boolean {
  if (pattern === undefined) return true;
  const read = pattern instanceof RegExp ? readExpression(pattern) : readStringExpression(pattern, 'u');
  if (read.pattern === undefined) {
    const why = read.refusal ?? 'JSON Schema has no flags; write [Aa] instead of the flag i';
    reading.list.report('CW_SCHEMA_REFUSED', where, { decorator: `the pattern ${read.text}`, why });
    return false;
  }
  if (isSlow(read.pattern, 'u', Math.min(maxLength ?? maxUnits, maxUnits)))
    reading.list.warn('CW_SCHEMA_SLOW_PATTERN', where, { pattern: read.text });
  return true;
}

/** The values of the option `enum`, in order. */
export function enumValues(values: NonNullable<ArgOptions['enum']>): readonly JsonScalar[] {
  return Array.isArray(values) ? values.filter(isJsonScalar) : valuesOfEnum(values);
}

function enumRules({ enum: values }: ArgOptions): Parameters<typeof readValue>[1]['rules'] {
  if (values === undefined) return [];
  const image = oneOfImage(enumValues(values));
  const rule = {
    name: 'enum',
    kind: 'check',
    each: false,
    constraints: [],
    isAsync: false,
    accepts: () => true,
  } as const;
  return [{ rule, image }];
}

function listOf(
  reading: Reading,
  where: string,
  options: ArgOptions,
  declared: DeclaredType & { kind: 'list' },
  keywords: JsonSchema,
): Shape | undefined {
  if (options.items === undefined && options.enum === undefined)
    reading.list.warn('CW_SCHEMA_ITEMS', where, {});
  const items = readValue(reading, {
    where: `${where}[]`,
    rules: enumRules(options),
    declared: options.items === undefined ? { kind: 'missing' } : declaredBy(options.items),
    timeZone: options.timeZone ?? reading.timeZone,
    takesAny: options.items === undefined,
  });
  if (items === undefined) return undefined;
  const unique = declared.container === 'set' ? { uniqueItems: true } : {};
  return { kind: 'list', container: declared.container, items, keywords: { ...keywords, ...unique } };
}

/** Reports options that say nothing of the type, and a default that is not allowed. */
function fits(reading: Reading, where: string, options: ArgOptions, shape: Shape): boolean {
  const types = shape.kind === 'value' ? (shape.types ?? []) : [];
  const isNumber = types.includes('number') || types.includes('integer');
  const isText = types.includes('string');
  const misplaced =
    ((options.min ?? options.max) !== undefined && !isNumber && 'min and max') ||
    ((options.minLength ?? options.maxLength ?? options.pattern) !== undefined &&
      !isText &&
      'minLength, maxLength and pattern') ||
    ((options.minItems ?? options.maxItems ?? options.items) !== undefined && 'items, minItems and maxItems');
  if (misplaced !== false && misplaced !== undefined) {
    const second = `the type ${shape.kind === 'value' ? types.join(' or ') : shape.kind}`;
    reading.list.report('CW_SCHEMA_CONTRADICTION', where, { first: misplaced, second });
    return false;
  }
  const value = options.default;
  if (value === undefined) return true;
  const isOfType = intersectTypes(oneOfImage([value]).types, types)?.length !== 0 && shape.kind === 'value';
  const isListed = options.enum === undefined || enumValues(options.enum).includes(value);
  if (isOfType && isListed) return true;
  reading.list.report('CW_SCHEMA_CONTRADICTION', where, {
    first: 'the default',
    second: 'the type or the enum',
  });
  return false;
}
