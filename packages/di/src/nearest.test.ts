import { nearestNames, suggestion } from './nearest';

test('slips, other cases and longer names are suggested, nearest first, at most three', () => {
  expect(nearestNames('Calender', ['Calendar', 'Colander', 'Kitchen'])).toEqual(['Calendar', 'Colander']);
  expect(nearestNames('calendar', ['Calendar'])).toEqual(['Calendar']);
  expect(nearestNames('Calendar', ['CalendarService'])).toEqual(['CalendarService']);
  expect(nearestNames('Aaaa', ['Aaab', 'Aaac', 'Aaad', 'Aaae'])).toEqual(['Aaab', 'Aaac', 'Aaad']);
});

test('names with too little in common, and the name itself, are not', () => {
  expect(nearestNames('Calendar', ['Calendar', 'Kitchen', ''])).toEqual([]);
  expect(nearestNames('', ['Kitchen'])).toEqual([]);
});

test('a suggestion is a parenthesis behind the wrong name, or nothing', () => {
  expect(suggestion('hots', ['host', 'port'])).toBe(' (did you mean host?)');
  expect(suggestion('zzzzzz', ['host', 'port'])).toBe('');
});
