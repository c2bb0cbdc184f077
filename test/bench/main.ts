import { HELP, OptionError, type Options, readOptions } from './options';
import { Programs } from './programs';
import { jsonReport, tableReport } from './report';
import { argumentsSuite } from './suites/arguments';
import { eventSuite, openingSuite, toolCallSuite } from './suites/calls';
import { bootSuite, scopeSuite } from './suites/containers';
import { churnSuite, idleMemorySuite } from './suites/memory';
import { startUpSuite } from './suites/start-up';
import type { Suite, SuiteContext, SuiteResult } from './suites/suite';

const SUITES: readonly Suite[] = [
  toolCallSuite,
  eventSuite,
  openingSuite,
  startUpSuite,
  argumentsSuite,
  scopeSuite,
  bootSuite,
  idleMemorySuite,
  churnSuite,
];

/** Runs the bench for a command line; the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(argv);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`${error.message}\n\n${HELP}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  if (process.platform !== 'linux') {
    process.stderr.write('The bench reads CPU time from /proc and runs on Linux only.\n');
    return 1;
  }
  const result = await runSuites(options);
  process.stdout.write(`${options.json ? jsonReport(result) : tableReport(result)}\n`);
  return 0;
}

async function runSuites(options: Options): Promise<SuiteResult> {
  const startedMs = performance.now();
  const say = (line: string): void => {
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4);
    process.stderr.write(`${seconds} s  ${line}\n`);
  };
  const context: SuiteContext = {
    options,
    programs: new Programs(say),
    say,
    wants: (id) => options.only.has(id),
  };
  const results: SuiteResult[] = [];
  for (const suite of SUITES) {
    if (suite.goalIds.some(context.wants)) results.push(await suite.run(context));
  }
  return {
    outcomes: results.flatMap(({ outcomes }) => outcomes).sort(byGoal),
    references: results.flatMap(({ references }) => references),
  };
}

function byGoal(a: { goal: { id: string } }, b: { goal: { id: string } }): number {
  return Number(a.goal.id.slice(1)) - Number(b.goal.id.slice(1));
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `The bench broke: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`,
    );
    process.exitCode = 1;
  },
);
