import { goalOf } from './goals';
import { goalReport, jsonReport, tableReport } from './report';

const goal = goalOf('P1', '64x1');

test('a figure within its bound is ok, at the bound too', () => {
  expect(goalReport({ goal, figure: { median: 1.03, min: 1, max: 1.1 } })).toMatchObject({
    id: 'P1',
    case: '64x1',
    value: 1.03,
    goal: '<= 1.03',
    ok: true,
  });
});

test('a figure past its bound is not ok', () => {
  expect(goalReport({ goal, figure: { median: 1.031, min: 1, max: 1.1 } }).ok).toBe(false);
});

test('a goal that was not measured has no value and is not ok', () => {
  expect(goalReport({ goal, note: 'not measured: no python3' })).toMatchObject({ value: null, ok: false });
  expect(tableReport({ outcomes: [{ goal, note: 'not measured: no python3' }], references: [] })).toContain(
    'not measured: no python3',
  );
});

test('a bound from below is read as one', () => {
  const below = goalOf('P3', '64x1');
  expect(goalReport({ goal: below, figure: { median: 8, min: 8, max: 8 } }).ok).toBe(true);
  expect(goalReport({ goal: below, figure: { median: 7.9, min: 7, max: 8 } }).ok).toBe(false);
});

test('the JSON is one object with the goals', () => {
  const text = jsonReport({ outcomes: [{ goal, figure: { median: 1, min: 1, max: 1 } }], references: [] });
  expect(JSON.parse(text)).toEqual({ goals: [expect.objectContaining({ id: 'P1', value: 1, ok: true })] });
});
