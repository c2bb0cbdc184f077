import { minLength } from 'class-validator';
import fc from 'fast-check';
import { hasAtLeast, hasAtMost, visibleLength } from './visible-length';

test('characters are counted as class-validator counts them', () => {
  const units = fc.constantFrom('a', '😀', '\uFE0F', '\uFE0E', '\uD83D', '\uDE00', 'é', '❤');
  fc.assert(
    fc.property(fc.array(units, { maxLength: 12 }), fc.nat({ max: 12 }), (parts, count) => {
      const text = parts.join('');
      const isAtLeast = minLength(text, count);
      return hasAtLeast(text, count) === isAtLeast && hasAtMost(text, count) === !minLength(text, count + 1);
    }),
    { numRuns: 5_000 },
  );
  expect(visibleLength('❤️😀a')).toBe(3);
});
