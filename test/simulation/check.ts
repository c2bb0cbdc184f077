import { type CallFile, callFiles, type Placed } from './call-file';
import { checkEvents } from './check-events';
import { checkFrames } from './check-frames';
import { checkLife, checkWorld } from './check-life';
import { checkResumptions } from './check-resumptions';
import { checkStarts } from './check-starts';
import { checkTools } from './check-tools';
import type { Entry } from './history';

/** A broken promise: which, of which call, and the part of the history that shows it. */
export interface Violation {
  readonly invariant: string;
  readonly call: string | undefined;
  readonly what: string;
  /** Short lines; the last one is where it broke. */
  readonly excerpt: readonly string[];
}

/** Takes one finding. `at` is the place in the history that shows it. */
export type Report = (invariant: string, what: string, at: number) => void;

const EXCERPT_LINES = 14;
const EXCERPT_CHARACTERS = 180;

/** Holds a history against everything that is promised. */
export function checkHistory(entries: readonly Entry[]): readonly Violation[] {
  const violations: Violation[] = [];
  const files = callFiles(entries);
  const reportFor =
    (file?: CallFile): Report =>
    (invariant, what, at) => {
      const placed = file ? file.entries : entries.map((entry, index): Placed => ({ at: index, entry }));
      violations.push({ invariant, call: file?.tag, what, excerpt: excerptOf(placed, at) });
    };
  for (const file of files) {
    const report = reportFor(file);
    checkFrames(file, report);
    checkTools(file, report);
    checkStarts(file, report);
    checkEvents(file, report);
    checkLife(file, entries, report);
  }
  checkResumptions(files, entries, (file) => reportFor(file));
  checkWorld(files, entries, reportFor());
  return violations;
}

function excerptOf(placed: readonly Placed[], at: number): readonly string[] {
  const until = placed.filter((candidate) => candidate.at <= at);
  return until.slice(-EXCERPT_LINES).map(({ entry }) => lineOf(entry));
}

function lineOf(entry: Entry): string {
  const { atMs, kind, ...rest } = entry;
  const details: Readonly<Record<string, unknown>> = 'text' in rest ? { ...rest, text: undefined } : rest;
  return `${Math.round(atMs)} ms ${kind} ${JSON.stringify(details)}`.slice(0, EXCERPT_CHARACTERS);
}
