import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context';
import { DevSession } from '../dev/dev-session';
import { cliError } from '../errors';
import { EXIT_CODES, withGuide } from '../guide';
import { findProject } from '../project';
import { shortPath } from '../typescript-hook';

interface DevOptions {
  readonly drain: number;
}

const DEFAULT_MAIN = 'src/main.ts';
const DEFAULT_DRAIN_S = 10;
const MAX_DRAIN_S = 900;

/** `callwright dev [main]` */
export function devCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('dev')
    .description('serve the agent from its sources, and reload when a file is saved')
    .argument('[main]', "the program, from the project's folder", DEFAULT_MAIN)
    .option(
      '--drain <seconds>',
      'how long live calls may go on with the old code',
      drainSeconds,
      DEFAULT_DRAIN_S,
    )
    .action(async (main: string, options: DevOptions) => {
      const { root } = findProject(system.folder);
      const file = join(root, main);
      if (!existsSync(file)) throw cliError('CW_MAIN_NOT_FOUND', { file: main });
      refuseModules(file, root);
      const session = new DevSession({ root, main: file, drainMs: options.drain * 1_000 }, system);
      exitWith(await session.run());
    });
  return withGuide(command, {
    examples: ['callwright dev', 'PORT=9000 callwright dev --drain 60'],
    exitCodes: [[EXIT_CODES.callsCut, 'the end cut calls before their own end']],
    notes: [
      'TypeScript is compiled file by file, without a check of types: run npm run typecheck for that. A file that cannot be compiled is shown and changes nothing; the code before it goes on.',
      'When a file is saved, live calls go on with the old code until they end; after --drain they are cut, and their agents hear the reason shutdown. New calls are refused meanwhile. The folder of the program is watched; tests are not part of it.',
    ],
  });
}

/** Node itself would only say that it does not know the extension. @throws CliError `CW_PROJECT_NOT_COMMONJS` */
function refuseModules(file: string, root: string): void {
  const owner = findProject(dirname(file));
  if (!file.endsWith('.ts') || owner.packageJson.type !== 'module') return;
  const packageJson = shortPath(join(owner.root, 'package.json'), root);
  throw cliError('CW_PROJECT_NOT_COMMONJS', { file: shortPath(file, root), packageJson });
}

function drainSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0 && seconds <= MAX_DRAIN_S) return seconds;
  throw new InvalidArgumentError(`A number from 0 to ${MAX_DRAIN_S}.`);
}
