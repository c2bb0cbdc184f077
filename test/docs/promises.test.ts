import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository';

const page = readFileSync(join(root, 'docs/reference/promises.md'), 'utf8');
const sections = page.split(/^## /m).slice(1);
const references = [...page.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', name = '']) => ({
  file,
  name,
}));

describe('the page of promises', () => {
  it('numbers twelve promises, each with a test', () => {
    expect(sections.map((section) => Number.parseInt(section, 10))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(sections.filter((section) => !section.includes('\n- `'))).toEqual([]);
  });

  it.each(references)('names a test that exists: $name', ({ file, name }) => {
    expect(existsSync(join(root, file))).toBe(true);
    const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
    expect(source).toMatch(new RegExp(`['"\`]${escaped(name)}['"\`],`));
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
