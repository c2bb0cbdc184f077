/**
 * Packs every package, installs the tarballs in an empty folder outside the repository, and uses them there as a user
 * would: by `require`, by named imports from an ES module, from TypeScript with all library checks on, and in an
 * ordinary jest. publint and are-the-types-wrong read each tarball.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = join(__dirname, '..', '..');
const packages = readdirSync(join(root, 'packages')).flatMap(readPackage);
/** What the empty folder installs beside our packages: the peers, and what a TypeScript project has anyway. */
const others = [
  'reflect-metadata',
  'class-validator',
  'class-transformer',
  'typescript',
  'jest',
  '@swc/core',
  '@swc/jest',
  '@types/jest',
  '@types/node',
  'vitest',
  'yaml',
];

const folder = mkdtempSync(join(tmpdir(), 'callwright-packed-'));
const tarballs = join(folder, 'tarballs');
const app = join(folder, 'app');

interface Package {
  readonly name: string;
  readonly tarball: string;
}

beforeAll(async () => {
  mkdirSync(tarballs);
  for (const each of packages) {
    await run('npm', ['pack', '--workspace', each.name, '--pack-destination', tarballs], root);
  }
  cpSync(join(__dirname, 'app'), app, { recursive: true });
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest(), undefined, 2));
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quick], app);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(packages)('the tarball of $name', ({ name, tarball }) => {
  it('holds what is built and the README, and nothing else', async () => {
    const { stdout } = await execute('tar', ['-tzf', join(tarballs, tarball)]);
    const files = stdout.trim().split('\n');
    expect(
      files.filter(
        (file) => !/^package\/(dist\/.+\.(js|d\.ts|js\.map)|README\.md|LICENSE|package\.json)$/.test(file),
      ),
    ).toEqual([]);
    expect(files.filter((file) => /\.test[.-]|test-support/.test(file))).toEqual([]);
    expect(files).toContain('package/README.md');
  });

  it('has no complaint from publint', async () => {
    await run(process.execPath, [bin('publint'), 'run', join(tarballs, tarball), '--strict'], root);
  });

  // node16: without the resolution of TypeScript before 5, which knows no `exports` and is on its way out of the compiler.
  it('has types that are not wrong, from CommonJS, ES modules and bundlers', async () => {
    await run(
      process.execPath,
      [bin('@arethetypeswrong/cli', 'attw'), join(tarballs, tarball), '--no-color', '--profile', 'node16'],
      root,
    );
  });

  it('is installed once', async () => {
    const { stdout } = await execute('npm', ['ls', name, '--all', '--parseable'], { cwd: app });
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('is loaded by require, and gives an ES module every name that it exports', async () => {
    const listed = await run(
      process.execPath,
      ['-p', `JSON.stringify(Object.keys(require('${name}')))`],
      app,
    );
    const names: readonly string[] = JSON.parse(listed);
    expect(names).not.toEqual([]);
    const script = `import * as all from '${name}';\nimport { ${names.join(', ')} } from '${name}';\n${names
      .map((each) => `if (${each} !== all.default['${each}']) throw new Error('${each} differs');`)
      .join('\n')}\n`;
    const file = join(app, `named-${tarball}.mjs`);
    writeFileSync(file, script);
    await run(process.execPath, [file], app);
  });
});

describe('a project that installs the tarballs', () => {
  it('has no missing or doubled peer', async () => {
    await run('npm', ['ls', '--all'], app);
  });

  it('compiles a decorated agent with every check on, those of our declarations included', async () => {
    await run(process.execPath, [join(app, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', app], app);
  });

  it('passes a test of a decorated agent in an ordinary jest', async () => {
    await run(process.execPath, [join(app, 'node_modules', 'jest', 'bin', 'jest.js')], app);
  });

  it('passes a test under the preset of jest, with matchers and their types', async () => {
    const config = join('runners', 'jest.config.js');
    await run(
      process.execPath,
      [join(app, 'node_modules', 'jest', 'bin', 'jest.js'), '--config', config],
      app,
    );
  });

  it('passes tests under node:test, from CommonJS and from an ES module', async () => {
    const compiler = join(app, 'node_modules', 'typescript', 'bin', 'tsc');
    await run(process.execPath, [compiler, '-p', join(app, 'runners')], app);
    const files = ['call.node.cjs', 'call.node.mjs'].map((file) => join('runners', file));
    const printed = await run(process.execPath, ['--test', '--test-reporter=tap', ...files], app);
    expect(printed).toMatch(/^# pass 3$/m);
  });

  it('passes a test under vitest', async () => {
    const vitest = join(app, 'node_modules', 'vitest', 'vitest.mjs');
    const printed = await run(
      process.execPath,
      [vitest, 'run', '--config', 'runners/vitest.config.mjs'],
      app,
    );
    expect(printed).toMatch(/1 passed/);
  });
});

/** What of a folder is published: nothing, if it has no manifest yet or is private. */
function readPackage(folder: string): readonly Package[] {
  const manifestPath = join(root, 'packages', folder, 'package.json');
  if (!existsSync(manifestPath)) return [];
  const read: { name: string; version: string; private?: boolean } = JSON.parse(
    readFileSync(manifestPath, 'utf8'),
  );
  if (read.private === true) return [];
  const tarball = `${read.name.replace('@', '').replace('/', '-')}-${read.version}.tgz`;
  return [{ name: read.name, tarball }];
}

/** The package.json of the empty folder: our tarballs by path, everything else in the version of our lockfile. */
function manifest(): object {
  const lock: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const ours = packages.map(({ name, tarball }) => [name, `file:${join(tarballs, tarball)}`]);
  const theirs = others.map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
  return { name: 'app', private: true, dependencies: Object.fromEntries([...ours, ...theirs]) };
}

function bin(name: string, command = name): string {
  const place = join(root, 'node_modules', name);
  const read: { bin: string | Record<string, string> } = JSON.parse(
    readFileSync(join(place, 'package.json'), 'utf8'),
  );
  const path = typeof read.bin === 'string' ? read.bin : read.bin[command];
  if (path === undefined) throw new Error(`${name} has no command ${command}`);
  return join(place, path);
}

/** Runs a command to its end and returns what it printed; a failing one throws with everything that it said. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await execute(command, args, { cwd, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    // What execFile rejects with carries both streams; its message only the command.
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout ?? ''}\n${stderr ?? ''}`, { cause: error });
  }
}
