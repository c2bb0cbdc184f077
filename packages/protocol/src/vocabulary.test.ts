import { serverExamples } from './examples.test-support';
import {
  ALWAYS_SENT_TYPES,
  highestCommonVersion,
  isSubscribableEvent,
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
