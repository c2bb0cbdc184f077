import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GOALS, goalOf, meets } from './goals';

test('a goal is found by its id and case, and no other', () => {
  expect(goalOf('P3', 'event').bound).toBe(8);
  expect(() => goalOf('P3', 'nothing')).toThrow('there is no goal P3 nothing');
});

test('a bound from above and one from below are reached at the bound', () => {
  expect(meets(goalOf('P1', '64x1'), 1.03)).toBe(true);
  expect(meets(goalOf('P1', '64x1'), 1.04)).toBe(false);
  expect(meets(goalOf('P4', '64x1'), 5)).toBe(true);
  expect(meets(goalOf('P4', '64x1'), 4.9)).toBe(false);
});

test('every goal stands on its page', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'performance.md'), 'utf8');
  for (const { id } of GOALS) expect(page).toContain(`| ${id} |`);
});
