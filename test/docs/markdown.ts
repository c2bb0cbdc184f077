import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, root } from './repository';

/** A fenced code block of a page. */
export interface Block {
  readonly page: string;
  /** The line of the opening fence, counted from 1. */
  readonly line: number;
  /** The first word after the fence: `ts`, `bash` ... */
  readonly language: string;
  /** The rest of the words after the fence. */
  readonly flags: readonly string[];
  readonly code: string;
}

/** A link of a page to somewhere, without its text. */
export interface Link {
  readonly page: string;
  readonly line: number;
  readonly target: string;
}

/** A page, read once. Paths are relative to the root. */
export interface Page {
  readonly path: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  /** Names of the places of this page that `#name` may point to. */
  readonly anchors: ReadonlySet<string>;
  readonly headings: readonly Heading[];
}

/** A heading, with what stands under it up to the next heading of any depth. */
export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly line: number;
  readonly body: string;
}

/** Reads every page that people are meant to read, in a stable order. */
export function readPages(): readonly Page[] {
  return repositoryFiles()
    .filter((path) => path.endsWith('.md'))
    .map((path) => parsePage(path, readFileSync(join(root, path), 'utf8')));
}

/** The code blocks in the doc comments of our sources: an `@example` is read as often as a page. */
export function readSourceBlocks(): readonly Block[] {
  return repositoryFiles()
    .filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path) && !/\.(test|test-support)\.ts$/.test(path))
    .flatMap((path) => blocksOfSource(path, readFileSync(join(root, path), 'utf8')));
}

/** The code blocks in the doc comments of one source file. */
export function blocksOfSource(path: string, source: string): readonly Block[] {
  return [...source.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)].flatMap((comment) => {
    const above = source.slice(0, comment.index).split('\n').length - 1;
    const text = comment[0].replaceAll(/^[ \t]*\* ?(?!\/)/gm, '');
    return parsePage(path, text).blocks.map((block) => ({ ...block, line: block.line + above }));
  });
}

/** Takes one page apart. Only what our pages use: ATX headings, fences of backquotes, inline links and link definitions. */
export function parsePage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const links: Link[] = [];
  const headings: { depth: number; text: string; line: number; body: string[] }[] = [];
  let fence: { marker: string; line: number; words: string[]; code: string[] } | undefined;

  for (const [index, line] of text.split('\n').entries()) {
    const marker = /^\s*(`{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      if (marker?.[1] === fence.marker && marker[2]?.trim() === '') {
        const [language = '', ...flags] = fence.words;
        blocks.push({ page: path, line: fence.line, language, flags, code: fence.code.join('\n') });
        fence = undefined;
      } else {
        fence.code.push(line);
      }
      headings.at(-1)?.body.push(line);
      continue;
    }
    if (marker !== null) {
      const words = (marker[2] ?? '').trim().split(/\s+/).filter(Boolean);
      fence = { marker: marker[1] ?? '', line: index + 1, words, code: [] };
      headings.at(-1)?.body.push(line);
      continue;
    }
    const heading = /^(#{1,6})\s+(.*?)\s*$/.exec(line);
    if (heading !== null) {
      headings.push({
        depth: heading[1]?.length ?? 0,
        text: heading[2] ?? '',
        line: index + 1,
        body: [],
      });
    } else {
      headings.at(-1)?.body.push(line);
    }
    links.push(...linksOf(path, index + 1, line));
  }
  if (fence !== undefined) throw new Error(`${path}:${fence.line}: the code block is never closed`);

  return {
    path,
    blocks,
    links,
    anchors: anchorsOf(headings.map((heading) => heading.text)),
    headings: headings.map((heading) => ({ ...heading, body: heading.body.join('\n').trim() })),
  };
}

function linksOf(page: string, line: number, text: string): readonly Link[] {
  const prose = text.replaceAll(/`[^`]*`/g, '');
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const defined = [...prose.matchAll(/^\s*\[[^\]]+\]:\s+(\S+)/g)];
  return [...inline, ...defined].map((match) => ({ page, line, target: match[1] ?? '' }));
}

/** Anchors as GitHub makes them: lower case, punctuation gone, blanks to dashes, `-1` behind a repeated one. */
export function anchorsOf(headings: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const heading of headings) {
    const base = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    anchors.add(count === 0 ? base : `${base}-${count}`);
  }
  return anchors;
}
