import type { LogEntry, LogLevel, LogSink } from '@callwright/core';

/** Entries that are kept; a test that logs more has run away. */
const MAX_ENTRIES = 10_000;

/** The log of a test: keeps the lines instead of writing them. At most the first 10,000. */
export class CapturedLog implements LogSink {
  readonly #entries: LogEntry[] = [];

  write(entry: LogEntry): void {
    if (this.#entries.length < MAX_ENTRIES) this.#entries.push(entry);
  }

  /** The lines so far, in order. */
  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  /** The messages, of one level or of all. */
  messages(level?: LogLevel): readonly string[] {
    return this.#entries
      .filter((entry) => level === undefined || entry.level === level)
      .map(({ message }) => message);
  }

  /** Everything that was logged as one text, to search for what must not be in it. */
  get text(): string {
    return this.#entries.map((entry) => JSON.stringify(entry)).join('\n');
  }
}
