import type { Brain } from './brain';
import { TestingError, testingErrors } from './errors';
import { nearest } from './nearest';
import { requireSpeakingSteps, type Step, StepMind, type StepRun } from './step';

/**
 * A brain that looks for the first rule that matches what the user said; rules may be used again and again. Words that no
 * rule matches fail the turn, and the error names the nearest rule.
 *
 * @example
 * ```ts
 * import { rules, when } from '@callwright/testing';
 *
 * const brain = rules([
 *   when(/open on (\w+)/).call('opening_hours', (m) => ({ day: m[1] })).say((heard) => heard.outcomes[0]?.text ?? ''),
 *   when(/bye/).say('Goodbye!'),
 * ]);
 * void brain;
 * ```
 * @throws TestingError `CW_BRAIN_STEP_SILENT` when a rule does not end with a line.
 */
export function rules(steps: readonly Step[]): Brain {
  requireSpeakingSteps(steps);
  return { startCall: () => new StepMind((text) => firstMatch(steps, text)) };
}

function firstMatch(steps: readonly Step[], text: string): StepRun {
  for (const step of steps) {
    const match = step.matchOf(text);
    if (match !== undefined) return step.begin(match);
  }
  const titles = steps.map((step) => step.title);
  throw new TestingError(
    'CW_BRAIN_NO_MATCH',
    testingErrors.CW_BRAIN_NO_MATCH({ text, rules: titles.length, nearest: nearest(text, titles) }),
  );
}
