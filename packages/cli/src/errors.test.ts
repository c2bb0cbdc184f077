import { type CliErrorCode, cliError, cliErrors } from './errors';

const messages: Readonly<Record<CliErrorCode, readonly string[]>> = {
  CW_PROJECT_NOT_FOUND: [cliErrors.CW_PROJECT_NOT_FOUND({ folder: '/tmp' })],
  CW_MAIN_NOT_FOUND: [cliErrors.CW_MAIN_NOT_FOUND({ file: 'src/main.ts' })],
  CW_PROJECT_NOT_COMMONJS: [
    cliErrors.CW_PROJECT_NOT_COMMONJS({ file: 'src/main.ts', packageJson: 'package.json' }),
  ],
  CW_MODULE_FILE_NOT_FOUND: [
    cliErrors.CW_MODULE_FILE_NOT_FOUND({ file: 'src/app.module.ts', isConvention: true }),
    cliErrors.CW_MODULE_FILE_NOT_FOUND({ file: 'src/luigi.ts', isConvention: false }),
  ],
  CW_MODULE_EXPORT_NOT_FOUND: [
    cliErrors.CW_MODULE_EXPORT_NOT_FOUND({ file: 'src/a.ts', name: 'AppModule', exports: ['LuigiModule'] }),
    cliErrors.CW_MODULE_EXPORT_NOT_FOUND({ file: 'src/a.ts', name: 'AppModule', exports: [] }),
  ],
  CW_PACKAGE_NOT_INSTALLED: [cliErrors.CW_PACKAGE_NOT_INSTALLED({ name: 'callwright', root: '/luigi' })],
  CW_COMPILER_NOT_INSTALLED: [cliErrors.CW_COMPILER_NOT_INSTALLED({ root: '/luigi' })],
  CW_COMPILE_FAILED: [cliErrors.CW_COMPILE_FAILED({ file: 'src/a.ts', reason: 'x Expected ident' })],
  CW_IMPORT_CYCLE: [
    cliErrors.CW_IMPORT_CYCLE({ name: 'A', cycle: ['src/b.ts', 'src/a.ts', 'src/b.ts'] }),
    cliErrors.CW_IMPORT_CYCLE({ name: 'A', cycle: ['src/a.ts', 'src/a.ts'] }),
  ],
  CW_NOT_BUILT: [cliErrors.CW_NOT_BUILT({ file: 'dist/main.js' })],
  CW_FILE_EXISTS: [cliErrors.CW_FILE_EXISTS({ files: ['hotel.agent.ts', 'hotel.agent.test.ts'] })],
  CW_NAME_INVALID: [cliErrors.CW_NAME_INVALID({ what: 'guard', name: '7 seas' })],
  CW_FILE_UNREADABLE: [cliErrors.CW_FILE_UNREADABLE({ file: 'a.jsonl', reason: 'ENOENT' })],
  CW_NO_SCENARIOS: [cliErrors.CW_NO_SCENARIOS({ folder: 'scenarios' })],
  CW_MANIFEST_UNREADABLE: [cliErrors.CW_MANIFEST_UNREADABLE({ file: 'a.json', reason: 'it is not JSON' })],
  CW_AGENT_UNREACHABLE: [
    cliErrors.CW_AGENT_UNREACHABLE({
      where: 'ws://127.0.0.1:8765',
      reason: 'connecting took more than 3000 ms',
    }),
  ],
  CW_AGENT_REFUSED: [
    cliErrors.CW_AGENT_REFUSED({
      where: 'ws://127.0.0.1:8765',
      code: 'unknown_agent',
      reason: 'no agent luigi',
    }),
    cliErrors.CW_AGENT_REFUSED({ where: 'ws://127.0.0.1:8765', code: 'unavailable', reason: '' }),
  ],
  CW_ADDRESS_INVALID: [cliErrors.CW_ADDRESS_INVALID({ address: 'localhost:8765' })],
  CW_INSTALL_FAILED: [cliErrors.CW_INSTALL_FAILED({ command: 'npm install', folder: '/luigi' })],
};

describe('the errors of the command line', () => {
  it.each(Object.entries(messages))('%s says what, where, why and how to mend it', (_code, texts) => {
    expect(texts.join('\n\n')).toMatchSnapshot();
  });

  it.each(Object.entries(messages))('%s has at most six lines', (_code, texts) => {
    for (const text of texts) expect(text.split('\n').length).toBeLessThanOrEqual(6);
  });

  it('tell a wrong command line from a failure by their exit code', () => {
    expect(cliError('CW_NAME_INVALID', { what: 'guard', name: '7' }).exitCode).toBe(64);
    expect(cliError('CW_ADDRESS_INVALID', { address: 'x' }).exitCode).toBe(64);
    expect(cliError('CW_NOT_BUILT', { file: 'dist/main.js' }).exitCode).toBe(1);
  });
});
