import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { cliError } from '../errors';
import { EXIT_CODES, withGuide } from '../guide';
import { findProject } from '../project';
import { runMain } from '../run-main';
import type { CliSystem } from '../system';
import { registerCycleNames } from '../typescript-hook';

const DEFAULT_MAIN = 'dist/main.js';
const SOURCES = 'src';

/** `callwright start [main]` */
export function startCommand({ system }: CommandContext): Command {
  const command = new Command('start')
    .description('run what was compiled, as production does')
    .argument('[main]', "the compiled program, from the project's folder", DEFAULT_MAIN)
    .action((main: string) => start(main, system));
  return withGuide(command, {
    examples: ['npm run build && callwright start'],
    exitCodes: [
      [EXIT_CODES.failed, 'there is nothing compiled, it does not load, or it does not boot'],
      [EXIT_CODES.callsCut, 'a shutdown cut calls before their own end'],
    ],
    notes: [
      'The same as node --enable-source-maps dist/main.js, which needs no command line tool installed; this adds NODE_ENV=production where nothing else is set, a word when sources are newer than what was compiled, and the name of a circle of imports.',
    ],
  });
}

function start(main: string, system: CliSystem): void {
  const { root } = findProject(system.folder);
  const file = join(root, main);
  if (!existsSync(file)) throw cliError('CW_NOT_BUILT', { file: main });
  const newer = newerSource(join(root, SOURCES), statSync(file).mtimeMs);
  if (newer !== undefined) {
    system.errorOutput.write(
      `${SOURCES}/${newer} is newer than ${main}: what runs is older than your sources. Build: npm run build\n`,
    );
  }
  process.env.NODE_ENV ??= 'production';
  registerCycleNames(root);
  runMain(file);
}

/** A source file that changed after the compiled one; tests do not count. */
function newerSource(folder: string, thanMs: number): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|spec)\.ts$/.test(path))
    .find((path) => statSync(join(folder, path)).mtimeMs > thanMs);
}
