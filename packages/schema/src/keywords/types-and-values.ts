import { isClass } from '../class';
import { isJsonScalar, type JsonScalar, typeOfScalar } from '../json';
import { type DecoratorImage, fixed, type Image, type ValueType } from './image';

/** Decorators that speak of the type, or of the value as a whole. */
export const typesAndValues: readonly DecoratorImage[] = [
  fixed('IsString', 'isString', { types: ['string'], exact: true, expects: 'a string' }),
  fixed('IsBoolean', 'isBoolean', { types: ['boolean'], exact: true, expects: 'true or false' }),
  fixed('IsInt', 'isInt', { types: ['integer'], exact: true, expects: 'an integer' }),
  { decorator: 'IsNumber', rule: 'isNumber', example: [{ maxDecimalPlaces: 2 }], image: numberImage },
  fixed('IsObject', 'isObject', { types: ['object'], exact: true, expects: 'an object' }),
  fixed('IsArray', 'isArray', { types: ['array'], exact: true, expects: 'an array' }),
  fixed('IsDate', 'isDate', { types: ['date'], exact: true, expects: 'a date and time' }),
  {
    decorator: 'IsEnum',
    rule: 'isEnum',
    example: [{ A: 'a', B: 'b' }],
    image: ([entity]) => enumImage(entity),
  },
  fixed('IsDefined', 'isDefined', {
    keywords: { not: { type: 'null' } },
    exact: true,
    expects: 'given, and not null',
  }),
  // An empty string is a string: the reader adds `minLength` where the type is known to be one.
  fixed('IsNotEmpty', 'isNotEmpty', {
    keywords: { not: { enum: ['', null] } },
    exact: true,
    expects: 'not empty',
  }),
  fixed('IsEmpty', 'isEmpty', {
    types: ['string', 'null'],
    keywords: { enum: ['', null] },
    exact: true,
    acceptsMissing: true,
    expects: 'empty',
  }),
  { decorator: 'Equals', rule: 'equals', example: ['yes'], image: ([value]) => equalsImage(value) },
  { decorator: 'NotEquals', rule: 'notEquals', example: ['no'], image: ([value]) => noneOfImage([value]) },
  { decorator: 'IsIn', rule: 'isIn', example: [['a', 'b']], image: ([values]) => oneOfImage(listOf(values)) },
  {
    decorator: 'IsNotIn',
    rule: 'isNotIn',
    example: [['a', 'b']],
    image: ([values]) => noneOfImage(listOf(values)),
  },
  { decorator: 'IsInstance', rule: 'isInstance', example: [Date], image: ([type]) => instanceImage(type) },
  { decorator: 'IsNotEmptyObject', rule: 'isNotEmptyObject', example: [], image: notEmptyObjectImage },
];

function numberImage([options]: readonly unknown[]): Image {
  const places = (options as { maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces;
  if (places === undefined) return { types: ['number'], exact: true, expects: 'a number' };
  if (places === 0) return { types: ['integer'], exact: true, expects: 'an integer' };
  // `multipleOf: 0.01` would refuse 19.99, because 19.99 / 0.01 is 1998.9999999999998 in floating point.
  const expects = `a number with at most ${places} decimal places`;
  return { types: ['number'], exact: false, expects, hint: true };
}

/** The values of an enum, without the names that TypeScript adds to a numeric one. */
export function valuesOfEnum(entity: unknown): readonly JsonScalar[] {
  if (typeof entity !== 'object' || entity === null) return [];
  const record = entity as Record<string, unknown>;
  const isReverseName = (key: string) =>
    String(Number(key)) === key && record[String(record[key])] === Number(key);
  const values = Object.keys(record).flatMap((key) => (isReverseName(key) ? [] : [record[key]]));
  return [...new Set(values.filter(isJsonScalar))];
}

function enumImage(entity: unknown): Image {
  return oneOfImage(valuesOfEnum(entity));
}

/** Types and `enum` for a closed list of values. */
export function oneOfImage(values: readonly unknown[]): Image {
  const scalars = [...new Set(values.filter(isJsonScalar))];
  const types: readonly ValueType[] = [...new Set(scalars.map(typeOfScalar))];
  return {
    types,
    keywords: { enum: scalars },
    exact: true,
    acceptsMissing: values.includes(undefined),
    expects: `one of ${scalars.slice(0, 20).map(quote).join(', ')}`,
  };
}

function equalsImage(value: unknown): Image {
  if (!isJsonScalar(value)) return oneOfImage([value]);
  return { types: [typeOfScalar(value)], keywords: { const: value }, exact: true, expects: quote(value) };
}

function noneOfImage(values: readonly unknown[]): Image {
  const scalars = [...new Set(values.filter(isJsonScalar))];
  const expects = `none of ${scalars.slice(0, 20).map(quote).join(', ')}`;
  const acceptsMissing = !values.includes(undefined);
  if (scalars.length === 0) return { exact: true, acceptsMissing, expects };
  const not = scalars.length === 1 ? { const: scalars[0] } : { enum: scalars };
  return { keywords: { not }, exact: true, acceptsMissing, expects };
}

function instanceImage(type: unknown): Image {
  if (type === Date) return { types: ['date'], exact: true, expects: 'a date and time' };
  if (type === Array) return { types: ['array'], exact: true, expects: 'an array' };
  // Other classes are nested DTOs: the reader takes the class as the property's type.
  return { types: ['object'], exact: false, expects: isClass(type) ? `a ${type.name}` : 'an object' };
}

function notEmptyObjectImage([options]: readonly unknown[]): Image {
  const allowsNulls = (options as { nullable?: boolean } | undefined)?.nullable !== false;
  return {
    types: ['object'],
    keywords: { minProperties: 1 },
    exact: allowsNulls,
    expects: 'an object that is not empty',
  };
}

function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function quote(value: JsonScalar): string {
  return JSON.stringify(value);
}
