import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load/load';
import type { Options } from './options';
import { AgentProcess } from './processes/agent-process';
import type { AgentName, Programs } from './programs';

/** An agent is idle this long before its CPU time is read, so that the kernel has booked all of it. */
const SETTLE_MS = 8;

/** CPU microseconds per operation, by agent: one value per round. */
export interface Rounds {
  readonly cpuUs: ReadonlyMap<AgentName, readonly number[]>;
  /** Why agents could not be measured. */
  readonly missing: ReadonlyMap<AgentName, string>;
}

interface Contender {
  readonly name: AgentName;
  readonly agent: AgentProcess;
  readonly load: Load;
  readonly cpuUs: number[];
}

interface Measured {
  readonly cpuUs: number;
  readonly operations: number;
}

/**
 * Measures agents back to back. In a round every agent has its slices in turns (A B C, then C B A, ...), each with fresh
 * calls, whose opening and ending are not measured unless they are the load; the CPU time of the round's slices is
 * booked over their operations.
 */
export async function measureRounds(
  names: readonly AgentName[],
  makeLoad: () => Load,
  context: { readonly options: Options; readonly programs: Programs; say(line: string): void },
): Promise<Rounds> {
  const missing = new Map<AgentName, string>();
  const contenders: Contender[] = [];
  try {
    for (const name of names) {
      const program = await context.programs.agent(name);
      if (!program.ok) {
        missing.set(name, program.why);
        continue;
      }
      const agent = await AgentProcess.start({ ...program.value, name });
      contenders.push({ name, agent, load: makeLoad(), cpuUs: [] });
    }
    for (const contender of contenders) await warmUp(contender, context.options);
    for (let round = 0; round < context.options.rounds; round++) {
      await measureRound(contenders, context.options);
      context.say(`  round ${round + 1} of ${context.options.rounds}: ${roundLine(contenders)}`);
    }
  } finally {
    await Promise.all(contenders.map(({ agent }) => agent.stop()));
  }
  return { cpuUs: new Map(contenders.map(({ name, cpuUs }) => [name, cpuUs])), missing };
}

async function warmUp({ agent, load }: Contender, options: Options): Promise<void> {
  const end = performance.now() + options.warmUpMs;
  while (performance.now() < end) {
    await load.open(agent.port);
    await Promise.race([load.run(end - performance.now()), agent.died]);
    await load.close();
  }
}

async function measureRound(contenders: readonly Contender[], options: Options): Promise<void> {
  const totals = contenders.map(() => ({ cpuUs: 0, operations: 0 }));
  for (let slice = 0; slice < options.slicesPerRound; slice++) {
    const order = [...contenders.keys()];
    if (slice % 2 === 1) order.reverse();
    for (const at of order) {
      const contender = contenders[at];
      const total = totals[at];
      if (contender === undefined || total === undefined) continue;
      const measured = await measureSlice(contender, options.sliceMs);
      total.cpuUs += measured.cpuUs;
      total.operations += measured.operations;
    }
  }
  for (const [at, { cpuUs }] of contenders.entries()) {
    const total = totals[at];
    if (total !== undefined) cpuUs.push(total.cpuUs / total.operations);
  }
}

/** Slices until the calls are used up or the time is over; a slice of few operations is followed by another. */
async function measureSlice({ agent, load }: Contender, sliceMs: number): Promise<Measured> {
  const total = { cpuUs: 0, operations: 0 };
  let leftMs = sliceMs;
  while (leftMs > 0) {
    await load.open(agent.port);
    await sleep(SETTLE_MS);
    const before = agent.cpuTimeUs();
    const startedMs = performance.now();
    total.operations += await Promise.race([load.run(leftMs), agent.died]);
    leftMs -= performance.now() - startedMs;
    await sleep(SETTLE_MS);
    total.cpuUs += agent.cpuTimeUs() - before;
    await load.close();
  }
  return total;
}

function roundLine(contenders: readonly Contender[]): string {
  return contenders.map(({ name, cpuUs }) => `${name} ${(cpuUs.at(-1) ?? Number.NaN).toFixed(2)}`).join(', ');
}
