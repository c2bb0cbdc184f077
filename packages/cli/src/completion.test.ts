import { execFileSync } from 'node:child_process';
import { runIn, temporaryFolder } from './fake-terminal.test-support';

const folder = temporaryFolder();

describe('completion', () => {
  it.each([
    ['callwright gen', ['generate']],
    ['callwright generate d', ['dto']],
    ['callwright inspect --s', ['--schemas']],
    ['callwright completion z', ['zsh']],
  ])('of bash completes %p', async (line, expected) => {
    const { output } = await runIn(folder, ['completion', 'bash']);
    const words = line.split(' ');
    const script = `${output}\nCOMP_WORDS=(${words.join(' ')})\nCOMP_CWORD=${words.length - 1}\n_callwright\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')).toEqual(expected);
  });

  it.each(['zsh', 'fish'])('of %s names every command', async (shell) => {
    const { output } = await runIn(folder, ['completion', shell]);
    for (const command of [
      'new',
      'generate',
      'dev',
      'start',
      'console',
      'call',
      'inspect',
      'diff',
      'doctor',
    ]) {
      expect(output).toMatch(new RegExp(`\\b${command}\\b`));
    }
    expect(output).toContain('schemas');
  });
});
