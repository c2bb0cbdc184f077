import type { Goal } from '../goals';
import type { Options } from '../options';
import type { Programs } from '../programs';
import type { Figure } from '../statistics';

/** What came out for one goal: a figure, or why there is none. A goal without a figure never counts as reached. */
export interface Outcome {
  readonly goal: Goal;
  readonly figure?: Figure | undefined;
  readonly note?: string | undefined;
}

/** A figure that belongs to no goal but tells how the goals' figures came about. */
export interface Reference {
  /** What was done: `tool call 64x1`. */
  readonly work: string;
  readonly subject: string;
  readonly unit: string;
  readonly figure: Figure;
  /** The subject over the base of its table, round by round. */
  readonly ratio?: Figure | undefined;
}

export interface SuiteResult {
  readonly outcomes: readonly Outcome[];
  readonly references: readonly Reference[];
}

export interface SuiteContext {
  readonly options: Options;
  readonly programs: Programs;
  /** Writes one line of progress. */
  say(line: string): void;
  /** True when the goal is to be measured in this run. */
  wants(id: string): boolean;
}

/** A group of goals that are measured together. */
export interface Suite {
  readonly goalIds: readonly string[];
  run(context: SuiteContext): Promise<SuiteResult>;
}

export function notMeasured(goal: Goal, why: string): Outcome {
  return { goal, note: `not measured: ${why}` };
}
