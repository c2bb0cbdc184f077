import { TestingError, testingErrors } from './errors';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What an application recorded of one call. */
export interface Recording {
  /** The call's id when it was recorded. */
  readonly callId: string;
  /** The agent that took it. */
  readonly agent: string;
  /** When it began, as an ISO time. */
  readonly startedAt: string;
  readonly entries: readonly RecordedEntry[];
}

/** One line of a recording; `atMs` counts from the first frame. */
export type RecordedEntry =
  | {
      readonly kind: 'frame';
      readonly atMs: number;
      readonly from: 'server' | 'agent';
      readonly frame: JsonObject;
    }
  | { readonly kind: 'link'; readonly atMs: number; readonly link: 'lost' | 'resumed' }
  | { readonly kind: 'end'; readonly atMs: number; readonly reason: string | undefined }
  /** What came after was not recorded. */
  | { readonly kind: 'cut'; readonly atMs: number; readonly reason: string };

/** More lines than a recording of the largest size can have. */
const MAX_LINES = 500_000;

/**
 * Reads a recording.
 * @param text lines of JSON, as the option `record` writes them
 * @param name what errors call it: the file's name
 * @throws TestingError `CW_RECORDING_UNREADABLE` with the line and the reason
 */
export function parseRecording(text: string, name = 'the recording'): Recording {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > MAX_LINES) throw unreadable(name, MAX_LINES + 1, `it has more than ${MAX_LINES} lines`);
  const [first = '', ...rest] = lines;
  const head = jsonLine(first, name, 1);
  const { recording, callId, agent, startedAt } = head;
  if (recording !== 1) throw unreadable(name, 1, 'a recording begins with {"recording":1,…}');
  if (typeof callId !== 'string' || typeof agent !== 'string' || !isTime(startedAt)) {
    throw unreadable(name, 1, 'its first line has callId, agent and startedAt');
  }
  const entries = rest.map((line, index) => entryOf(jsonLine(line, name, index + 2), name, index + 2));
  return { callId, agent, startedAt, entries };
}

/** The lines of a recording, as they stand in a file. */
export function formatRecording({ callId, agent, startedAt, entries }: Recording): string {
  const lines = [{ recording: 1, callId, agent, startedAt }, ...entries.map(lineOf)];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

function lineOf(entry: RecordedEntry): JsonObject {
  const { atMs } = entry;
  switch (entry.kind) {
    case 'frame':
      return { atMs, [entry.from]: entry.frame };
    case 'link':
      return { atMs, link: entry.link };
    case 'end':
      return { atMs, end: entry.reason };
    case 'cut':
      return { atMs, cut: entry.reason };
  }
}

function jsonLine(line: string, name: string, number: number): JsonObject {
  try {
    const json: unknown = JSON.parse(line);
    if (isObject(json)) return json;
  } catch {
    // The reason is below: a line that is no object is not better.
  }
  throw unreadable(name, number, 'it is no JSON object');
}

function entryOf(line: JsonObject, name: string, number: number): RecordedEntry {
  const { atMs, server, agent, link, cut } = line;
  if (typeof atMs !== 'number' || !Number.isFinite(atMs) || atMs < 0)
    throw unreadable(name, number, 'it has no atMs');
  if (isFrame(server)) return { kind: 'frame', atMs, from: 'server', frame: server };
  if (isFrame(agent)) return { kind: 'frame', atMs, from: 'agent', frame: agent };
  if (link === 'lost' || link === 'resumed') return { kind: 'link', atMs, link };
  if (typeof cut === 'string') return { kind: 'cut', atMs, reason: cut };
  // An end without a reason is `{ "atMs": 5 }`: JSON leaves out what is undefined.
  if (typeof line.end === 'string' || Object.keys(line).length === 1) {
    return { kind: 'end', atMs, reason: typeof line.end === 'string' ? line.end : undefined };
  }
  throw unreadable(name, number, 'it is none of server, agent, link, end and cut');
}

function isFrame(value: unknown): value is JsonObject {
  return isObject(value) && typeof value.type === 'string';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function unreadable(name: string, line: number, reason: string): TestingError {
  const message = testingErrors.CW_RECORDING_UNREADABLE({ name, line, reason });
  return new TestingError('CW_RECORDING_UNREADABLE', message);
}
