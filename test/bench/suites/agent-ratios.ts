import { type Goal, goalOf } from '../goals';
import type { Load } from '../load/load';
import type { AgentName } from '../programs';
import { measureRounds, type Rounds } from '../rounds';
import { figureOf, pairedRatio } from '../statistics';
import { notMeasured, type Outcome, type Reference, type SuiteContext, type SuiteResult } from './suite';

/** A goal that compares the CPU time of two agents. */
export interface RatioGoal {
  readonly goal: Goal;
  readonly over: AgentName;
  readonly under: AgentName;
}

export function ratioGoal(id: string, name: string, over: AgentName, under: AgentName): RatioGoal {
  return { goal: goalOf(id, name), over, under };
}

const BASE: AgentName = 'bare';

/** Measures, in the same rounds, every agent that the wanted goals compare, and `bare` as the base of the table. */
export async function measureRatios(
  work: string,
  goals: readonly RatioGoal[],
  makeLoad: () => Load,
  context: SuiteContext,
): Promise<SuiteResult> {
  const wanted = goals.filter(({ goal }) => context.wants(goal.id));
  if (wanted.length === 0) return { outcomes: [], references: [] };
  const names = new Set<AgentName>([BASE]);
  for (const { over, under } of wanted) {
    for (const name of [under, over]) names.add(name);
  }
  if (names.has('corked')) names.add('corked (control)');
  context.say(`${work}: ${[...names].join(', ')}`);
  const rounds = await measureRounds([...names], makeLoad, context);
  return {
    outcomes: wanted.map((ratio) => outcomeOf(ratio, rounds)),
    references: referencesOf(work, makeLoad().operation, rounds),
  };
}

function outcomeOf({ goal, over, under }: RatioGoal, rounds: Rounds): Outcome {
  const above = rounds.cpuUs.get(over);
  const below = rounds.cpuUs.get(under);
  if (above !== undefined && below !== undefined) return { goal, figure: pairedRatio(above, below) };
  const absent = above === undefined ? over : under;
  return notMeasured(goal, `${absent}: ${rounds.missing.get(absent) ?? 'it did not run'}`);
}

function referencesOf(work: string, operation: string, { cpuUs }: Rounds): Reference[] {
  const base = cpuUs.get(BASE);
  return [...cpuUs].map(([subject, values]) => ({
    work,
    subject,
    unit: `us per ${operation}`,
    figure: figureOf(values),
    ratio: base === undefined ? undefined : pairedRatio(values, base),
  }));
}
