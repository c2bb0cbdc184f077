import { setTimeout as sleep } from 'node:timers/promises';
import { goalOf } from '../goals';
import { Openings } from '../load/openings';
import { ToolCalls } from '../load/tool-calls';
import { AgentProcess } from '../processes/agent-process';
import type { AgentName } from '../programs';
import { figureOf, pairedRatio } from '../statistics';
import { notMeasured, type Outcome, type Suite, type SuiteContext, type SuiteResult } from './suite';

const IDLE_CALLS = 10_000;
const IDLE_RUNS = 3;
/** Until the collector has run and the memory of the opening is given back. */
const REST_MS = 2_000;

const CHURN_BASE_CALLS = 25_000;
const CHURN_CALLS = 100_000;
const CHURN_SIDE_BY_SIDE = 16;

interface Idle {
  readonly perCallKiB: number[];
  readonly totalMiB: number[];
}

/** The memory of calls that do nothing, after one tool call each. */
export const idleMemorySuite: Suite = {
  goalIds: ['P7'],
  async run(context: SuiteContext): Promise<SuiteResult> {
    const measured = new Map<AgentName, Idle>();
    const missing = new Map<AgentName, string>();
    for (const name of ['bare', 'callwright', 'python'] as const) {
      const program = await context.programs.agent(name);
      if (!program.ok) {
        missing.set(name, program.why);
        continue;
      }
      const idle: Idle = { perCallKiB: [], totalMiB: [] };
      for (let run = 0; run < IDLE_RUNS; run++)
        await measureIdle(await AgentProcess.start(program.value), idle);
      context.say(
        `memory of ${IDLE_CALLS} idle calls: ${name} ${idle.perCallKiB.map((kib) => kib.toFixed(2))} KiB each`,
      );
      measured.set(name, idle);
    }
    return { outcomes: idleOutcomes(measured, missing), references: idleReferences(measured) };
  },
};

async function measureIdle(agent: AgentProcess, idle: Idle): Promise<void> {
  try {
    const atStartKiB = agent.residentKiB();
    const load = new ToolCalls(IDLE_CALLS, 1);
    await Promise.race([load.open(agent.port), agent.died]);
    await Promise.race([load.runOnce(), agent.died]);
    await sleep(REST_MS);
    const residentKiB = agent.residentKiB();
    idle.perCallKiB.push((residentKiB - atStartKiB) / IDLE_CALLS);
    idle.totalMiB.push(residentKiB / 1_024);
    await load.close();
  } finally {
    await agent.stop();
  }
}

function idleOutcomes(
  measured: ReadonlyMap<AgentName, Idle>,
  missing: ReadonlyMap<AgentName, string>,
): Outcome[] {
  const goals = ['idle call', 'over Python', 'total'].map((name) => goalOf('P7', name));
  const ours = measured.get('callwright');
  if (ours === undefined) return goals.map((goal) => notMeasured(goal, missing.get('callwright') ?? ''));
  const python = measured.get('python');
  const overPython = goalOf('P7', 'over Python');
  return [
    { goal: goalOf('P7', 'idle call'), figure: figureOf(ours.perCallKiB) },
    python === undefined
      ? notMeasured(overPython, missing.get('python') ?? '')
      : { goal: overPython, figure: pairedRatio(ours.perCallKiB, python.perCallKiB) },
    { goal: goalOf('P7', 'total'), figure: figureOf(ours.totalMiB) },
  ];
}

function idleReferences(measured: ReadonlyMap<AgentName, Idle>): SuiteResult['references'] {
  return [...measured].map(([subject, { perCallKiB }]) => ({
    work: `${IDLE_CALLS} idle calls`,
    subject,
    unit: 'KiB per call',
    figure: figureOf(perCallKiB),
  }));
}

/** Whether ended calls leave something behind. */
export const churnSuite: Suite = {
  goalIds: ['P11'],
  async run(context: SuiteContext): Promise<SuiteResult> {
    const goal = goalOf('P11', 'churn');
    const program = await context.programs.agent('callwright');
    if (!program.ok) return { outcomes: [notMeasured(goal, program.why)], references: [] };
    const agent = await AgentProcess.start(program.value);
    try {
      const load = new Openings(CHURN_SIDE_BY_SIDE);
      await load.open(agent.port);
      context.say(`churn: ${CHURN_CALLS} calls opened and ended`);
      await Promise.race([load.runCalls(CHURN_BASE_CALLS), agent.died]);
      const earlyKiB = await restingKiB(agent);
      await Promise.race([load.runCalls(CHURN_CALLS - CHURN_BASE_CALLS), agent.died]);
      const lateKiB = await restingKiB(agent);
      context.say(`churn: ${earlyKiB} KiB after ${CHURN_BASE_CALLS}, ${lateKiB} KiB after ${CHURN_CALLS}`);
      return {
        outcomes: [{ goal, figure: figureOf([lateKiB / earlyKiB]), note: 'one run' }],
        references: [],
      };
    } finally {
      await agent.stop();
    }
  },
};

async function restingKiB(agent: AgentProcess): Promise<number> {
  await sleep(REST_MS);
  return agent.residentKiB();
}
