import fc from 'fast-check';
import { hasLoneSurrogateEscape, isJsonTextDeeper, jsonDepth, plainJson } from './json';
import { isWellFormed } from './text';

function recursiveDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(recursiveDepth));
}

describe('the depth of JSON', () => {
  test('is that of a recursive count, in values and in text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 0, max: 10 }), (value, limit) => {
        const depth = recursiveDepth(value);
        expect(jsonDepth(value, 100)).toBe(depth);
        expect(jsonDepth(value, limit)).toBe(Math.min(depth, limit + 1));
        expect(isJsonTextDeeper(JSON.stringify(value, null, 3), limit)).toBe(depth > limit);
      }),
    );
  });

  test('stops at a cycle, also one that branches', () => {
    const cycle: Record<string, unknown> = {};
    cycle.left = cycle;
    cycle.right = cycle;
    expect(jsonDepth(cycle, 120)).toBe(121);
  });

  test('does not count brackets in strings, whatever their escapes', () => {
    const text = JSON.stringify(['"[[[[', '\\"[[[[', '[[\\', '{{{{']);
    expect(isJsonTextDeeper(text, 1)).toBe(false);
    expect(isJsonTextDeeper(`[[${text}]]`, 2)).toBe(true);
  });

  test('is told of a million levels without a stack', () => {
    expect(isJsonTextDeeper('['.repeat(1_000_000), 128)).toBe(true);
  });
});

describe('a lone surrogate spelt as an escape', () => {
  test('is found exactly where the parsed value has one', () => {
    const unit = fc.constantFrom(
      '\\ud83d',
      '\\ude00',
      '\\uD83D',
      '\\uDE00',
      '\\u0041',
      '\\\\',
      '\\n',
      'x',
      'ud83d',
      '\\"',
    );
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const json = `"${units.join('')}"`;
        expect(hasLoneSurrogateEscape(json)).toBe(!isWellFormed(JSON.parse(json) as string));
      }),
      { numRuns: 1_000 },
    );
  });

  test('is found between a key and its value', () => {
    expect(hasLoneSurrogateEscape('{"\\ud83d":"\\ude00"}')).toBe(true);
  });
});

describe('plain JSON', () => {
  test('is the text of a value, or undefined for what has none', () => {
    expect(plainJson({ a: [1] }, 2)).toBe('{"a":[1]}');
    expect(plainJson({ a: [1] }, 1)).toBeUndefined();
    expect(plainJson({ a: 1n }, 5)).toBeUndefined();
    expect(
      plainJson(
        {
          toJSON: () => {
            throw new Error('x');
          },
        },
        5,
      ),
    ).toBeUndefined();
    expect(plainJson(undefined, 5)).toBeUndefined();
  });
});
