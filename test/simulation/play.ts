import fc from 'fast-check';
import { checkHistory, type Violation } from './check';
import { reduce } from './reduce';
import { type Schedule, schedules } from './schedule';
import { playWorld } from './world';

/** One world and what was wrong with it. */
export interface PlayedWorld {
  /** Seed of the schedule: the same seed plays the same world again. */
  readonly seed: number;
  readonly calls: number;
  readonly violations: readonly Violation[];
}

/** A failing world made as small as the time allowed. */
export interface ShrunkWorld {
  readonly schedule: Schedule;
  readonly violations: readonly Violation[];
}

/** Plays the world of a seed. */
export async function playSeed(seed: number): Promise<PlayedWorld> {
  let calls = 0;
  let violations: readonly Violation[] = [];
  const property = fc.asyncProperty(schedules, async (schedule) => {
    calls = schedule.calls.length;
    violations = checkHistory(await playWorld(schedule));
  });
  await fc.check(property, { seed, numRuns: 1 });
  return { seed, calls, violations };
}

/** Makes the world of a seed smaller while it breaks the same invariant; its values for at most `limitMs` of real time. */
export async function shrinkSeed(
  seed: number,
  invariant: string,
  limitMs: number,
): Promise<ShrunkWorld | undefined> {
  let shrunk: ShrunkWorld | undefined;
  const fails = async (schedule: Schedule): Promise<boolean> => {
    const violations = checkHistory(await playWorld(schedule)).filter((one) => one.invariant === invariant);
    if (violations.length > 0) shrunk = { schedule, violations };
    return violations.length > 0;
  };
  let whole: Schedule | undefined;
  const take = fc.asyncProperty(schedules, async (schedule) => {
    whole = schedule;
  });
  await fc.check(take, { seed, numRuns: 1 });
  if (whole === undefined || !(await fails(whole))) return undefined;
  const reduced = await reduce(whole, fails);
  const holds = fc.asyncProperty(schedules, async (schedule) => !(await fails(schedule)));
  await fc.check(holds, { examples: [[reduced]], numRuns: 1, interruptAfterTimeLimit: limitMs });
  return shrunk;
}
