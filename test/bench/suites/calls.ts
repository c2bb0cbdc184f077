import { EventFlood } from '../load/event-flood';
import { Openings } from '../load/openings';
import { ToolCalls } from '../load/tool-calls';
import { measureRatios, ratioGoal } from './agent-ratios';
import type { Suite, SuiteContext, SuiteResult } from './suite';

const TOOL_CASES = [
  { name: '64x1', calls: 64, outstanding: 1 },
  { name: '16x4', calls: 16, outstanding: 4 },
] as const;
const FLOODED_CALLS = 16;
const OPENINGS_SIDE_BY_SIDE = 16;

/** Tool calls, over every other agent. */
export const toolCallSuite: Suite = {
  goalIds: ['P1', 'P2', 'P3', 'P4', 'P12'],
  async run(context: SuiteContext): Promise<SuiteResult> {
    const results: SuiteResult[] = [];
    for (const { name, calls, outstanding } of TOOL_CASES) {
      const goals = [
        ratioGoal('P1', name, 'callwright', 'corked'),
        ratioGoal('P2', name, 'callwright', 'bare'),
        ratioGoal('P3', name, 'python', 'callwright'),
        ratioGoal('P4', name, 'nest', 'callwright'),
        ratioGoal('P12', name, 'callwright (all features)', 'corked'),
      ];
      const makeLoad = (): ToolCalls => new ToolCalls(calls, outstanding);
      results.push(await measureRatios(`tool calls ${name}`, goals, makeLoad, context));
    }
    return {
      outcomes: results.flatMap(({ outcomes }) => outcomes),
      references: results.flatMap(({ references }) => references),
    };
  },
};

/** Events of talkative calls. */
export const eventSuite: Suite = {
  goalIds: ['P3', 'P5'],
  run(context: SuiteContext): Promise<SuiteResult> {
    const goals = [
      ratioGoal('P5', 'event', 'callwright', 'bare'),
      ratioGoal('P3', 'event', 'python', 'callwright'),
    ];
    return measureRatios('events', goals, () => new EventFlood(FLOODED_CALLS), context);
  },
};

/** Calls opened, accepted and ended. */
export const openingSuite: Suite = {
  goalIds: ['P3', 'P6'],
  run(context: SuiteContext): Promise<SuiteResult> {
    const goals = [
      ratioGoal('P6', 'call', 'callwright', 'bare'),
      ratioGoal('P3', 'call', 'python', 'callwright'),
    ];
    return measureRatios('calls', goals, () => new Openings(OPENINGS_SIDE_BY_SIDE), context);
  },
};
