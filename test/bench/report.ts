import { type Goal, meets } from './goals';
import type { Figure } from './statistics';
import type { Outcome, Reference, SuiteResult } from './suites/suite';

/** One goal as `--json` prints it. */
export interface GoalReport {
  readonly id: string;
  readonly case: string;
  /** The median, rounded to four digits; null when the goal was not measured. */
  readonly value: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly unit: string;
  /** What is to be reached: `<= 1.03`. */
  readonly goal: string;
  /** False for a goal that was missed and for one that was not measured. */
  readonly ok: boolean;
  readonly note?: string | undefined;
}

export function goalReport({ goal, figure, note }: Outcome): GoalReport {
  return {
    id: goal.id,
    case: goal.case,
    value: figure === undefined ? null : rounded(figure.median),
    min: figure === undefined ? null : rounded(figure.min),
    max: figure === undefined ? null : rounded(figure.max),
    unit: goal.unit,
    goal: `${goal.comparator} ${goal.bound}`,
    ok: figure !== undefined && meets(goal, rounded(figure.median)),
    ...(note === undefined ? {} : { note }),
  };
}

/** The object of `--json`. */
export function jsonReport({ outcomes }: SuiteResult): string {
  return JSON.stringify({ goals: outcomes.map(goalReport) });
}

/** The tables for people: the goals, then the figures behind them. */
export function tableReport({ outcomes, references }: SuiteResult): string {
  const parts = [
    table(['goal', 'case', 'what', 'to reach', 'median', 'min - max', 'verdict'], goalRows(outcomes)),
  ];
  if (references.length > 0) {
    parts.push('The figures behind them. They move with the load of the machine; the ratios hold.');
    parts.push(
      table(
        ['work', 'subject', 'median', 'min - max', 'over the first', 'min - max'],
        referenceRows(references),
      ),
    );
  }
  return parts.join('\n\n');
}

function goalRows(outcomes: readonly Outcome[]): string[][] {
  return outcomes.map((outcome) => {
    const { goal, figure, note } = outcome;
    const report = goalReport(outcome);
    const verdict = figure === undefined ? (note ?? 'not measured') : report.ok ? 'reached' : 'MISSED';
    return [
      goal.id,
      goal.case,
      goal.what,
      `${report.goal} ${unitOf(goal)}`.trimEnd(),
      figure === undefined ? '-' : short(figure.median),
      figure === undefined ? '-' : spread(figure),
      figure !== undefined && note !== undefined ? `${verdict} (${note})` : verdict,
    ];
  });
}

function referenceRows(references: readonly Reference[]): string[][] {
  return references.map(({ work, subject, unit, figure, ratio }) => [
    work,
    subject,
    `${short(figure.median)} ${unit}`,
    spread(figure),
    ratio === undefined ? '' : short(ratio.median),
    ratio === undefined ? '' : spread(ratio),
  ]);
}

function unitOf(goal: Goal): string {
  return goal.unit === 'count' ? '' : goal.unit;
}

function spread({ min, max }: Figure): string {
  return `${short(min)} - ${short(max)}`;
}

/** Three significant digits, and at least the whole number. */
function short(value: number): string {
  const magnitude = Math.abs(value);
  return value.toFixed(magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3);
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
