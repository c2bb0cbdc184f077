import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverExamples } from './examples.test-support';
import * as limits from './limits';
import {
  ALWAYS_SENT_TYPES,
  COMMAND_TYPES,
  ERROR_CODES,
  highestCommonVersion,
  isSubscribableEvent,
  REJECT_CODES,
  SUBSCRIBABLE_EVENTS,
} from './vocabulary';

test('every server message but the first is either subscribed or always sent', () => {
  expect(['session.start', ...SUBSCRIBABLE_EVENTS, ...ALWAYS_SENT_TYPES].sort()).toEqual(
    Object.keys(serverExamples).sort(),
  );
});

test('there are 14 events to subscribe to, and names of objects are none', () => {
  expect(SUBSCRIBABLE_EVENTS).toHaveLength(14);
  for (const name of ['constructor', '__proto__', 'session.end', ''])
    expect(isSubscribableEvent(name)).toBe(false);
  for (const name of SUBSCRIBABLE_EVENTS) expect(isSubscribableEvent(name)).toBe(true);
});

test('the highest version both sides speak is taken', () => {
  expect(highestCommonVersion([3, 1, 2])).toBe(1);
  expect(highestCommonVersion([2])).toBeUndefined();
  expect(highestCommonVersion([])).toBeUndefined();
});

describe('the reference page of the protocol', () => {
  const page = readFileSync(join(__dirname, '../../../docs/reference/protocol.md'), 'utf8');

  test('names every type, event and code', () => {
    const words = [...Object.keys(serverExamples), ...COMMAND_TYPES, ...ERROR_CODES, ...REJECT_CODES];
    for (const word of ['session.accept', 'session.reject', 'tool.result', ...words])
      expect(page).toContain(`\`${word}`);
  });

  test('has sections 1 to 7, which the comments in the code refer to', () => {
    expect([...page.matchAll(/^## ([0-9])\. /gm)].map(([, number]) => number)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
  });

  test('tells the larger bounds that the code holds', () => {
    // Smaller numbers stand on any page.
    for (const [name, value] of Object.entries(limits)) {
      if (value < 125) continue;
      expect([name, page.includes(value.toLocaleString('en-US'))]).toEqual([name, true]);
    }
  });
});
