import { cutUtf8, exceedsUtf8, isBlank, isWellFormed, toWellFormed, utf8ByteLength } from './text';

describe('text', () => {
  test('is measured in bytes of UTF-8', () => {
    expect(['x', 'é', '€', '😀', '\ud83d'].map(utf8ByteLength)).toEqual([1, 2, 3, 4, 3]);
  });

  test('exceeds a limit by one byte, whatever its characters', () => {
    for (const character of ['x', 'é', '€', '😀']) {
      const text = character.repeat(12);
      expect(exceedsUtf8(text, utf8ByteLength(text))).toBe(false);
      expect(exceedsUtf8(text, utf8ByteLength(text) - 1)).toBe(true);
    }
    expect(exceedsUtf8('', 0)).toBe(false);
  });

  test.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['abc', 0, ''],
    ['aé', 2, 'a'],
    ['a€', 3, 'a'],
    ['a😀b', 4, 'a'],
    ['a😀b', 5, 'a😀'],
    ['😀', 3, ''],
    ['\ud83dx', 3, '\ud83d'],
  ])('%j cut at %d bytes is %j', (text, limit, cut) => {
    expect(cutUtf8(text, limit)).toBe(cut);
  });

  test('is well-formed without lone surrogates, and can be made so', () => {
    expect(isWellFormed('😀')).toBe(true);
    expect(isWellFormed('a\ud83d')).toBe(false);
    expect(toWellFormed('a\ud83db')).toBe('a\ufffdb');
  });

  test('is blank when it is all white space of Unicode', () => {
    for (const text of ['', ' ', '\t\n', '\u0085', '\u2003\u3000']) expect(isBlank(text)).toBe(true);
    for (const text of ['x', ' x', '\ufeff', '\u200b', '\ud83d']) expect(isBlank(text)).toBe(false);
  });
});
