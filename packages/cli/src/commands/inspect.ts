import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { EXIT_CODES, withGuide } from '../guide';
import { type Inspection, inspectApplication } from '../manifest/inspection';
import { inspectionAsMarkdown, inspectionAsText } from '../manifest/show';
import { paintFor } from '../paint';
import { findProject } from '../project';
import { loadRootModule } from '../root-module';
import type { CliSystem } from '../system';
import { moduleOption } from './module-option';

interface InspectOptions {
  readonly module?: string;
  readonly format: 'table' | 'json' | 'markdown';
  readonly json?: boolean;
  readonly schemas?: boolean;
}

/** `callwright inspect` */
export function inspectCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('inspect')
    .description('show agents, tools, schemas and sizes, and everything that is wrong')
    .addOption(moduleOption())
    .addOption(new Option('--format <format>', 'how').choices(['table', 'json', 'markdown']).default('table'))
    .option('--json', 'the same as --format json')
    .option('--schemas', 'print the schemas of the tools in the table too')
    .action(async (options: InspectOptions) => {
      const loaded = loadRootModule(findProject(system.folder), options.module);
      const inspection = await inspectApplication(loaded);
      system.output.write(shown(inspection, options, system));
      if (inspection.problems.length > 0) exitWith(EXIT_CODES.failed);
    });
  return withGuide(command, {
    examples: [
      'callwright inspect',
      'callwright inspect --json > manifest.json',
      'callwright inspect --format markdown > docs/agents.md',
    ],
    exitCodes: [[EXIT_CODES.failed, 'the application would not start; every problem was printed']],
    notes: [
      'Makes the application as a start does, without listening: singletons are made and their start-up hooks run. The environment counts as it does for a start.',
    ],
  });
}

function shown(inspection: Inspection, options: InspectOptions, system: CliSystem): string {
  const format = options.json === true ? 'json' : options.format;
  if (format === 'json') return `${JSON.stringify(inspection, undefined, 2)}\n`;
  if (format === 'markdown') return inspectionAsMarkdown(inspection);
  return inspectionAsText(inspection, {
    paint: paintFor(system.output, system),
    schemas: options.schemas === true,
    isForTerminal: system.output.isTTY === true,
  });
}
