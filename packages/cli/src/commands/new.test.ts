import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runIn, temporaryFolder } from '../fake-terminal.test-support';
import { VERSIONS } from '../new-project/package-json';
import { runCli } from '../run-cli';
import { ownVersion } from '../version';

const repository = join(__dirname, '../../../..');

describe('callwright new', () => {
  const folder = temporaryFolder();
  const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

  it('writes a project and says what to do next, without a question off a terminal', async () => {
    const { exitCode, output } = await runIn(folder, ['new', 'Luigi']);
    expect(output).toContain('Made luigi (15 files).');
    expect(output).toContain('cd luigi\n  npm install\n  npm test');
    expect(exitCode).toBe(0);
    const { name, dependencies, devDependencies } = JSON.parse(read('luigi', 'package.json'));
    expect(name).toBe('luigi');
    expect(dependencies.callwright).toBe(`^${ownVersion()}`);
    expect(devDependencies).toHaveProperty('@biomejs/biome');
    expect(read('luigi', 'src', 'desk.agent.ts')).toContain("name: 'luigi'");
  });

  it('leaves the linter out when asked to', async () => {
    await runIn(folder, ['new', 'plain', '--lint', 'none']);
    const { scripts, devDependencies } = JSON.parse(read('plain', 'package.json'));
    expect(scripts).not.toHaveProperty('lint');
    expect(devDependencies).not.toHaveProperty('@biomejs/biome');
    expect(existsSync(join(folder, 'plain', 'biome.json'))).toBe(false);
  });

  it('takes an empty folder, and leaves one with anything in it alone', async () => {
    mkdirSync(join(folder, 'empty'));
    await expect(runIn(folder, ['new', 'empty'])).resolves.toMatchObject({ exitCode: 0 });
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'notes.txt'), 'mine');
    const { exitCode, errorOutput } = await runIn(folder, ['new', 'full']);
    expect(errorOutput).toContain('CW_FILE_EXISTS');
    expect(exitCode).toBe(1);
    expect(existsSync(join(folder, 'full', 'package.json'))).toBe(false);
  });

  it('asks on a terminal for what no option says, and takes the default for an empty answer', async () => {
    const answers = ['trattoria', 'none', ''];
    const input = Object.assign(new PassThrough(), { isTTY: true });
    let printed = '';
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    output.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      // One answer for each question, when it is asked.
      if (/\]: $/.test(chunk.toString('utf8'))) input.write(`${answers.shift()}\n`);
    });
    const environment = { TERM: 'dumb' };
    await expect(runCli(['new'], { folder, environment, input, output })).resolves.toBe(0);
    expect(printed).toMatch(
      /Name of the project \[my-agent\]: [\s\S]*Install its packages now \(y or n\) \[n\]: /,
    );
    expect(existsSync(join(folder, 'trattoria', 'package.json'))).toBe(true);
    expect(existsSync(join(folder, 'trattoria', 'biome.json'))).toBe(false);
    expect(answers).toEqual([]);
  });

  it('begins with the versions that this repository is tested with', () => {
    const lock: { packages: Record<string, { version: string }> } = JSON.parse(
      readFileSync(join(repository, 'package-lock.json'), 'utf8'),
    );
    for (const [name, range] of Object.entries(VERSIONS)) {
      const tested = lock.packages[`node_modules/${name}`]?.version ?? '';
      expect(`${name} ${majorOf(range)}`).toBe(`${name} ${majorOf(tested)}`);
      expect(isAtLeast(tested, range)).toBe(true);
    }
  });
});

function majorOf(version: string): string {
  return numbers(version)[0] === 0 ? `0.${numbers(version)[1]}` : String(numbers(version)[0]);
}

function isAtLeast(version: string, range: string): boolean {
  const [a, b] = [numbers(version), numbers(range)];
  const index = a.findIndex((value, at) => value !== b[at]);
  return index === -1 || (a[index] ?? 0) > (b[index] ?? 0);
}

function numbers(version: string): readonly number[] {
  return version
    .replace(/^[\^~]/, '')
    .split('.')
    .map(Number);
}
