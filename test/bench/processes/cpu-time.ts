import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time (user and system) of a process, all its threads together, in microseconds.
 *
 * It is read from `/proc/PID/task/TID/schedstat`, whose first number is the time on a CPU in nanoseconds: a hundred
 * thousand times finer than the ticks of `/proc/PID/stat`, without any help of the agent and alike for every
 * language. The kernel brings it up to date when a thread leaves its CPU, so the bench reads it only while the agent
 * is idle. A thread that ended is no longer counted; no agent ends threads while it is measured.
 */
export function cpuTimeUs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const statistics = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1');
    nanoseconds += Number(statistics.slice(0, statistics.indexOf(' ')));
  }
  return nanoseconds / 1_000;
}

/** Memory of a process that is in RAM (RSS), in KiB. */
export function residentKiB(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  if (found?.[1] === undefined) throw new Error(`/proc/${pid}/status tells no VmRSS`);
  return Number(found[1]);
}
