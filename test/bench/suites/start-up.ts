import { type Goal, goalOf } from '../goals';
import { AgentProcess } from '../processes/agent-process';
import type { AgentName } from '../programs';
import { figureOf, pairedRatio } from '../statistics';
import { notMeasured, type Outcome, type Suite, type SuiteContext, type SuiteResult } from './suite';

const NAMES = [
  'bare',
  'callwright',
  'callwright (bundled)',
  'callwright (64 tools)',
  'python',
  'nest',
] as const satisfies readonly AgentName[];

/** CPU time from the start of a process until it listens, as the process itself reads it right then. */
export const startUpSuite: Suite = {
  goalIds: ['P8'],
  async run(context: SuiteContext): Promise<SuiteResult> {
    const cpuMs = new Map<AgentName, number[]>();
    const missing = new Map<AgentName, string>();
    context.say(`start-up: ${NAMES.join(', ')}`);
    // The first start of each reads its files from the disk; it is not counted.
    for (let round = -1; round < context.options.rounds; round++) {
      for (const name of NAMES) {
        const program = await context.programs.agent(name);
        if (!program.ok) {
          missing.set(name, program.why);
          continue;
        }
        const agent = await AgentProcess.start(program.value);
        if (round >= 0) cpuMs.set(name, [...(cpuMs.get(name) ?? []), agent.startUpCpuMs]);
        await agent.stop();
      }
    }
    return { outcomes: outcomesOf(cpuMs, missing), references: referencesOf(cpuMs) };
  },
};

type ByAgent<T> = ReadonlyMap<AgentName, T>;

function outcomesOf(cpuMs: ByAgent<readonly number[]>, missing: ByAgent<string>): Outcome[] {
  const compare = (goal: Goal, above: AgentName, below: AgentName, combine: typeof pairedRatio): Outcome => {
    const over = cpuMs.get(above);
    const under = cpuMs.get(below);
    if (over !== undefined && under !== undefined) return { goal, figure: combine(over, under) };
    const absent = over === undefined ? above : below;
    return notMeasured(goal, `${absent}: ${missing.get(absent) ?? 'it did not run'}`);
  };
  const difference: typeof pairedRatio = (over, under) =>
    figureOf(over.map((value, round) => value - (under[round] ?? Number.NaN)));
  return [
    compare(goalOf('P8', 'over Python'), 'callwright', 'python', pairedRatio),
    compare(goalOf('P8', 'over NestJS'), 'callwright', 'nest', pairedRatio),
    compare(goalOf('P8', 'bundled'), 'callwright (bundled)', 'python', pairedRatio),
    compare(goalOf('P8', '64 tools'), 'callwright (64 tools)', 'callwright', difference),
  ];
}

function referencesOf(cpuMs: ByAgent<readonly number[]>): SuiteResult['references'] {
  const base = cpuMs.get('bare');
  return [...cpuMs].map(([subject, values]) => ({
    work: 'start-up',
    subject,
    unit: 'ms of CPU',
    figure: figureOf(values),
    ratio: base === undefined ? undefined : pairedRatio(values, base),
  }));
}
