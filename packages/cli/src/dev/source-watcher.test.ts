import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../fake-terminal.test-support';
import { isSource, SourceWatcher } from './source-watcher';

describe('the watcher of sources', () => {
  const folder = temporaryFolder();

  /** Resolves with what is reported first after `act`. */
  const reported = (act: () => void): Promise<readonly string[]> =>
    new Promise((resolve) => {
      const watcher = new SourceWatcher(folder, (paths) => {
        watcher.close();
        resolve(paths);
      });
      act();
    });

  it('tells of a file that is written, and of several together', async () => {
    const paths = await reported(() => {
      writeFileSync(join(folder, 'b.ts'), '1');
      writeFileSync(join(folder, 'a.ts'), '1');
    });
    expect(paths).toEqual(['a.ts', 'b.ts']);
  });

  it('tells of a file that is replaced by another one, each time', async () => {
    const replace = (): void => {
      writeFileSync(join(folder, 'a.new'), '2');
      renameSync(join(folder, 'a.new'), join(folder, 'a.ts'));
    };
    let count = 0;
    await new Promise<void>((resolve) => {
      const watcher = new SourceWatcher(folder, (paths) => {
        expect(paths).toEqual(['a.ts']);
        count += 1;
        if (count < 3) {
          replace();
          return;
        }
        watcher.close();
        resolve();
      });
      replace();
    });
  });

  it('tells of files in folders below, and not of tests', async () => {
    mkdirSync(join(folder, 'booking'));
    const paths = await reported(() => {
      writeFileSync(join(folder, 'a.test.ts'), '1');
      writeFileSync(join(folder, 'booking', 'c.ts'), '1');
    });
    expect(paths).toEqual([join('booking', 'c.ts')]);
  });

  it('tells of files in a folder that is made later', async () => {
    const paths = await new Promise<readonly string[]>((resolve) => {
      const watcher = new SourceWatcher(folder, (found) => {
        if (found.includes('d.ts')) {
          writeFileSync(join(folder, 'later', 'e.ts'), '1');
          return;
        }
        watcher.close();
        resolve(found);
      });
      mkdirSync(join(folder, 'later'));
      writeFileSync(join(folder, 'd.ts'), '1');
    });
    expect(paths).toEqual([join('later', 'e.ts')]);
  });

  it.each([
    ['a.ts', true],
    ['a.json', true],
    ['b/a.js', true],
    ['a.test.ts', false],
    ['a.spec.ts', false],
    ['.a.ts.swp', false],
    ['node_modules/x/a.js', false],
    ['notes.md', false],
  ])('counts %s as a source: %s', (path, is) => {
    expect(isSource(path)).toBe(is);
  });
});
