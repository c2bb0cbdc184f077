import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const OURS = ['callwright', 'create-callwright', '@callwright', '@callwright-samples'];
const SCOPE = '@callwright';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
}

/**
 * Fills a node_modules as `npm install` would, without a network: our packages from their tarballs, everything else linked from this
 * repository's own.
 */
export function installPacked(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  linkOthers(modules);
  unpackOurs(folder, modules);
  for (const name of ['typescript', 'jest', '@biomejs/biome']) linkBins(modules, name);
}

function linkOthers(modules: string): void {
  const theirs = join(root, 'node_modules');
  const names = readdirSync(theirs).filter((name) => !OURS.includes(name) && !name.startsWith('.'));
  for (const name of names) symlinkSync(join(theirs, name), join(modules, name));
  // npm puts a version that differs from the root's below the package that needs it.
  const own = join(root, 'packages', 'cli', 'node_modules');
  if (!existsSync(own)) return;
  mkdirSync(join(modules, SCOPE, 'cli', 'node_modules'), { recursive: true });
  for (const name of readdirSync(own).filter((each) => !each.startsWith('.'))) {
    symlinkSync(join(own, name), join(modules, SCOPE, 'cli', 'node_modules', name));
  }
}

function unpackOurs(folder: string, modules: string): void {
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  const packages = readdirSync(join(root, 'packages')).map((name) =>
    readPackage(join(root, 'packages', name)),
  );
  const workspaces = packages.flatMap(({ name }) => ['--workspace', name]);
  execFileSync('npm', ['pack', ...workspaces, '--pack-destination', tarballs], { cwd: root, stdio: 'pipe' });
  for (const { name, version } of packages) {
    const place = join(modules, name);
    mkdirSync(place, { recursive: true });
    const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
    execFileSync('tar', ['-xzf', join(tarballs, tarball), '-C', place, '--strip-components', '1']);
    linkBins(modules, name);
  }
}

function linkBins(modules: string, name: string): void {
  const { bin = {} } = readPackage(join(modules, name));
  const bins = typeof bin === 'string' ? { [name.split('/').at(-1) ?? name]: bin } : bin;
  for (const [command, path] of Object.entries(bins)) {
    const file = join(modules, name, path);
    if (name.includes('callwright')) chmodSync(file, 0o755);
    // Relative, as npm makes them: the folder may be moved.
    symlinkSync(join('..', name, path), join(modules, '.bin', command));
  }
}

function readPackage(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
