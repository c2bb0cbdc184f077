import type { CallPlan, Schedule } from './schedule';

/** Whether a schedule still shows the fault. */
export type Fails = (schedule: Schedule) => Promise<boolean>;

/**
 * Leaves out whole calls, then steps, as long as the fault stays: what is left has nothing that could be left out alone. Values
 * are made smaller by fast-check afterwards.
 */
export async function reduce(schedule: Schedule, fails: Fails): Promise<Schedule> {
  let smallest = await withoutExtras(schedule, fails);
  smallest = {
    ...smallest,
    calls: await reduceList(smallest.calls, (calls) => fails({ ...smallest, calls })),
  };
  for (let index = 0; index < smallest.calls.length; index += 1) {
    const withSteps = (steps: CallPlan['steps']): Schedule => ({
      ...smallest,
      calls: smallest.calls.map((call, at) => (at === index ? { ...call, steps } : call)),
    });
    const steps = smallest.calls[index]?.steps ?? [];
    smallest = withSteps(await reduceList(steps, (candidate) => fails(withSteps(candidate))));
  }
  return smallest;
}

/** Without a restart, without an early close. */
async function withoutExtras(schedule: Schedule, fails: Fails): Promise<Schedule> {
  let smallest = schedule;
  for (const change of [{ restartsAtMs: undefined }, { closesAtMs: undefined, lameDuckMs: 0, drainMs: 0 }]) {
    const candidate = { ...smallest, ...change };
    if (await fails(candidate)) smallest = candidate;
  }
  return smallest;
}

/** Leaves out halves, then quarters, down to single items, until none can be left out. */
async function reduceList<T>(
  list: readonly T[],
  fails: (list: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let smallest = list;
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.length; ) {
      const candidate = [...smallest.slice(0, from), ...smallest.slice(from + size)];
      if (await fails(candidate)) smallest = candidate;
      else from += size;
    }
  }
  return smallest;
}
