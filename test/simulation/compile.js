/**
 * Compiles the packages and this simulation with swc into a folder of their own, from the sources and as they are, or with
 * one planted bug. The folder keeps the layout of the repository; `load.js` lets `@callwright/x` mean the package in it.
 */
const { transformSync } = require('@swc/core');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '..', '..');
const cache = join(root, '.cache', 'simulation');
const packages = ['protocol', 'di', 'schema', 'core', 'gateway', 'testing'];
const swcOptions = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));

module.exports = { compile, readSources };

/**
 * @param mutation `{ file, find, replace }`: the planted bug; `find` stands in the file exactly once.
 * @returns the folder.
 */
function compile(mutation, texts = readSources()) {
  const sources = texts.map((source) => ({ ...source }));
  if (mutation) plant(mutation, sources);
  const hash = createHash('sha256');
  for (const { file, text } of sources) hash.update(file).update('\0').update(text).update('\0');
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(join(folder, 'done'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  for (const { file, text } of sources) {
    const { code } = transformSync(text, { ...swcOptions, filename: join(root, file), swcrc: false });
    const target = join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  writeFileSync(join(folder, 'done'), '');
  return folder;
}

/** All sources as they are now: variants made from one reading differ in nothing but their bugs. */
function readSources() {
  return sourceFiles().map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

function plant({ file, find, replace }, sources) {
  const source = sources.find((candidate) => candidate.file === file);
  const count = source ? source.text.split(find).length - 1 : 0;
  if (count !== 1) throw new Error(`${file} holds the text of a planted bug ${count} times: ${find}`);
  source.text = source.text.replace(find, () => replace);
}

/** Every source that the simulation loads, relative to the repository. */
function sourceFiles() {
  const folders = [...packages.map((name) => join(root, 'packages', name, 'src')), __dirname];
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('.ts') && !/\.(test|test-support|d)\.ts$/.test(file))
    .map((file) => relative(root, file))
    .sort();
}
