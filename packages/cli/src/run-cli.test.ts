import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { runIn, temporaryFolder } from './fake-terminal.test-support';
import { makeProgram } from './program';
import { processSystem } from './system';
import { ownVersion } from './version';

const folder = temporaryFolder();
const commands = makeProgram(processSystem(), () => undefined).commands.map((command: Command) =>
  command.name(),
);

describe('the command line', () => {
  it.each(commands)('%s --help shows an example and its exit codes', async (command) => {
    const { exitCode, output } = await runIn(folder, [command, '--help']);
    expect(output).toMatch(/Examples:\n {2}\$ /);
    expect(output).toMatch(/Exit codes:\n {2}0 /);
    expect(exitCode).toBe(0);
  });

  it('shows the way of a new project in its own help', async () => {
    const { exitCode, output } = await runIn(folder, ['--help']);
    expect(output).toMatch(/Examples:\n {2}\$ callwright new luigi/);
    expect(exitCode).toBe(0);
  });

  it('prints its version', async () => {
    await expect(runIn(folder, ['--version'])).resolves.toMatchObject({
      exitCode: 0,
      output: `${ownVersion()}\n`,
    });
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['fly']],
    ['an unknown option', ['inspect', '--fast']],
    ['a missing argument', ['generate', 'agent']],
    ['a wrong choice', ['generate', 'poem', 'x']],
    ['a wrong number', ['call', '--speech', 'fast']],
    ['a wrong address', ['call', 'localhost']],
    ['a wrong name', ['new', '7 seas']],
  ])('ends with 64 for %s, and says so on standard error', async (_what, args) => {
    const { exitCode, output, errorOutput } = await runIn(folder, args);
    expect(exitCode).toBe(64);
    expect(output).toBe('');
    expect(errorOutput).not.toBe('');
  });

  it('says that a project of ES modules is not run from its sources', async () => {
    const project = join(folder, 'modules');
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(project, 'src', 'main.ts'), '');
    const { exitCode, errorOutput } = await runIn(project, ['dev']);
    expect(errorOutput).toMatch(/^CW_PROJECT_NOT_COMMONJS: "src\/main.ts" .* "package.json" says/);
    expect(exitCode).toBe(1);
    rmSync(project, { recursive: true });
  });

  it.each(['inspect', 'console', 'dev', 'start', 'doctor'])(
    '%s says that there is no project',
    async (command) => {
      const { exitCode, errorOutput } = await runIn(folder, [command]);
      expect(errorOutput).toContain('CW_PROJECT_NOT_FOUND');
      expect(exitCode).toBe(1);
    },
  );

  it.each([
    ['on a terminal', true, {}, true],
    ['off a terminal', false, {}, false],
    ['on a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['on a dumb terminal', true, { TERM: 'dumb' }, false],
  ])('has colour or not %s', async (what, isTerminal, environment, hasColor) => {
    const name = `p${what.replaceAll(/\W/g, '')}`;
    const { output } = await runIn(folder, ['new', name, '--lint', 'none', '--no-install'], {
      isTerminal,
      environment,
    });
    expect(output.includes('\u001b[')).toBe(hasColor);
  });
});
