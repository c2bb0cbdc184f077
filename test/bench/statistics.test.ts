import { figureOf, median, pairedRatio } from './statistics';

test('the median of an odd and of an even count', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('a median of nothing is an error', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('a figure has its spread', () => {
  expect(figureOf([5, 1, 9])).toEqual({ median: 5, min: 1, max: 9 });
});

test('ratios are taken round by round, so a slow round of both changes nothing', () => {
  expect(pairedRatio([2, 20, 4], [1, 10, 2])).toEqual({ median: 2, min: 2, max: 2 });
});

test('rounds that do not pair are an error', () => {
  expect(() => pairedRatio([1, 2], [1])).toThrow(RangeError);
});
