import { isJsonScalar, type JsonScalar } from '../json';
import { type DecoratorImage, fixed, type Image } from './image';

/** Decorators that speak of numbers, dates and arrays. */
export const numbersDatesArrays: readonly DecoratorImage[] = [
  { decorator: 'Min', rule: 'min', example: [1], image: ([limit]) => bound('minimum', limit, 'at least') },
  { decorator: 'Max', rule: 'max', example: [12], image: ([limit]) => bound('maximum', limit, 'at most') },
  fixed('IsPositive', 'isPositive', {
    types: ['number'],
    keywords: { exclusiveMinimum: 0 },
    exact: true,
    expects: 'more than 0',
  }),
  fixed('IsNegative', 'isNegative', {
    types: ['number'],
    keywords: { exclusiveMaximum: 0 },
    exact: true,
    expects: 'less than 0',
  }),
  {
    decorator: 'IsDivisibleBy',
    rule: 'isDivisibleBy',
    example: [5],
    image: ([divisor]) => divisible(divisor),
  },
  coordinate('IsLatitude', 'isLatitude', 90),
  coordinate('IsLongitude', 'isLongitude', 180),
  {
    decorator: 'MinDate',
    rule: 'minDate',
    example: [new Date(0)],
    image: ([date]) => dateBound(date, 'not before'),
  },
  {
    decorator: 'MaxDate',
    rule: 'maxDate',
    example: [new Date(0)],
    image: ([date]) => dateBound(date, 'not after'),
  },
  fixed('ArrayNotEmpty', 'arrayNotEmpty', {
    types: ['array'],
    keywords: { minItems: 1 },
    exact: true,
    expects: 'an array with at least one item',
  }),
  {
    decorator: 'ArrayMinSize',
    rule: 'arrayMinSize',
    example: [1],
    image: ([size]) => sizeBound('minItems', size, 'at least'),
  },
  {
    decorator: 'ArrayMaxSize',
    rule: 'arrayMaxSize',
    example: [9],
    image: ([size]) => sizeBound('maxItems', size, 'at most'),
  },
  // `uniqueItems` compares deeply, class-validator by identity: the reader keeps it for scalar items without a selector.
  fixed('ArrayUnique', 'arrayUnique', {
    types: ['array'],
    keywords: { uniqueItems: true },
    exact: false,
    expects: 'an array without duplicates',
  }),
  {
    decorator: 'ArrayContains',
    rule: 'arrayContains',
    example: [['a']],
    image: ([values]) => containsImage(values),
  },
  {
    decorator: 'ArrayNotContains',
    rule: 'arrayNotContains',
    example: [['a']],
    image: ([values]) => containsNoneImage(values),
  },
];

function bound(keyword: 'minimum' | 'maximum', limit: unknown, words: string): Image {
  if (typeof limit !== 'number' || !Number.isFinite(limit))
    return { types: ['number'], exact: false, expects: `${words} ${String(limit)}` };
  return { types: ['number'], keywords: { [keyword]: limit }, exact: true, expects: `${words} ${limit}` };
}

function divisible(divisor: unknown): Image {
  // class-validator cuts the divisor to an integer; the sign does not matter.
  const whole = Math.abs(Number.parseInt(String(divisor), 10));
  const expects = `divisible by ${String(divisor)}`;
  if (!(whole >= 1))
    return { types: ['number'], exact: false, expects, refusal: 'no number can be divided by it' };
  return { types: ['number'], keywords: { multipleOf: whole }, exact: true, expects };
}

function coordinate(decorator: string, rule: string, limit: number): DecoratorImage {
  return fixed(decorator, rule, {
    types: ['number', 'string'],
    keywords: { minimum: -limit, maximum: limit },
    exact: false,
    expects: `a number from -${limit} to ${limit}, or a string with one`,
    hint: true,
  });
}

function dateBound(date: unknown, words: string): Image {
  // A function gives another date each time, so its value must not be published.
  const expects =
    date instanceof Date && !Number.isNaN(date.getTime())
      ? `${words} ${date.toISOString()}`
      : 'in the allowed range';
  return { types: ['date'], exact: false, expects, hint: true };
}

function sizeBound(keyword: 'minItems' | 'maxItems', size: unknown, words: string): Image {
  const expects = `an array with ${words} ${String(size)} items`;
  if (typeof size !== 'number' || !Number.isFinite(size) || size < 0)
    return { types: ['array'], exact: false, expects };
  const whole = keyword === 'minItems' ? Math.ceil(size) : Math.floor(size);
  return { types: ['array'], keywords: { [keyword]: whole }, exact: true, expects };
}

function scalarsOf(values: unknown): { readonly scalars: readonly JsonScalar[]; readonly all: boolean } {
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  const scalars = list.filter(isJsonScalar);
  return { scalars, all: scalars.length === list.length };
}

function containsImage(values: unknown): Image {
  const { scalars, all } = scalarsOf(values);
  const expects = `an array that contains ${scalars.map((value) => JSON.stringify(value)).join(', ')}`;
  if (scalars.length === 0) return { types: ['array'], exact: all, expects };
  if (scalars.length === 1)
    return { types: ['array'], keywords: { contains: { const: scalars[0] } }, exact: all, expects };
  const allOf = scalars.map((value) => ({ contains: { const: value } }));
  return { types: ['array'], keywords: { allOf }, exact: all, expects };
}

function containsNoneImage(values: unknown): Image {
  const { scalars, all } = scalarsOf(values);
  const expects = `an array without ${scalars.map((value) => JSON.stringify(value)).join(', ')}`;
  if (scalars.length === 0) return { types: ['array'], exact: all, expects };
  return {
    types: ['array'],
    keywords: { not: { type: 'array', contains: { enum: scalars } } },
    exact: all,
    expects,
  };
}
