import type { WireFrame } from './call-record';
import { canonicalJson } from './canonical-json';
import { TestingError, testingErrors } from './errors';
import type { CommandEntry, ToolEntry, TranscriptEntry } from './transcript';
import { formatTranscript } from './transcript-printer';

/** What expectations read of a call; a `FakeCall` has it. */
export interface ObservedCall {
  readonly transcript: readonly TranscriptEntry[];
  readonly frames: readonly WireFrame[];
  readonly endReason: string | undefined;
}

/** Whether something holds of a call, and why not. */
export interface Verdict {
  readonly holds: boolean;
  /** What was found, and the call's timeline. */
  explain(): string;
}

/** A text that must be contained, or a pattern that must match. */
export type TextPattern = string | RegExp;

/** What a transfer must have had; a text is compared as {@link TextPattern}. */
export interface TransferPattern {
  readonly destination?: string | undefined;
  readonly mode?: 'cold' | 'warm' | undefined;
  readonly summary?: TextPattern | undefined;
  readonly reason?: TextPattern | undefined;
}

/**
 * Throws when something does not hold, with the call's timeline in the message. Works with every test runner.
 *
 * @example
 * ```ts no-run
 * import { calledTool, type FakeCall, said, verify } from '@callwright/testing';
 *
 * export function check(call: FakeCall): void {
 *   verify(said(call, /booked/i), calledTool(call, 'book_table', { partySize: 2 }));
 * }
 * ```
 * @throws TestingError `CW_EXPECTATION_FAILED`
 */
export function verify(...verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) {
    if (verdict.holds) continue;
    const message = testingErrors.CW_EXPECTATION_FAILED({ what: verdict.explain() });
    throw new TestingError('CW_EXPECTATION_FAILED', message);
  }
}

/** The bot said this: as an answer of the model, a greeting, a line or a farewell of the agent. */
export function said(call: ObservedCall, pattern: TextPattern): Verdict {
  const lines = call.transcript.filter((entry) => entry.kind === 'bot');
  const holds = lines.some(({ text }) => matches(text, pattern));
  return verdict(call, holds, `the bot ${holds ? 'said' : 'never said'} ${show(pattern)}`);
}

/** The agent was asked to run this tool; every given argument must be there and equal, others may be there too. */
export function calledTool(
  call: ObservedCall,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Verdict {
  const runs = runsOf(call, name, args);
  const what = `${name}(${JSON.stringify(args)})`;
  return verdict(call, runs.length > 0, `${what} was sent to the agent ${runs.length} times`);
}

/** The agent was asked to run this tool exactly once. */
export function ranOnce(
  call: ObservedCall,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Verdict {
  const runs = runsOf(call, name, args);
  return verdict(call, runs.length === 1, `${name} was sent to the agent ${runs.length} times`);
}

/** This tool ran, and each run was confirmed by the caller before. */
export function confirmedBeforeRunning(call: ObservedCall, name: string): Verdict {
  const runs = runsOf(call, name, {});
  const unconfirmed = runs.filter((run) => !run.confirmed).length;
  const what =
    runs.length === 0 ? `${name} never ran` : `${name} ran ${unconfirmed} times without a yes of the caller`;
  return verdict(call, runs.length > 0 && unconfirmed === 0, what);
}

/** The agent transferred the call, with an ok of the carrier, like this. */
export function transferredWith(call: ObservedCall, pattern: TransferPattern = {}): Verdict {
  const transfers = commandsOf(call, 'transfer').filter(({ outcome }) => outcome === 'ok');
  const holds = transfers.some(({ fields }) => isTransferLike(fields, pattern));
  const found = transfers.map(({ fields }) => canonicalJson(fields)).join(', ') || 'none';
  return verdict(call, holds, `transfers that succeeded: ${found}; wanted: ${showTransfer(pattern)}`);
}

/** The call ended for this reason: `call_ended` (the caller hung up) or `ended_by_agent`. */
export function endedWith(call: ObservedCall, reason: string): Verdict {
  const { endReason } = call;
  return verdict(
    call,
    endReason === reason,
    endReason === undefined ? 'the call has not ended' : `the call ended with ${endReason}`,
  );
}

/**
 * This value is in nothing the agent sent (words, results, contexts, transfers), nor in `texts`: log lines, recordings, whatever
 * a test has collected. A phone number is found with blanks and dashes in it too.
 */
export function neverLeaked(call: ObservedCall, value: string, ...texts: readonly string[]): Verdict {
  const sent = call.frames.filter((frame) => frame.from === 'agent');
  const frame = sent.find(({ text }) => contains(text, value));
  const text = texts.find((candidate) => contains(candidate, value));
  const where =
    frame === undefined ? 'in the given texts' : `in a ${frame.type} at ${Math.round(frame.atMs)} ms`;
  const leaked = frame !== undefined || text !== undefined;
  return verdict(call, !leaked, leaked ? `the value was found ${where}` : 'the value was found nowhere');
}

/** After the caller spoke, the bot said something (an answer, a line, a filler) within this time, in milliseconds. */
export function noSilenceLongerThan(call: ObservedCall, maxMs: number): Verdict {
  const gaps = silencesOf(call.transcript);
  const longest = gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most), { ms: 0, atMs: 0 });
  const what = `the longest silence was ${Math.round(longest.ms)} ms, from ${Math.round(longest.atMs)} ms on; ${maxMs} ms are allowed`;
  return verdict(call, longest.ms <= maxMs, what);
}

