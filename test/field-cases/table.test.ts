import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const rows = [
  ...readFileSync(join(__dirname, 'README.md'), 'utf8').matchAll(/^\| (B\d+) \| .+? \| (\S+) \| (.+?) \|$/gm),
];

it('the table is read', () => {
  expect(rows.length).toBeGreaterThan(50);
});

it.each(rows.map(([, id = '', file = '', name = '']) => [id, file, name] as const))(
  '%s is held by a test in %s: %s',
  (_id, file, name) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(name);
  },
);

it('every case that a test of this folder names is in the table', () => {
  const listed = new Set(rows.map(([, id]) => id));
  const files = ['tools', 'calls', 'links', 'bytes', 'network', 'classes'];
  const texts = files.map((name) => readFileSync(join(__dirname, `${name}.test.ts`), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/'(B\d+): /g)].map(([, id]) => id));
  expect(named.filter((id) => !listed.has(id))).toEqual([]);
});
