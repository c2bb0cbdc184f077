import { coreErrors } from './errors';
import type { Problem } from './problem';
import { recordsToWrite, type TimerRecord } from './records';

/** The shortest and the longest delay of a timer, in milliseconds. */
export const TIMER_LEAST_MS = 10;
export const TIMER_MOST_MS = 86_400_000;

/** A decorator of instance methods without parameters. */
export type TimerDecorator = <T extends () => void | Promise<void>>(
  target: object & { readonly prototype?: never },
  key: PropertyKey,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/**
 * Calls the method again and again while the call lives: first `everyMs` after it was accepted, last before it ends. A tick
 * that is still running when the next is due makes that one wait. Works on agents and CALL providers; parked calls tick on.
 * @param everyMs whole milliseconds from 10 to 86,400,000
 *
 * @example
 * ```ts
 * import { Call, Interval, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'patient' })
 * class PatientAgent {
 *   constructor(private readonly call: Call) {}
 *
 *   @Interval(60_000)
 *   async remind(): Promise<void> {
 *     await this.call.say('I am still here.');
 *   }
 * }
 * ```
 */
export function Interval(everyMs: number): TimerDecorator {
  return record({ repeats: true, delayMs: everyMs });
}

/**
 * Calls the method once, `afterMs` after the call was accepted, if it still lives then.
 * @param afterMs whole milliseconds from 10 to 86,400,000
 */
export function Timeout(afterMs: number): TimerDecorator {
  return record({ repeats: false, delayMs: afterMs });
}

function record(timer: TimerRecord): TimerDecorator {
  return (target, key) => {
    const { timers } = recordsToWrite(target.constructor);
    timers.set(key, [...(timers.get(key) ?? []), timer]);
  };
}

/** What is wrong with the timers of one method. */
export function timerProblems(
  where: string,
  timers: readonly TimerRecord[],
  parameterCount: number,
): Problem[] {
  const problems: Problem[] = [];
  const invalid = (decorator: string, why: string): void => {
    const message = coreErrors.CW_TIMER_INVALID({ where, decorator, why });
    problems.push({ code: 'CW_TIMER_INVALID', message });
  };
  for (const { repeats, delayMs } of timers) {
    const decorator = repeats ? '@Interval' : '@Timeout';
    if (!Number.isInteger(delayMs) || delayMs < TIMER_LEAST_MS || delayMs > TIMER_MOST_MS) {
      invalid(decorator, `a delay is a whole number from ${TIMER_LEAST_MS} to ${TIMER_MOST_MS} milliseconds`);
    }
    if (parameterCount > 0)
      invalid(decorator, 'a timer gives its method nothing, and this one has parameters');
  }
  return problems;
}
