import type { LogEntry, LogSink } from './logger';

/** A stream of text, such as `process.stderr`. */
export interface LogStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
  /** Where a stream reports that what it was given cannot be written. */
  on?(event: 'error', listener: () => void): unknown;
}

/** Streams whose errors are heard already. */
const heard = new WeakSet<LogStream>();

/** Lines for people on a terminal, JSON lines everywhere else. @param stream default `process.stderr` */
export function lineSink(stream: LogStream = process.stderr): LogSink {
  const format = stream.isTTY ? terminalLine : jsonLine;
  if (!heard.has(stream)) {
    heard.add(stream);
    // Who read the log may be gone (a pipe to a program that ended): no reason to end the calls.
    stream.on?.('error', () => undefined);
  }
  return { write: (entry) => void stream.write(`${format(entry)}\n`) };
}

/** One JSON object: `time`, `level`, `message`, `callId`, then the fields. */
export function jsonLine(entry: LogEntry): string {
  const { level, timeMs, message, callId, fields } = entry;
  const head = { time: new Date(timeMs).toISOString(), level, message, callId };
  try {
    return JSON.stringify({ ...fields, ...head });
  } catch {
    return JSON.stringify({ ...head, fields: 'not serialisable' });
  }
}

/** `12:30:01 warn  [call 3f2a…] message key=value`. */
export function terminalLine(entry: LogEntry): string {
  const time = new Date(entry.timeMs).toISOString().slice(11, 19);
  const call = entry.callId ? `[${entry.callId.slice(0, 8)}] ` : '';
  const fields = Object.entries(entry.fields).map(([key, value]) => ` ${key}=${fieldText(value)}`);
  return `${time} ${entry.level.padEnd(5)} ${call}${entry.message}${fields.join('')}`;
}

/** Line breaks and control characters could pass for another line, or move a terminal's cursor. */
const CONTROL = /\p{Cc}/u;

function fieldText(value: unknown): string {
  if (typeof value === 'string' && !CONTROL.test(value)) return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'not serialisable';
  }
}
