import { canonicalJson } from './canonical-json';
import type { JsonObject, RecordedEntry, Recording } from './recording';

/** Something that is not as it was recorded. */
export interface Difference {
  /** What it is about: the answer to the call, a tool call, its result, a command, the order of commands, the end. */
  readonly about: 'accept' | 'tool' | 'result' | 'command' | 'order' | 'end';
  /** Where: `say 2, text`, `result 3 (book_table), table`. */
  readonly where: string;
  /** Undefined: it was not there. */
  readonly recorded: unknown;
  /** Undefined: it is not there any more. */
  readonly today: unknown;
}

/** More differences than anybody reads. */
const MAX_DIFFERENCES = 200;

/**
 * Compares two recordings of one call by what the agent did: its answer, its tool results, its commands with their order, the
 * end; and by the tools that it was asked to run. Times, ids and what the voice server alone says are left out.
 * @returns at most 200 differences
 */
export function compareRecordings(recorded: Recording, today: Recording): readonly Difference[] {
  const before = readRecorded(recorded);
  const now = readRecorded(today);
  const differences = [
    ...inEach('accept', before.accepts, now.accepts),
    ...inEach('tool', before.toolCalls, now.toolCalls),
    ...inEach('result', before.results, now.results),
    ...inEach('command', before.commands, now.commands),
    ...inOrder(before.commandOrder, now.commandOrder),
    ...valueDifferences('end', 'the reason', before.end, now.end),
  ];
  return differences.slice(0, MAX_DIFFERENCES);
}

/** Differences as text: what was recorded behind `-`, what is today behind `+`. Empty without any. */
export function formatDifferences(differences: readonly Difference[]): string {
  return differences
    .map(({ where, recorded, today }) => `${where}\n  - ${shown(recorded)}\n  + ${shown(today)}`)
    .join('\n');
}

const SHOWN_CHARACTERS = 400;

function shown(value: unknown): string {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** What the agent did, by names that stay the same from run to run. */
interface Recorded {
  readonly accepts: ReadonlyMap<string, unknown>;
  readonly toolCalls: ReadonlyMap<string, unknown>;
  readonly results: ReadonlyMap<string, unknown>;
  readonly commands: ReadonlyMap<string, unknown>;
  readonly commandOrder: readonly string[];
  readonly end: string | undefined;
}

function readRecorded({ entries }: Recording): Recorded {
  const accepts = new Map<string, unknown>();
  const toolCalls = new Map<string, unknown>();
  const results = new Map<string, unknown>();
  const commands = new Map<string, unknown>();
  const counts = new Map<string, number>();
  const nth = (type: string): string => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return `${type} ${count}`;
  };
  const tools = new Map<unknown, string>();
  for (const { from, frame } of entries.filter(isFrameEntry)) {
    const { type, id, re: _re, ...fields } = frame;
    if (from === 'server') {
      if (type !== 'tool.call') continue;
      tools.set(id, String(frame.name));
      toolCalls.set(`tool call ${String(id)}`, { name: frame.name, arguments: frame.arguments });
    } else if (type === 'tool.result') {
      results.set(`result ${String(id)} (${tools.get(id) ?? 'unknown'})`, fields);
    } else if (type === 'session.accept' || type === 'session.reject') {
      accepts.set(nth('answer'), type === 'session.accept' ? acceptFields(fields) : { rejected: fields });
    } else commands.set(nth(String(type)), fields);
  }
  const end = entries.findLast((entry) => entry.kind === 'end');
  return { accepts, toolCalls, results, commands, commandOrder: [...commands.keys()], end: end?.reason };
}

/** Tools by their names: one that comes or goes is one difference. */
function acceptFields({ tools, version: _version, ...fields }: JsonObject): JsonObject {
  if (!Array.isArray(tools)) return fields;
  const byName = tools.map((tool: JsonObject) => [`tool ${String(tool.name)}`, tool] as const);
  return { ...fields, ...Object.fromEntries(byName) };
}

function isFrameEntry(entry: RecordedEntry): entry is Extract<RecordedEntry, { kind: 'frame' }> {
  return entry.kind === 'frame';
}

function inEach(
  about: Difference['about'],
  recorded: ReadonlyMap<string, unknown>,
  today: ReadonlyMap<string, unknown>,
): Difference[] {
  const names = new Set([...recorded.keys(), ...today.keys()]);
  return [...names].flatMap((name) => valueDifferences(about, name, recorded.get(name), today.get(name)));
}

/** The order matters only where the same commands were given. */
function inOrder(recorded: readonly string[], today: readonly string[]): Difference[] {
  if (canonicalJson([...recorded].sort()) !== canonicalJson([...today].sort())) return [];
  return valueDifferences('order', 'the order of commands', recorded.join(', '), today.join(', '));
}

/** The deepest places that differ; lists of different lengths differ as a whole. */
function valueDifferences(
  about: Difference['about'],
  where: string,
  recorded: unknown,
  today: unknown,
): Difference[] {
  if (isEqual(recorded, today)) return [];
  if (isObject(recorded) && isObject(today)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(today)]);
    return [...keys].flatMap((key) => valueDifferences(about, `${where}, ${key}`, recorded[key], today[key]));
  }
  if (Array.isArray(recorded) && Array.isArray(today) && recorded.length === today.length) {
    return recorded.flatMap((item, index) =>
      valueDifferences(about, `${where}[${index}]`, item, today[index]),
    );
  }
  return [{ about, where, recorded, today }];
}

/** Something that is absent is not equal to `null`. */
function isEqual(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === right;
  return canonicalJson(left) === canonicalJson(right);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
