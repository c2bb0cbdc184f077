import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type Link, readPages, readSourceBlocks } from './markdown';
import { root } from './repository';

const pages = readPages();
const pageByPath = new Map(pages.map((page) => [page.path, page]));
const at = (place: { page: string; line: number }) => `${place.page}:${place.line}`;

describe('the pages', () => {
  it('link only to files and headings that exist', () => {
    const broken = pages
      .flatMap((page) => page.links)
      .filter((link) => isLocal(link) && !leadsSomewhere(link));
    expect(broken.map((link) => `${at(link)} -> ${link.target}`)).toEqual([]);
  });

  it('mark code blocks only in ways that the checks know', () => {
    const unknown = [...pages.flatMap((page) => page.blocks), ...readSourceBlocks()].filter(
      (block) => block.language === '' || isUnknownFlag(block.language, block.flags),
    );
    expect(unknown.map((block) => `${at(block)} ${block.language} ${block.flags.join(' ')}`)).toEqual([]);
  });

  it('are each reached from the README or the index of their folder', () => {
    const linked = new Set(pages.flatMap((page) => page.links).map(pathOf));
    const lonely = pages
      .map((page) => page.path)
      .filter((path) => path.startsWith('docs/') && !linked.has(path));
    expect(lonely).toEqual([]);
  });
});

describe('the README', () => {
  it('shows the two commands, and CI runs the same ones', () => {
    const shell = (pageByPath.get('README.md')?.blocks ?? []).filter((block) =>
      ['bash', 'sh'].includes(block.language),
    );
    const commands = shell
      .flatMap((block) => block.code.split('\n'))
      .map((line) => line.replace(/\s+#.*$/, ''));
    expect(commands).toEqual(expect.arrayContaining(['npm ci && npm start', 'npm ci && npm test']));
  });
});

function isLocal(link: Link): boolean {
  return !/^[a-z][a-z+.-]*:/.test(link.target);
}

function leadsSomewhere(link: Link): boolean {
  const path = pathOf(link);
  if (!existsSync(join(root, path))) return false;
  const anchor = link.target.split('#')[1];
  const page = pageByPath.get(path);
  return anchor === undefined || page === undefined || page.anchors.has(anchor);
}

function pathOf(link: Link): string {
  const [path = ''] = link.target.split('#');
  return path === '' ? link.page : normalize(join(dirname(link.page), path)).replace(/\/$/, '');
}

/** Only `ts` blocks have a flag: `no-run` is compiled and not run. `typescript` and `js` would escape the checks. */
function isUnknownFlag(language: string, flags: readonly string[]): boolean {
  if (['typescript', 'tsx', 'js', 'javascript', 'mjs'].includes(language)) return true;
  return language === 'ts' ? flags.some((flag) => flag !== 'no-run') : flags.length > 0;
}
