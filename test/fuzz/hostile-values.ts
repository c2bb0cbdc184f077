import type { Random } from './random';

const numbers = [0, -0, 1, -1, 2, 2.5, 1e308, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 63), 1e-320];
const strings = [
  '',
  ' ',
  '\u0000',
  '\ud83d',
  '\udc00\ud800',
  '\u{1f600}',
  '\ufeff',
  '\u2028',
  '__proto__',
  'constructor',
  'toString',
  'then',
  'null',
  '0',
  'NaN',
  'ß'.repeat(64),
  'x'.repeat(600),
];
const keys = ['__proto__', 'constructor', 'prototype', 'then', 'toJSON', 'toString', 'length', '', 'a', '0'];
const deepestRandomValue = 4;

/** Any JSON value, rather one that somebody forgot. */
export function anyValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth < deepestRandomValue ? 9 : 6);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind < 4) return random.pick(numbers);
  if (kind < 6) return random.pick(strings);
  if (kind < 7) return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
  return anyObject(random, depth + 1);
}

export function anyObject(random: Random, depth = 0): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (let count = random.below(5); count > 0; count -= 1) {
    // An assignment to `__proto__` would set the prototype; JSON.parse makes an own property of it.
    Object.defineProperty(made, random.pick(keys), {
      value: anyValue(random, depth + 1),
      enumerable: true,
      configurable: true,
    });
  }
  return made;
}
