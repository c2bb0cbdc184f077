import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, root } from './repository';

/**
 * Words that would tie the repository to one machine, one registry or one way of working.
 * This file has to name them, so it is the only one that is not read.
 */
const self = 'test/docs/tracked-files.test.ts';
const forbidden: readonly { what: string; pattern: RegExp; except?: RegExp }[] = [
  {
    what: 'a path of one machine',
    pattern: /(^|[^A-Za-z0-9])\/(work|root|farm|home\/[a-z]+|Users\/[A-Za-z]+)\//,
  },
  { what: 'a registry host', pattern: /registry\.(npmjs|yarnpkg|npmmirror)\.[a-z]+/ },
  { what: 'a folder outside the repository', pattern: /(^|[^A-Za-z0-9-])shared\//, except: /^\.ci\/run$/ },
  {
    what: 'working papers',
    pattern: /\b(DESIGN|TYPING|SCHEMA|PROTOCOL|PERFORMANCE|REAL_SERVER|STYLE)\.md\b/,
  },
  { what: 'working papers by section', pattern: /\bDESIGN §/ },
  { what: 'an issue by number', pattern: /\bissues? #?\d+\b|\bissues show\b/i },
  {
    what: 'how the work was organised',
    pattern: /\b(subagent|sub-agent|helper session|the lead|Claude|Anthropic)\b/i,
  },
  { what: 'unfinished work', pattern: /\b(TODO|FIXME)\b/ },
];

describe('the files of the repository', () => {
  const files = repositoryFiles()
    .filter((path) => path !== self && path !== 'package-lock.json')
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }));

  it.each(forbidden)('name nowhere $what', ({ pattern, except }) => {
    const found = files
      .filter((file) => except?.test(file.path) !== true)
      .flatMap((file) =>
        file.lines.flatMap((line, index) =>
          pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [],
        ),
      );
    expect(found).toEqual([]);
  });

  it('lock dependencies by version and hash, not by host', () => {
    const lock: { packages: Record<string, { resolved?: string; link?: boolean }> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    );
    const hosts = Object.entries(lock.packages).filter(
      ([, entry]) => entry.resolved !== undefined && !entry.link,
    );
    expect(hosts.map(([path]) => path)).toEqual([]);
  });
});
