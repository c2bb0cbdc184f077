import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { goalOf } from '../goals';
import { runProbe } from '../processes/probe';
import { CALLWRIGHT_FOLDER } from '../programs';
import { figureOf, pairedRatio } from '../statistics';
import { notMeasured, type Suite, type SuiteContext, type SuiteResult } from './suite';

const PROBE = join(CALLWRIGHT_FOLDER, 'arguments-probe.js');

/** Nanoseconds per arguments object, round by round, both sides of a round back to back. */
interface Pair {
  readonly oursNs: readonly number[];
  readonly theirsNs: readonly number[];
}

interface ArgumentsResult {
  readonly schemaOnly: Pair;
  readonly withPhoneNumber: Pair;
  readonly corpusSize: number;
  /** Objects of the corpus that one side accepts and the other refuses. */
  readonly differing: number;
}

/** Arguments to a validated DTO: ours against class-transformer with class-validator. */
export const argumentsSuite: Suite = {
  goalIds: ['P9'],
  async run(context: SuiteContext): Promise<SuiteResult> {
    if (!existsSync(PROBE)) {
      const goals = ['all in schema', 'phone number', 'verdicts'].map((name) => goalOf('P9', name));
      return { outcomes: goals.map((goal) => notMeasured(goal, 'it is not built')), references: [] };
    }
    context.say('arguments to DTO');
    const result = await runProbe<ArgumentsResult>(PROBE, [String(context.options.rounds)]);
    const ratio = ({ oursNs, theirsNs }: Pair) => pairedRatio(theirsNs, oursNs);
    return {
      outcomes: [
        { goal: goalOf('P9', 'all in schema'), figure: ratio(result.schemaOnly) },
        { goal: goalOf('P9', 'phone number'), figure: ratio(result.withPhoneNumber) },
        {
          goal: goalOf('P9', 'verdicts'),
          figure: figureOf([result.differing]),
          note: `${result.corpusSize} objects`,
        },
      ],
      references: [
        ['callwright', result.schemaOnly.oursNs] as const,
        ['plainToInstance + validateSync', result.schemaOnly.theirsNs] as const,
        ['callwright, one phone number', result.withPhoneNumber.oursNs] as const,
        ['plainToInstance + validateSync, one phone number', result.withPhoneNumber.theirsNs] as const,
      ].map(([subject, values]) => ({
        work: 'arguments to DTO',
        subject,
        unit: 'ns',
        figure: figureOf(values),
      })),
    };
  },
};
