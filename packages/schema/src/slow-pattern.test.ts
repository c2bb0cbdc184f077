import { isSlow } from './slow-pattern';

describe('isSlow', () => {
  test('nested repetition is slow, plain repetition is not', () => {
    expect(isSlow(/^(a+)+$/, undefined, 65_536)).toBe(true);
    expect(isSlow(/^(a|a)*$/, undefined, 65_536)).toBe(true);
    for (const pattern of [/^\+[0-9]{6,15}$/, /^[^@\s]+@[^@\s]+\.[a-z]+$/, /^([a-z]+-)*[a-z]+$/, /^a\+b\*$/])
      expect({ pattern, isSlow: isSlow(pattern, undefined, 65_536) }).toEqual({ pattern, isSlow: false });
  });

  test('what grows with a power of the length is slow only on strings that may be long', () => {
    expect(isSlow('^.*,.*,.*$', '', 65_536)).toBe(true);
    expect(isSlow('^.*,.*,.*$', '', 100)).toBe(false);
  });

  test('nothing is checked in production, and what is no expression is not slow', () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    expect(isSlow(/^(a+)+$/, undefined, 65_536)).toBe(false);
    process.env.NODE_ENV = before;
    expect(isSlow('(', '', 65_536)).toBe(false);
  });
});
