import type { Brain } from './brain';
import { TestingError, testingErrors } from './errors';
import { requireSpeakingSteps, type Step, StepMind, type StepRun } from './step';

/** A brain of steps in a strict order. */
export interface Script extends Brain {
  /** Titles of the steps that the newest call has not reached. A test of a whole call expects none. */
  readonly remaining: readonly string[];
}

/**
 * A brain that plays its steps in this order, one per user turn, from the start in each call. Words that the next step
 * does not match, or a turn after the last step, fail the turn.
 *
 * @example
 * ```ts
 * import { script, when } from '@callwright/testing';
 *
 * const brain = script([
 *   when('A table for two at six.').call('book_table', { partySize: 2 }).say('Shall I book it?'),
 *   when(/yes/i).confirm().say('Booked.'),
 * ]);
 * void brain;
 * ```
 * @throws TestingError `CW_BRAIN_STEP_SILENT` when a step does not end with a line.
 */
export function script(steps: readonly Step[]): Script {
  requireSpeakingSteps(steps);
  let next = 0;
  return {
    startCall: () => {
      let position = 0;
      next = 0;
      return new StepMind((text) => {
        const run = runOf(steps, position, text);
        position += 1;
        next = position;
        return run;
      });
    },
    get remaining() {
      return steps.slice(next).map((step) => step.title);
    },
  };
}

function runOf(steps: readonly Step[], position: number, text: string): StepRun {
  const step = steps[position];
  const match = step?.matchOf(text);
  if (step !== undefined && match !== undefined) return step.begin(match);
  throw new TestingError(
    'CW_BRAIN_OUT_OF_SCRIPT',
    testingErrors.CW_BRAIN_OUT_OF_SCRIPT({
      text,
      position: position + 1,
      steps: steps.length,
      expected: step?.title,
    }),
  );
}
