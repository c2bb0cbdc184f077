import { blocksOfSource, parsePage } from './markdown';

const fence = '```';

describe('the reader of our pages', () => {
  it('finds blocks with their line, language and flags, and no heading or link inside them', () => {
    const page = parsePage(
      'a.md',
      `# One\n${fence}ts no-run\n# not a heading [x](y.md)\n${fence}\n## Two\n[z](b.md#here)\n`,
    );
    expect(page.blocks).toEqual([
      { page: 'a.md', line: 2, language: 'ts', flags: ['no-run'], code: '# not a heading [x](y.md)' },
    ]);
    expect(page.headings.map((heading) => heading.text)).toEqual(['One', 'Two']);
    expect(page.links).toEqual([{ page: 'a.md', line: 6, target: 'b.md#here' }]);
  });

  it('makes anchors as GitHub does', () => {
    const page = parsePage('a.md', '# `CW_X`: what, why\n## Twice\n## Twice\n');
    expect([...page.anchors]).toEqual(['cw_x-what-why', 'twice', 'twice-1']);
  });

  it('refuses a block that is never closed', () => {
    expect(() => parsePage('a.md', `${fence}ts\nx`)).toThrow('a.md:1: the code block is never closed');
  });

  it('finds examples in doc comments, with their line in the source', () => {
    const source = `const a = 1;\n\n  /**\n   * Text.\n   * @example\n   * ${fence}ts\n   * a\n   *\n   *   * b\n   * ${fence}\n   */\n`;
    expect(blocksOfSource('a.ts', source)).toEqual([
      { page: 'a.ts', line: 6, language: 'ts', flags: [], code: 'a\n\n  * b' },
    ]);
  });
});
