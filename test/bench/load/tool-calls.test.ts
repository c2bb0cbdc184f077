import { book, bookTableArguments, RESERVATION_PREFIX } from '../agents/booking';
import { toolCall } from './tool-calls';

test('a tool call is a message of about 420 bytes with a key of its own', () => {
  const texts = [1, 2].map((id) => toolCall(1_000 + id, 12_345, id));
  const [first, second] = texts.map((text) => JSON.parse(text));
  expect(first).toMatchObject({ type: 'tool.call', id: 1, name: 'book_table', kind: 'side_effect' });
  expect(first.arguments).toEqual(bookTableArguments);
  expect(first.idempotency_key).not.toBe(second.idempotency_key);
  for (const text of texts) expect(Math.abs(text.length - 420)).toBeLessThan(10);
});

test('its result is a message of about 176 bytes that the load knows as one', () => {
  const text = JSON.stringify({ type: 'tool.result', id: 4_321, result: book(bookTableArguments) });
  expect(text).toContain(RESERVATION_PREFIX);
  expect(Math.abs(text.length - 176)).toBeLessThan(5);
});
