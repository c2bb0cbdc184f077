import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ObservedCall, Verdict } from './expectations';
import { formatEntry } from './transcript-printer';

/** Options of {@link matchesTimeline}. */
export interface TimelineOptions {
  /** Keeps the time of each entry; only a virtual clock gives the same ones again. @default false */
  readonly times?: boolean | undefined;
  /** Writes the file anew. @default true when `CALLWRIGHT_UPDATE_TIMELINES` is `1` */
  readonly update?: boolean | undefined;
}

const TIME = /^ *\d+ ms {2}/;
const DURATION = / \(\d+ ms\)$/;
const MAX_LINE_CHARACTERS = 2_000;

/** The call as text, an entry a line: who, what, and how it went; with times only if asked for. */
export function timelineOf(call: ObservedCall, options: Pick<TimelineOptions, 'times'> = {}): string {
  const lines = call.transcript.map((entry) => formatEntry(entry, { maxCharacters: MAX_LINE_CHARACTERS }));
  const kept = options.times ? lines : lines.map((line) => line.replace(TIME, '').replace(DURATION, ''));
  return `${kept.join('\n')}\n`;
}

/**
 * Holds the call against its golden file. A file that is missing is written, but not where `CI` is set: there it fails.
 *
 * @example
 * ```ts no-run
 * import { type FakeCall, matchesTimeline, verify } from '@callwright/testing';
 *
 * export function check(call: FakeCall): void {
 *   verify(matchesTimeline(call, 'timelines/booking.txt'));
 * }
 * ```
 */
export function matchesTimeline(call: ObservedCall, file: string, options: TimelineOptions = {}): Verdict {
  const actual = timelineOf(call, options);
  const update = options.update ?? process.env.CALLWRIGHT_UPDATE_TIMELINES === '1';
  if (update || (!existsSync(file) && !process.env.CI)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return { holds: true, explain: () => `The timeline was written to ${file}.` };
  }
  if (!existsSync(file)) {
    return {
      holds: false,
      explain: () => `There is no timeline ${file}; run the test once where CI is not set.\n${actual}`,
    };
  }
  const expected = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  return { holds: actual === expected, explain: () => explainDifference(file, expected, actual) };
}

function explainDifference(file: string, expected: string, actual: string): string {
  const wanted = expected.split('\n');
  const seen = actual.split('\n');
  const line = seen.findIndex((text, index) => text !== wanted[index]);
  const at = line < 0 ? seen.length : line;
  return [
    `The call is not as ${file} says, from line ${at + 1} on (CALLWRIGHT_UPDATE_TIMELINES=1 accepts it):`,
    `- ${wanted[at] ?? '(nothing more)'}`,
    `+ ${seen[at] ?? '(nothing more)'}`,
    '',
    actual,
  ].join('\n');
}
