import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Scenario, ScenarioResult, ScenarioSummary } from '@callwright/testing';
import { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { cliError } from '../errors';
import { EXIT_CODES, withGuide } from '../guide';
import { paintFor } from '../paint';
import { findProject, loadProjectTesting, type Project } from '../project';
import { readText } from '../read-text';
import { loadRootModule } from '../root-module';
import type { CliSystem } from '../system';
import { loadTesting } from '../testing-package';
import { moduleOption } from './module-option';

interface TestOptions {
  readonly module?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

/** Where scenarios are by convention, from the project's folder. */
const SCENARIOS = 'scenarios';

/** `callwright test [files...]` */
export function testCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('test')
    .description('play scenarios: calls in YAML files, with what has to come of them')
    .argument('[files...]', `scenario files (default: all .yaml and .yml files under ${SCENARIOS})`)
    .addOption(moduleOption())
    .option('--junit <file>', 'also write a report that build servers read')
    .option('--json', 'print the results as JSON')
    .action(async (files: readonly string[], options: TestOptions) => {
      const summary = await playScenarios(files, options, system);
      if (options.json === true) system.output.write(`${JSON.stringify(summary, undefined, 2)}\n`);
      if (options.junit !== undefined) writeReport(resolve(system.folder, options.junit), summary);
      if (summary.failed > 0) exitWith(EXIT_CODES.failed);
    });
  return withGuide(command, {
    examples: ['callwright test', 'callwright test scenarios/booking.yaml --junit reports/scenarios.xml'],
    exitCodes: [[EXIT_CODES.failed, 'a scenario failed, cannot be read, or there is none']],
    notes: [
      'Each scenario has an application of its own and a virtual clock, so a call of a minute takes milliseconds. The package yaml must be installed. The guide to testing says what a scenario may have.',
    ],
  });
}

async function playScenarios(
  files: readonly string[],
  options: TestOptions,
  system: CliSystem,
): Promise<ScenarioSummary> {
  const project = findProject(system.folder);
  const { formatCount, runScenarios, Test } = loadProjectTesting(project);
  const scenarios = readScenarios(files, project, system.folder);
  const { rootModule } = loadRootModule(project, options.module);
  const isJson = options.json === true;
  const summary = await runScenarios(scenarios, Test.createTestingModule({ imports: [rootModule] }), {
    onResult: isJson ? undefined : (result) => printResult(result, system),
  });
  if (!isJson) {
    const color = summary.failed > 0 ? 'red' : 'green';
    system.output.write(`\n${paintFor(system.output, system)(formatCount(summary), color)}\n`);
  }
  return summary;
}

function printResult(result: ScenarioResult, system: CliSystem): void {
  const paint = paintFor(system.output, system);
  const text = loadTesting().formatScenario(result);
  system.output.write(
    `${text.replace(/^(ok|FAIL)/, (word) => paint(word, word === 'ok' ? 'green' : 'red'))}\n`,
  );
}

function readScenarios(files: readonly string[], project: Project, folder: string): readonly Scenario[] {
  const { parseScenario } = loadProjectTesting(project);
  const paths = files.length > 0 ? files : scenarioFiles(project.root).map((path) => relative(folder, path));
  if (paths.length === 0) throw cliError('CW_NO_SCENARIOS', { folder: SCENARIOS });
  return paths.map((path) => parseScenario(readText(folder, path), path));
}

function scenarioFiles(root: string): readonly string[] {
  const folder = join(root, SCENARIOS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path))
    .sort()
    .map((path) => join(folder, path));
}

function writeReport(file: string, summary: ScenarioSummary): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, loadTesting().junitReport(summary));
}
