import fc from 'fast-check';
import { checkHistory, type Violation } from './check';
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

/** Looks for a smaller world that breaks the same invariant, for at most `limitMs` of real time. */
export async function shrinkSeed(
  seed: number,
  invariant: string,
  limitMs: number,
): Promise<ShrunkWorld | undefined> {
  let smallest: ShrunkWorld | undefined;
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const found = checkHistory(await playWorld(schedule)).filter((one) => one.invariant === invariant);
    if (found.length === 0) return;
    smallest = { schedule, violations: found };
    throw new Error(invariant);
  });
  await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: limitMs });
  return smallest;
}
