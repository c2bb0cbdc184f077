import { bookTableArguments } from '../agents/booking';
import { corpusOf } from './corpus';

test('the corpus begins with the valid arguments and changes none of its own', () => {
  const before = structuredClone(bookTableArguments);
  const corpus = corpusOf(bookTableArguments);
  expect(corpus[0]).toEqual(bookTableArguments);
  expect(bookTableArguments).toEqual(before);
  expect(corpus.length).toBeGreaterThan(400);
});

test('it leaves members out, and adds one to every object', () => {
  const texts = corpusOf({ name: 'Ada', guest: { age: 4 } }).map((value) => JSON.stringify(value));
  expect(texts).toContain('{"guest":{"age":4}}');
  expect(texts).toContain('{"name":"Ada","guest":{}}');
  expect(texts).toContain('{"name":"Ada","guest":{"age":4},"surplus":"x"}');
  expect(texts).toContain('{"name":"Ada","guest":{"age":4,"surplus":"x"}}');
});
