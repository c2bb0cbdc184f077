import { describeError, type ErrorDetail } from './error-description';
import { isThenable } from './thenable';

/** Levels of a log, most severe first. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Values beside a message. An exception under `error` is described without its message by default. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One line of a log. */
export interface LogEntry {
  readonly level: LogLevel;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly message: string;
  /** The call the line belongs to, by our own id. */
  readonly callId: string | undefined;
  readonly fields: LogFields;
}

/** Where log lines go: put one of your own here to use another logging library. */
export interface LogSink {
  write(entry: LogEntry): void;
}

/** What makes a logger. */
export interface LoggerSettings {
  readonly sink: LogSink;
  /** The least severe level that is written. @default 'info' */
  readonly level?: LogLevel | undefined;
  /** `full` lets messages of exceptions through. @default 'safe' */
  readonly errorDetail?: ErrorDetail | undefined;
  /** Wall clock in milliseconds. @default Date.now */
  readonly wallMs?: (() => number) | undefined;
}

/** Settings with every default in its place; the loggers of all calls share them. */
class CompleteSettings implements LoggerSettings {
  readonly sink: LogSink;
  readonly level: LogLevel;
  readonly errorDetail: ErrorDetail;
  readonly wallMs: () => number;
  readonly threshold: number;

  constructor({ sink, level = 'info', errorDetail = 'safe', wallMs = Date.now }: LoggerSettings) {
    this.sink = sink;
    this.level = level;
    this.errorDetail = errorDetail;
    this.wallMs = wallMs;
    this.threshold = LOG_LEVELS.indexOf(level);
  }
}

/**
 * Writes log lines. Inject it: in a CALL provider every line carries the call's id. Nothing of the caller is written by
 * the framework, and exceptions appear by name, code and stack frames only, unless `errorDetail` is `full`.
 */
export class Logger {
  readonly #settings: CompleteSettings;
  readonly #callId: string | undefined;

  constructor(settings: LoggerSettings, callId?: string) {
    this.#settings = settings instanceof CompleteSettings ? settings : new CompleteSettings(settings);
    this.#callId = callId;
  }

  /** The same logger, for one call. */
  forCall(callId: string): Logger {
    return new Logger(this.#settings, callId);
  }

  /** Whether lines of this level are written. */
  writes(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) <= this.#settings.threshold;
  }

  fatal(message: string, fields?: LogFields): void {
    this.#write('fatal', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  trace(message: string, fields?: LogFields): void {
    this.#write('trace', message, fields);
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.writes(level)) return;
    const { sink, wallMs } = this.#settings;
    // A log that cannot be written must not end a call, nor the process; there is nowhere left to say so.
    try {
      const entry = { level, timeMs: wallMs(), message, callId: this.#callId, fields: this.#safe(fields) };
      const written: unknown = sink.write(entry); // a sink may well be written as an async function
      if (isThenable(written)) written.then(undefined, () => undefined);
    } catch {}
  }

  /** Exceptions are described, wherever they stand; everything else stays as the caller of the logger gave it. */
  #safe(fields: LogFields): LogFields {
    const { errorDetail } = this.#settings;
    let safe: Record<string, unknown> | undefined;
    for (const [key, value] of Object.entries(fields)) {
      const described =
        key === 'error' ? describeError(value, errorDetail) : withoutErrors(value, errorDetail, 1);
      if (described === value) continue;
      safe ??= { ...fields };
      safe[key] = described;
    }
    return safe ?? fields;
  }
}

/** Exceptions deeper than this inside a field are dropped with what holds them. */
const FIELD_DEPTH = 4;

/** The value with its exceptions described; the value itself when it holds none. */
function withoutErrors(value: unknown, detail: ErrorDetail, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describeError(value, detail);
  if (depth > FIELD_DEPTH) return '…';
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutErrors(item, detail, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value; // an object with its own way of being written
  let copy: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const described = withoutErrors(member, detail, depth + 1);
    if (described === member) continue;
    copy ??= { ...value };
    copy[key] = described;
  }
  return copy ?? value;
}

/** Drops every line. */
export const silentSink: LogSink = { write: () => {} };