function verdict(call: ObservedCall, holds: boolean, what: string): Verdict {
  return { holds, explain: () => `${what}.\n\n${formatTranscript(call.transcript)}` };
}

function runsOf(
  call: ObservedCall,
  name: string,
  args: Readonly<Record<string, unknown>>,
): readonly ToolEntry[] {
  return call.transcript.filter(
    (entry): entry is ToolEntry =>
      entry.kind === 'tool' &&
      entry.name === name &&
      entry.id !== undefined &&
      Object.entries(args).every(([key, value]) => canonicalJson(entry.args[key]) === canonicalJson(value)),
  );
}

function commandsOf(call: ObservedCall, type: CommandEntry['type']): readonly CommandEntry[] {
  return call.transcript.filter(
    (entry): entry is CommandEntry => entry.kind === 'command' && entry.type === type,
  );
}

function isTransferLike(fields: Readonly<Record<string, unknown>>, pattern: TransferPattern): boolean {
  const { destination, mode, summary, reason } = pattern;
  return (
    (destination === undefined || fields.destination === destination) &&
    // A transfer that names no mode is a cold one.
    (mode === undefined || (fields.mode ?? 'cold') === mode) &&
    (summary === undefined || matches(String(fields.summary ?? ''), summary)) &&
    (reason === undefined || matches(String(fields.reason ?? ''), reason))
  );
}

function showTransfer(pattern: TransferPattern): string {
  const parts = Object.entries(pattern).map(([name, value]) => `${name} ${show(value)}`);
  return parts.join(', ') || 'any';
}

function matches(text: string, pattern: TextPattern): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0;
}

function show(pattern: TextPattern): string {
  return typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern);
}

function contains(text: string, value: string): boolean {
  if (text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1))) return true;
  const digits = value.replace(/[\s().-]/g, '');
  return /^\+?\d{5,}$/.test(digits) && text.replace(/[\s().-]/g, '').includes(digits);
}

interface Silence {
  readonly atMs: number;
  readonly ms: number;
}

/** From each turn of the caller to the next thing anybody says, or to the call's end. */
function silencesOf(entries: readonly TranscriptEntry[]): readonly Silence[] {
  const inOrder = [...entries].sort((left, right) => left.atMs - right.atMs);
  return inOrder.flatMap((entry, index) => {
    if (entry.kind !== 'user') return [];
    const next = inOrder
      .slice(index + 1)
      .find(({ kind }) => kind === 'bot' || kind === 'user' || kind === 'end');
    const untilMs = next?.atMs ?? inOrder.at(-1)?.atMs ?? entry.atMs;
    return [{ atMs: entry.atMs, ms: untilMs - entry.atMs }];
  });
}
