import { allCycles, cycleOf, type LoadedFile } from './import-cycle';

const never = (): boolean => false;

/** Files by name with the names of what each imports. */
function loaded(imports: Readonly<Record<string, readonly string[]>>): Record<string, LoadedFile> {
  const files: Record<string, { filename: string; children: LoadedFile[] }> = {};
  for (const name of Object.keys(imports)) files[name] = { filename: name, children: [] };
  for (const [name, names] of Object.entries(imports)) {
    files[name]?.children.push(...names.map((each) => files[each] ?? { filename: each, children: [] }));
  }
  return files;
}

describe('a circle of imports', () => {
  it('is the shortest one from a file back to it', () => {
    const files = loaded({ a: ['b', 'c'], b: ['d'], c: ['a'], d: ['a'] });
    expect(cycleOf('a', files, never)).toEqual(['a', 'c', 'a']);
    expect(cycleOf('d', files, never)).toEqual(['d', 'a', 'b', 'd']);
  });

  it('may be one file that imports itself', () => {
    expect(cycleOf('a', loaded({ a: ['a'] }), never)).toEqual(['a', 'a']);
  });

  it('is not there when nothing leads back', () => {
    expect(cycleOf('a', loaded({ a: ['b'], b: ['c'], c: ['b'] }), never)).toEqual([]);
  });

  it('does not lead through files of others', () => {
    const files = loaded({ a: ['lib'], lib: ['a'] });
    expect(cycleOf('a', files, (file) => file === 'lib')).toEqual([]);
  });

  it('is listed once among all files', () => {
    const files = loaded({ main: ['a', 'x'], a: ['b'], b: ['a'], x: ['y'], y: ['z'], z: ['x'] });
    expect(allCycles(files, never)).toEqual([
      ['a', 'b', 'a'],
      ['x', 'y', 'z', 'x'],
    ]);
  });
});
