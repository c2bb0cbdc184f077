import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string): string => readFileSync(join(__dirname, name), 'utf8');

it('the page describes every difference that is let pass, and no other', () => {
  const titles = [...read('differences.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  const source = read('sequence.ts') + read('compare.ts');
  const quoted = new Set([...source.matchAll(/'([^'\n]+)'/g)].map(([, text]) => text));
  expect(titles.filter((title) => !quoted.has(title))).toEqual([]);
  const named = [
    ...read('sequence.ts').matchAll(/expected(?:OfAll)?\.(?:set|add)\((?:[^,()]+, )?'([^']+)'\)/g),
  ];
  expect(named.length).toBeGreaterThan(5);
  // `counts` only says how to compare.
  const unknown = named.map(([, name]) => name).filter((name) => name !== 'counts' && !titles.includes(name));
  expect(unknown).toEqual([]);
});
