import { readExpression, readStringExpression } from './regular-expression';

describe('expressions as patterns of JSON Schema', () => {
  test.each<[RegExp, string]>([
    [/^[a-z]+$/, '^[a-z]+$'],
    [/^a-b@c$/, '^a-b@c$'],
    [/^[a\-z]$/, '^[a\\-z]$'],
    [/\p{Lu}/u, '\\p{Lu}'],
    [/^[^,]+$/, '^[^,]+$'],
  ])('%s is published', (expression, pattern) => {
    expect(readExpression(expression).pattern).toBe(pattern);
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
  });

  test.each([/a/i, /^a$/m, /a.b/s, /^.{2}$/, /^..$/])(
    '%s is not: with the flag u it would mean something else',
    (expression) => {
      expect(readExpression(expression)).toMatchObject({ exact: false });
      expect(readExpression(expression)).not.toHaveProperty('pattern');
    },
  );

  test('a character of two units is not: without the flag u it is two characters', () => {
    expect(readStringExpression('[😀]', '')).toEqual({ text: '/[😀]/', exact: false });
  });

  test('expressions that keep a position, and texts that are none, are refused', () => {
    for (const expression of [/a/g, /a/y]) expect(readExpression(expression).refusal).toBeDefined();
    expect(readStringExpression('(', '').refusal).toBeDefined();
    expect(readStringExpression('^a', 'u')).toEqual({ text: '/^a/u', pattern: '^a', exact: true });
  });
});
