import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeCertificateFiles } from '../../../gateway/src/certificate.test-support';
import { temporaryFolder } from '../fake-terminal.test-support';
import { findProject, type Project } from '../project';
import { checkPort, checkTls, checkToken } from './check-address';
import {
  checkLinters,
  checkModuleFormat,
  checkNode,
  checkPackages,
  checkRunner,
  checkTsconfig,
} from './check-tools';

const folder = temporaryFolder();

/** A project of the given files. */
function project(files: Readonly<Record<string, object | string>>): Project {
  const root = mkdtempSync(join(folder, 'p-'));
  for (const [name, content] of Object.entries({ 'package.json': {}, ...files })) {
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return findProject(root);
}

describe('the doctor', () => {
  it.each([
    ['20.18.3', 'problem'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['18.20.0', 'problem'],
  ])('finds Node %s: %s', (version, state) => {
    expect(checkNode(version).state).toBe(state);
  });

  it('names packages that are not installed', () => {
    expect(checkPackages(project({}))).toMatchObject({
      state: 'problem',
      mend: expect.stringMatching(/^npm install .*class-validator/),
    });
  });

  it('finds projects of ES modules', () => {
    expect(checkModuleFormat(project({ 'package.json': { type: 'module' } })).state).toBe('problem');
    expect(checkModuleFormat(project({})).state).toBe('ok');
  });

  it('reads tsconfig with comments and parents', () => {
    const base =
      '{ // both\n "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true, } }';
    const files = { 'base.json': base, 'tsconfig.json': { extends: './base.json', compilerOptions: {} } };
    expect(checkTsconfig(project(files))).toMatchObject([{ state: 'ok' }]);
  });

  it.each([
    [{ experimentalDecorators: true }, 'emitDecoratorMetadata is not on'],
    [
      { experimentalDecorators: true, emitDecoratorMetadata: true, verbatimModuleSyntax: true },
      'verbatimModuleSyntax is on',
    ],
  ])('finds what tsconfig %j does to metadata', (compilerOptions, found) => {
    expect(checkTsconfig(project({ 'tsconfig.json': { compilerOptions } }))).toMatchObject([
      { state: 'problem', found },
    ]);
  });

  it.each([
    ['tsx watch src/main.ts', 'problem'],
    ['node src/main.ts', 'problem'],
    ['node --watch src/main.ts', 'problem'],
    ['node --require @swc-node/register src/main.ts', 'ok'],
    ['callwright dev', 'ok'],
    ['node dist/main.js', 'ok'],
  ])('judges the script %s: %s', (dev, state) => {
    expect(checkRunner(project({ 'package.json': { scripts: { dev } } })).state).toBe(state);
  });

  it('finds what Biome would fix away', () => {
    const right = {
      javascript: { parser: { unsafeParameterDecoratorsEnabled: true } },
      linter: { rules: { style: { useImportType: 'off' } } },
    };
    expect(checkLinters(project({ 'biome.json': right }))).toMatchObject([{ state: 'ok' }]);
    expect(checkLinters(project({ 'biome.json': {} }))).toMatchObject([
      { state: 'problem' },
      { state: 'problem' },
    ]);
    expect(checkLinters(project({}))).toEqual([]);
  });

  it('finds what ESLint would fix away', () => {
    const rule = '@typescript-eslint/consistent-type-imports';
    expect(checkLinters(project({ 'eslint.config.js': `'${rule}': 'error'` }))).toMatchObject([
      { state: 'warning' },
    ]);
    expect(checkLinters(project({ 'eslint.config.js': `'${rule}': 'off'` }))).toMatchObject([
      { state: 'ok' },
    ]);
  });

  it('finds a port that is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const PORT = String(typeof address === 'object' ? address?.port : 0);
    await expect(checkPort({ PORT })).resolves.toMatchObject({ state: 'warning' });
    await new Promise((resolve) => server.close(resolve));
    await expect(checkPort({ PORT })).resolves.toMatchObject({ state: 'ok' });
    await expect(checkPort({ PORT: '70000' })).resolves.toMatchObject({ state: 'problem' });
    await expect(checkPort({ HOST: '203.0.113.7', PORT: '0' })).resolves.toMatchObject({ state: 'problem' });
  });

  it.each([
    [{}, 'ok'],
    [{ HOST: '::' }, 'problem'],
    [{ HOST: '::', CALLWRIGHT_ALLOW_UNAUTHENTICATED: '1' }, 'warning'],
    [{ HOST: '::', BRISVOX_AGENT_TOKEN: 'a'.repeat(16) }, 'ok'],
    [{ BRISVOX_AGENT_TOKEN: 'a'.repeat(15) }, 'warning'],
    [{ BRISVOX_AGENT_TOKEN: ` ${'a'.repeat(16)}` }, 'problem'],
  ])('judges the token of %j: %s, and never prints it', (environment, state) => {
    const finding = checkToken(environment);
    expect(finding.state).toBe(state);
    expect(finding.found).not.toContain('aaaa');
  });

  it('says that TLS files are missing or no PEM', () => {
    mkdirSync(join(folder, 'tls'));
    writeFileSync(join(folder, 'tls', 'a.pem'), 'nothing');
    const files = { cert: 'a.pem', key: 'b.pem' };
    expect(checkTls(join(folder, 'tls'), files, 0)).toMatchObject({ state: 'problem' });
    expect(checkTls(folder, files, 0)).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('ENOENT'),
    });
  });

  it('says whether TLS files fit and are in their time', () => {
    const { certFile: cert, keyFile: key } = makeCertificateFiles();
    const other = makeCertificateFiles();
    const day = 86_400_000;
    expect(checkTls(folder, { cert, key }, Date.now())).toMatchObject({ state: 'ok' });
    expect(checkTls(folder, { cert, key: other.keyFile }, Date.now())).toMatchObject({
      state: 'problem',
      found: 'the key is not that of the certificate',
    });
    expect(checkTls(folder, { cert, key }, Date.now() + 1_000 * day)).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('expired'),
    });
    expect(checkTls(folder, { cert, key }, Date.now() - 10 * day)).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('not valid before'),
    });
  });
});
