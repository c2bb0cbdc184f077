import { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { EXIT_CODES, withGuide } from '../guide';
import { compareManifests, type ManifestChange } from '../manifest/compare';
import { readManifest } from '../manifest/read-manifest';
import { type Paint, paintFor } from '../paint';
import { textTable } from '../table';

interface DiffOptions {
  readonly json?: boolean;
}

/** `callwright diff <old> <new>` */
export function diffCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('diff')
    .description('compare two manifests: what changed, and what of it breaks')
    .argument('<old>', 'a manifest of callwright inspect --json')
    .argument('<new>', 'another one')
    .option('--json', 'print the changes as JSON')
    .action((oldFile: string, newFile: string, options: DiffOptions) => {
      const before = readManifest(system.folder, oldFile);
      const changes = compareManifests(before, readManifest(system.folder, newFile));
      const paint = paintFor(system.output, system);
      system.output.write(
        options.json === true ? `${JSON.stringify(changes, undefined, 2)}\n` : changesAsText(changes, paint),
      );
      if (changes.some(({ isBreaking }) => isBreaking)) exitWith(EXIT_CODES.failed);
    });
  return withGuide(command, {
    examples: ['callwright diff released.json manifest.json'],
    exitCodes: [
      [
        EXIT_CODES.failed,
        'a change breaks: arguments that were taken may be refused, or a tool is gone or of another kind',
      ],
    ],
    notes: [
      'A tool is read anew by the model in every call, so the caller notices little; recordings, scenarios and calls that new code resumes do. A change that cannot be judged, such as one of a pattern, counts as breaking.',
    ],
  });
}

function changesAsText(changes: readonly ManifestChange[], paint: Paint): string {
  if (changes.length === 0) return 'No changes.\n';
  const rows = [...changes]
    .sort((a, b) => Number(b.isBreaking) - Number(a.isBreaking))
    .map(({ where, what, isBreaking }) => [isBreaking ? 'breaks' : 'fits', where, what]);
  const table = textTable(rows).replaceAll(/^breaks/gm, paint('breaks', 'red'));
  const breaking = changes.filter(({ isBreaking }) => isBreaking).length;
  return `${table}\n\n${breaking} of ${changes.length} ${changes.length === 1 ? 'change' : 'changes'} ${breaking === 1 ? 'breaks' : 'break'}.\n`;
}
