/** The process that `callwright dev` runs the program in: `node child.js ROOT MAIN`. */
import { textOf } from '../error-text';
import { runMain } from '../run-main';
import { registerTypeScript } from '../typescript-hook';

const [, , root = '', main = ''] = process.argv;

// When the watching process is gone, however it went, this one ends as at a signal.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

try {
  registerTypeScript(root);
  runMain(main);
} catch (error) {
  process.stderr.write(`${textOf(error)}\n`);
  process.exitCode = 1;
}
