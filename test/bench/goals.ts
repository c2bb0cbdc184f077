/** What the bench asserts about the speed of Callwright, as data. */

export interface Goal {
  /** As people name it: `P1`. One goal may have several cases. */
  readonly id: string;
  readonly case: string;
  readonly what: string;
  readonly comparator: '<=' | '>=';
  readonly bound: number;
  readonly unit: 'x' | 'KiB' | 'MiB' | 'ms' | 'ns' | 'us' | 'bytes' | 'count';
}

function goal(
  id: string,
  name: string,
  what: string,
  comparator: '<=' | '>=',
  [bound, unit]: readonly [number, Goal['unit']],
): Goal {
  return { id, case: name, what, comparator, bound, unit };
}

/** Every goal. `over` means: the first figure divided by the second, round by round. */
export const GOALS: readonly Goal[] = [
  goal('P1', '64x1', 'CPU per validated tool call, over corked ws', '<=', [1.03, 'x']),
  goal('P1', '16x4', 'CPU per validated tool call, over corked ws', '<=', [1.05, 'x']),
  goal('P2', '64x1', 'CPU per validated tool call, over bare ws', '<=', [0.95, 'x']),
  goal('P2', '16x4', 'CPU per validated tool call, over bare ws', '<=', [0.62, 'x']),
  goal('P3', '64x1', 'CPU per tool call, Python SDK over ours', '>=', [8, 'x']),
  goal('P3', '16x4', 'CPU per tool call, Python SDK over ours', '>=', [13, 'x']),
  goal('P3', 'event', 'CPU per event, Python SDK over ours', '>=', [8, 'x']),
  goal('P3', 'call', 'CPU per call opened and ended, Python SDK over ours', '>=', [2.9, 'x']),
  goal('P4', '64x1', 'CPU per tool call, NestJS over ours', '>=', [5, 'x']),
  goal('P4', '16x4', 'CPU per tool call, NestJS over ours', '>=', [7, 'x']),
  goal('P5', 'event', 'CPU per event of a flood, over bare ws', '<=', [1.05, 'x']),
  goal('P6', 'call', 'CPU per call opened and ended, over bare ws', '<=', [1, 'x']),
  goal('P7', 'idle call', 'memory of an idle call, 10,000 calls', '<=', [7, 'KiB']),
  goal('P7', 'over Python', 'memory of an idle call, over the Python SDK', '<=', [0.28, 'x']),
  goal('P7', 'total', 'memory of the process with 10,000 calls', '<=', [135, 'MiB']),
  goal('P8', 'over Python', 'CPU to listening, over the Python SDK', '<=', [2, 'x']),
  goal('P8', 'over NestJS', 'CPU to listening, over NestJS', '<=', [0.28, 'x']),
  goal('P8', 'bundled', 'CPU to listening as one file, over the Python SDK', '<=', [1.1, 'x']),
  goal('P8', '64 tools', 'CPU to listening of 64 tools with DTOs over that of one', '<=', [15, 'ms']),
  goal('P9', 'all in schema', 'arguments to DTO, plainToInstance + validateSync over ours', '>=', [40, 'x']),
  goal('P9', 'phone number', 'the same with one @IsPhoneNumber', '>=', [2, 'x']),
  goal('P9', 'verdicts', 'verdicts that differ over the corpus', '<=', [0, 'count']),
  goal('P10', '5 providers', 'CPU per call scope of 5 providers', '<=', [60, 'ns']),
  goal('P10', '5 providers, bytes', 'memory of a live scope of 5 providers', '<=', [300, 'bytes']),
  goal('P10', '12 objects', 'CPU per scope of 12 objects with teardown', '<=', [0.7, 'us']),
  goal('P10', '12 objects, kept', 'memory kept per scope that ended', '<=', [0, 'bytes']),
  goal('P11', 'churn', 'RSS after 100,000 ended calls over RSS after 25,000', '<=', [1.03, 'x']),
  goal('P12', '64x1', 'CPU per tool call with guard, interceptor, signal, over corked ws', '<=', [1.1, 'x']),
  goal('P12', '16x4', 'CPU per tool call with guard, interceptor, signal, over corked ws', '<=', [1.1, 'x']),
  goal('P13', 'boot', 'boot of 200 modules with 5 providers each', '<=', [50, 'ms']),
  goal('P13', 'errors', 'errors reported at once, of 200 planted', '>=', [200, 'count']),
];

/** The goal of that id and case. */
export function goalOf(id: string, name: string): Goal {
  const found = GOALS.find((candidate) => candidate.id === id && candidate.case === name);
  if (found === undefined) throw new Error(`there is no goal ${id} ${name}`);
  return found;
}

/** True when a value reaches the goal. */
export function meets(goal: Goal, value: number): boolean {
  return goal.comparator === '<=' ? value <= goal.bound : value >= goal.bound;
}
