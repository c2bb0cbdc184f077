import { TestingError, testingErrors } from './errors';
import { nearest } from './nearest';
import type { JsonObject } from './recording';

/** A pattern as a scenario writes it: `/booked/i`. */
const PATTERN = /^\/(.+)\/([a-z]*)$/s;
/** A time as a scenario writes it: `500ms`, `2s`, `1.5m`, or a number of milliseconds. */
const TIME = /^(\d+(?:\.\d+)?)(ms|s|m)$/;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };
const MAX_TIME_MS = 86_400_000;

/** Reads the values of a scenario; each says where it is when it is wrong. */
export class ScenarioValues {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws TestingError `CW_SCENARIO_INVALID` */
  fail(where: string, reason: string): never {
    const message = testingErrors.CW_SCENARIO_INVALID({ name: this.#name, where, reason });
    throw new TestingError('CW_SCENARIO_INVALID', message);
  }

  object(value: unknown, where: string, known?: readonly string[]): JsonObject {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.fail(where, 'it is no mapping (name: value)');
    }
    const unknown = known && Object.keys(value).find((key) => !known.includes(key));
    if (unknown !== undefined) this.#failUnknown(where, unknown, known ?? []);
    return value as JsonObject; // checked above
  }

  list(value: unknown, where: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.fail(where, 'it is no list (- item)');
  }

  /** What may be written alone stands for a list of one. */
  listOrOne(value: unknown): readonly unknown[] {
    if (value === undefined) return [];
    return Array.isArray(value) ? value : [value];
  }

  text(value: unknown, where: string): string {
    return typeof value === 'string' ? value : this.fail(where, 'it is no text; put it in quotes');
  }

  optionalText(value: unknown, where: string): string | undefined {
    return value === undefined ? undefined : this.text(value, where);
  }

  choice<T extends string>(value: unknown, where: string, choices: readonly T[]): T {
    const choice = choices.find((known) => known === value);
    if (choice === undefined) return this.#failUnknown(where, String(value), choices);
    return choice;
  }

  flag(value: unknown, where: string): boolean {
    if (value === undefined) return false;
    return typeof value === 'boolean' ? value : this.fail(where, 'it is neither true nor false');
  }

  count(value: unknown, where: string): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1_000) return value;
    return this.fail(where, 'it is no whole number from 0 to 1000');
  }

  /** Milliseconds. */
  time(value: unknown, where: string): number {
    const [, amount, unit = ''] = TIME.exec(String(value)) ?? [];
    const ms = typeof value === 'number' ? value : Number(amount) * (UNITS_MS[unit] ?? Number.NaN);
    if (ms >= 0 && ms <= MAX_TIME_MS) return ms;
    return this.fail(where, 'it is no time: 500ms, 2s, 1m, or a number of milliseconds, at most a day');
  }

  /** A text, or an expression between slashes. */
  pattern(value: unknown, where: string): string | RegExp {
    const text = this.text(value, where);
    const [, source, flags] = PATTERN.exec(text) ?? [];
    if (source === undefined) return text;
    try {
      return new RegExp(source, flags);
    } catch {
      return this.fail(where, 'it is no regular expression');
    }
  }

  #failUnknown(where: string, found: string, known: readonly string[]): never {
    const near = nearest(found, known);
    const hint = near === undefined ? '' : ` (${near}?)`;
    return this.fail(where, `there is no ${found}${hint}; known are ${known.join(', ')}`);
  }
}
