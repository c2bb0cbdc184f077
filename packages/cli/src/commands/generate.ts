import { join, relative } from 'node:path';
import { Argument, Command } from 'commander';
import type { CommandContext } from '../command-context';
import { KINDS, type Kind } from '../generated/kinds';
import { withGuide } from '../guide';
import { readName } from '../names';
import { paintFor } from '../paint';
import { findProject } from '../project';
import type { CliSystem } from '../system';
import { writeNewFiles } from '../write-files';

interface GenerateOptions {
  readonly folder: string;
  readonly json?: boolean;
}

/** `callwright generate <kind> <name>` */
export function generateCommand({ system }: CommandContext): Command {
  const kinds = Object.keys(KINDS);
  const command = new Command('generate')
    .alias('g')
    .description('write a file to begin with; nothing is ever overwritten')
    .addArgument(new Argument('<kind>', 'what to write').choices(kinds))
    .argument('<name>', 'its name: table-booking or TableBooking')
    .option('--folder <path>', "where to, from the project's folder", 'src')
    .option('--json', 'print what was written as JSON')
    .action((kind: Kind, name: string, options: GenerateOptions) => generate(kind, name, options, system));
  return withGuide(command, {
    examples: ['callwright generate agent hotel', 'callwright generate dto table-wish --folder src/booking'],
    exitCodes: [],
    notes: [
      ['Kinds:', ...Object.entries(KINDS).map(([kind, { about }]) => `  ${kind.padEnd(7)} ${about}`)].join(
        '\n',
      ),
    ],
  });
}

function generate(kind: Kind, name: string, options: GenerateOptions, system: CliSystem): void {
  const project = findProject(system.folder);
  const { files, next } = KINDS[kind].make(readName(kind, name));
  const folder = join(project.root, options.folder);
  writeNewFiles(folder, files);
  const written = files.map(([path]) => relative(project.root, join(folder, path)));
  if (options.json === true) {
    system.output.write(`${JSON.stringify({ written, next })}\n`);
    return;
  }
  const paint = paintFor(system.output, system);
  for (const path of written) system.output.write(`${paint('wrote', 'green')} ${path}\n`);
  system.output.write(`\nNext:\n${next.map((step) => `  - ${step}`).join('\n')}\n`);
}
