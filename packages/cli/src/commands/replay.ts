import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ReplayReport } from '@callwright/testing';
import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context';
import { EXIT_CODES, withGuide } from '../guide';
import { type Paint, paintFor } from '../paint';
import { findProject, loadProjectTesting } from '../project';
import { readText } from '../read-text';
import { loadRootModule } from '../root-module';
import type { CliSystem } from '../system';
import { loadTesting } from '../testing-package';
import { moduleOption } from './module-option';

interface ReplayCommandOptions {
  readonly module?: string;
  readonly update?: boolean;
  readonly caller?: string;
  readonly value: Readonly<Record<string, string>>;
  readonly json?: boolean;
}

interface Replayed {
  readonly file: string;
  readonly report: ReplayReport;
}

/** `callwright replay <files...>` */
export function replayCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('replay')
    .description("play recorded calls against today's code, and show what it does differently")
    .argument('<files...>', 'recordings, as the option record writes them')
    .addOption(moduleOption())
    .option('--update', 'put what the code does today in the place of what was recorded')
    .option('--caller <number>', "a number for the caller's, which is not recorded")
    .option(
      '--value <place=text>',
      'a sensitive argument, which is not recorded: pay.card=4242 (may be repeated)',
      addValue,
      {},
    )
    .option('--json', 'print the differences as JSON')
    .action(async (files: readonly string[], options: ReplayCommandOptions) => {
      const replayed = await replayAll(files, options, system);
      const isSame = replayed.every(
        ({ report }) => report.differences.length === 0 && report.skipped.length === 0,
      );
      system.output.write(shown(replayed, options, paintFor(system.output, system)));
      if (options.update === true) update(replayed, system);
      else if (!isSame) exitWith(EXIT_CODES.failed);
      if (replayed.some(({ report }) => report.skipped.length > 0)) exitWith(EXIT_CODES.failed);
    });
  return withGuide(command, {
    examples: [
      'callwright replay recordings/*.jsonl',
      'callwright replay recordings/last-month.jsonl --update',
    ],
    exitCodes: [
      [
        EXIT_CODES.failed,
        'a call goes otherwise than it was recorded (unless --update), or a tool call was left out',
      ],
    ],
    notes: [
      "What the voice server sent then is sent again, at the times it had, on a virtual clock: a call of minutes takes no time. Compared are the agent's answer with its tools, each tool's result, commands and their texts, their order, and the end.",
      'Nothing is replaced: services of the application do what they do. Where that costs something, replay in a test, with stand-ins for them.',
    ],
  });
}

function addValue(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, place, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (place === undefined || value === undefined)
    throw new InvalidArgumentError('As in pay.card=4242424242424242.');
  return { ...before, [place]: value };
}

async function replayAll(
  files: readonly string[],
  options: ReplayCommandOptions,
  system: CliSystem,
): Promise<readonly Replayed[]> {
  const project = findProject(system.folder);
  const { parseRecording, replay, Test } = loadProjectTesting(project);
  const recordings = files.map((file) => ({
    file,
    recording: parseRecording(readText(system.folder, file), file),
  }));
  const { rootModule } = loadRootModule(project, options.module);
  const replayed: Replayed[] = [];
  for (const { file, recording } of recordings) {
    const module = Test.createTestingModule({ imports: [rootModule] });
    const report = await replay(recording, module, { caller: options.caller, values: options.value });
    replayed.push({ file, report });
  }
  return replayed;
}

function shown(replayed: readonly Replayed[], { json }: ReplayCommandOptions, paint: Paint): string {
  if (json === true) {
    const all = replayed.map(({ file, report: { differences, skipped } }) => ({
      file,
      differences,
      skipped,
    }));
    return `${JSON.stringify(all, undefined, 2)}\n`;
  }
  const changed = replayed.filter(({ report }) => report.differences.length > 0).length;
  const verdict = `${replayed.length - changed} as recorded, ${changed} not`;
  return `${[...replayed.map((each) => reportAsText(each, paint)), paint(verdict, changed === 0 ? 'green' : 'red')].join('\n')}\n`;
}

function reportAsText({ file, report: { differences, skipped } }: Replayed, paint: Paint): string {
  const { formatDifferences } = loadTesting();
  const state = differences.length === 0 ? paint('same', 'green') : paint('differs', 'red');
  const lines = [`${state}  ${file}`];
  if (differences.length > 0) lines.push(`  ${formatDifferences(differences).replaceAll('\n', '\n  ')}`);
  for (const each of skipped)
    lines.push(`  left out, as a value was not recorded (give it with --value): ${each}`);
  return lines.join('\n');
}

/** A recording with a call left out would lose it. */
function update(replayed: readonly Replayed[], system: CliSystem): void {
  for (const { file, report } of replayed) {
    if (report.differences.length === 0) continue;
    if (report.skipped.length > 0) {
      system.errorOutput.write(`not updated, since it would lose what was left out: ${file}\n`);
      continue;
    }
    writeFileSync(resolve(system.folder, file), report.text);
    system.errorOutput.write(`updated ${file}\n`);
  }
}
