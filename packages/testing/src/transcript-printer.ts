import type { FakeCall } from './fake-call';
import type { BotEntry, CommandEntry, ToolEntry, TranscriptEntry } from './transcript';

/** Options of the printer. */
export interface PrinterOptions {
  /** @default false */
  readonly color?: boolean | undefined;
  /** Longest text of one line, in characters; longer ones are cut with `…`. @default 160 */
  readonly maxCharacters?: number | undefined;
}

/** Where a call is printed to: a terminal or a file, such as `process.stdout`. */
export interface PrintTarget {
  write(text: string): unknown;
  /** True on a terminal: then the text has colours, unless NO_COLOR is set. */
  readonly isTTY?: boolean | undefined;
}

type Color = 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta';

const COLOR_CODES: Readonly<Record<Color, number>> = {
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
  magenta: 35,
};

interface PrintedLine {
  readonly who: string;
  readonly text: string;
  readonly color: Color;
}

const DEFAULT_MAX_CHARACTERS = 160;

/**
 * Prints a call while it happens: who said what, which tool ran with which outcome and how long it took, what the agent
 * ordered, how it ended. Returns how to stop.
 *
 * @example
 * ```ts no-run
 * import { type FakeCall, printCall } from '@callwright/testing';
 *
 * export function follow(call: FakeCall): () => void {
 *   return printCall(call, process.stdout);
 * }
 * ```
 */
export function printCall(call: FakeCall, target: PrintTarget, options: PrinterOptions = {}): () => void {
  const color = options.color ?? (target.isTTY === true && process.env.NO_COLOR === undefined);
  const print = (entry: TranscriptEntry): void => {
    target.write(`${formatEntry(entry, { ...options, color })}\n`);
  };
  for (const entry of call.transcript) if (isSettled(entry)) print(entry);
  return call.onEntry(print);
}

/** A whole transcript as text, one line per entry. */
export function formatTranscript(entries: readonly TranscriptEntry[], options: PrinterOptions = {}): string {
  return entries.map((entry) => formatEntry(entry, options)).join('\n');
}

/** One entry as one line: when, who, what. */
export function formatEntry(entry: TranscriptEntry, options: PrinterOptions = {}): string {
  const { who, text, color } = lineOf(entry);
  const at = `${Math.round(entry.atMs)} ms`.padStart(10);
  const cut = cutTo(text.replaceAll(/[\s\p{Cc}]+/gu, ' '), options.maxCharacters ?? DEFAULT_MAX_CHARACTERS);
  if (options.color !== true) return `${at}  ${who.padEnd(8)} ${cut}`;
  return `${paint(at, 'dim')}  ${paint(who.padEnd(8), color)} ${cut}`;
}

function isSettled(entry: TranscriptEntry): boolean {
  if (entry.kind === 'tool') return entry.status !== 'running';
  if (entry.kind === 'bot') return entry.interrupted || entry.silentAtMs !== undefined;
  return entry.kind !== 'command' || entry.outcome !== 'waiting';
}

function lineOf(entry: TranscriptEntry): PrintedLine {
  switch (entry.kind) {
    case 'user':
      return { who: 'caller', text: entry.text, color: 'cyan' };
    case 'bot':
      return { who: 'bot', text: botText(entry), color: 'green' };
    case 'tool':
      return { who: 'tool', text: toolText(entry), color: entry.status === 'ok' ? 'yellow' : 'red' };
    case 'confirmation':
      return { who: 'confirm', text: `${signature(entry)} waits for the caller's yes`, color: 'magenta' };
    case 'command':
      return { who: 'agent', text: commandText(entry), color: entry.outcome === 'ok' ? 'yellow' : 'red' };
    case 'link':
      return {
        who: 'link',
        text: `${entry.what}: ${entry.detail}`,
        color: entry.what === 'lost' ? 'red' : 'dim',
      };
    case 'note':
      return { who: 'note', text: entry.text, color: 'dim' };
    case 'refused':
      return { who: 'refused', text: entry.reason, color: 'red' };
    case 'end':
      return { who: 'end', text: entry.reason, color: 'dim' };
  }
}

function botText(entry: BotEntry): string {
  const origin = entry.source === 'model' ? '' : ` (${entry.source})`;
  return `${entry.text}${origin}${entry.interrupted ? ' [interrupted]' : ''}`;
}

function toolText(entry: ToolEntry): string {
  const took = entry.durationMs === undefined ? 'running' : `${Math.round(entry.durationMs)} ms`;
  const confirmed = entry.confirmed ? ', confirmed by the caller' : '';
  return `${signature(entry)} → ${entry.status}${entry.text === '' ? '' : ` ${entry.text}`} (${took}${confirmed})`;
}

function commandText(entry: CommandEntry): string {
  const fields = Object.entries(entry.fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const took = entry.durationMs === undefined ? '' : ` (${Math.round(entry.durationMs)} ms)`;
  return `${entry.type} ${fields.join(', ')} → ${entry.outcome}${took}`.replace('  ', ' ');
}

function signature(entry: {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}): string {
  return `${entry.name}(${JSON.stringify(entry.args).slice(1, -1)})`;
}

function cutTo(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}

function paint(text: string, color: Color): string {
  return `\u001b[${COLOR_CODES[color]}m${text}\u001b[0m`;
}
