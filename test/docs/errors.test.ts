import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Heading, readPages } from './markdown';
import { repositoryFiles, root } from './repository';

interface ErrorTable {
  /** The name of the package as npm knows it. */
  readonly packageName: string;
  readonly codes: readonly string[];
}

const errorsPage = 'docs/reference/errors.md';
const tables = readTables();
const sections = readSections();

describe('errors and their page', () => {
  it.each(tables)('document every code of $packageName, and no other, under its heading', (table) => {
    const documented = sections.filter((section) => section.packageName === table.packageName);
    expect(documented.map((section) => section.code).sort()).toEqual([...table.codes].sort());
  });

  it('have no section under a package without such a table', () => {
    const known = new Set(tables.map((table) => table.packageName));
    expect(sections.filter((section) => !known.has(section.packageName))).toEqual([]);
  });

  it('say something about every code', () => {
    expect(sections.filter((section) => section.body.length < 40).map((section) => section.code)).toEqual([]);
  });

  it('use codes that start with CW_ and belong to one package only', () => {
    const codes = tables.flatMap((table) => table.codes);
    expect(codes.filter((code) => !/^CW_[A-Z0-9_]+$/.test(code))).toEqual([]);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it('are complete: source and pages name no code that no table has', () => {
    const known = new Set(tables.flatMap((table) => table.codes));
    const places = repositoryFiles().filter(
      (path) =>
        (/^(packages|samples)\/.*\.ts$/.test(path) && !path.endsWith('.test.ts')) || path.endsWith('.md'),
    );
    const unknown = places.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\bCW_[A-Z0-9_]*[A-Z0-9]\b/g)]
        .filter((match) => !known.has(match[0]))
        .map((match) => `${path}: ${match[0]}`),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });
});

function readTables(): readonly ErrorTable[] {
  return readdirSync(join(root, 'packages')).flatMap((folder) => {
    const file = join(root, 'packages', folder, 'src', 'errors.ts');
    if (!existsSync(file)) return [];
    const { name }: { name: string } = JSON.parse(
      readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
    );
    const exported: Readonly<Record<string, object>> = require(file);
    const tableName = `${folder.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Errors`;
    const table = exported[tableName];
    if (table === undefined) throw new Error(`packages/${folder}/src/errors.ts does not export ${tableName}`);
    return [{ packageName: name, codes: Object.keys(table) }];
  });
}

function readSections(): readonly { packageName: string; code: string; body: string }[] {
  const headings: readonly Heading[] = readPages().find((page) => page.path === errorsPage)?.headings ?? [];
  let packageName = '';
  const found: { packageName: string; code: string; body: string }[] = [];
  for (const heading of headings) {
    const text = heading.text.replaceAll('`', '');
    if (heading.depth === 2) packageName = text;
    if (heading.depth === 3) found.push({ packageName, code: text, body: heading.body });
  }
  return found;
}
