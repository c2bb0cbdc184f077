import type { Problem } from '@callwright/core';
import { gatewayProblem } from './errors';
import type { Environment } from './options';

/** Options are read as unknown: plain JavaScript, JSON and `as never` reach this place too. */
export interface OptionSource {
  readonly options: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
  readonly problems: Problem[];
}

/** A whole number within bounds; the standard one, and a problem, when it is none. */
export function readInteger(
  source: OptionSource,
  option: string,
  bounds: { readonly standard: number; readonly least: number; readonly most: number },
): number {
  const value = source.options[option];
  if (value === undefined) return bounds.standard;
  if (typeof value === 'number' && Number.isInteger(value) && value >= bounds.least && value <= bounds.most) {
    return value;
  }
  reportInvalid(source, option, value, `an integer from ${bounds.least} to ${bounds.most}`);
  return bounds.standard;
}

/** One of the words, or undefined; a problem when it is something else. */
export function readChoice<T extends string>(
  source: OptionSource,
  option: string,
  value: unknown,
  choices: readonly T[],
): T | undefined {
  const choice = choices.find((known) => known === value);
  if (value !== undefined && choice === undefined)
    reportInvalid(source, option, value, `one of ${choices.join(', ')}`);
  return choice;
}

/** Reports members that an option's object does not have. */
export function reportUnknownMembers(
  source: OptionSource,
  option: string,
  value: object,
  known: readonly string[],
): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    source.problems.push(
      gatewayProblem('CW_OPTION_UNKNOWN', { option: shorten(`${option}.${name}`), known }),
    );
  }
}

/** Whether the value can stand for `T`, of which these methods are used. */
export function hasMethods<T extends object>(
  value: unknown,
  names: readonly (keyof T & string)[],
): value is T {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => name in value && typeof Reflect.get(value, name) === 'function');
}

/** Reports a value with what is allowed in its place. */
export function reportInvalid(source: OptionSource, option: string, value: unknown, expected: string): void {
  source.problems.push(gatewayProblem('CW_OPTION_INVALID', { option, found: show(value), expected }));
}

/** A value as a message shows it: short, on one line. */
function show(value: unknown): string {
  if (typeof value === 'string') return shorten(JSON.stringify(value));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) {
    return String(value);
  }
  return Array.isArray(value) ? `a list of ${value.length}` : `of type ${typeof value}`;
}

/** A text as a message shows it: what is long is cut. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
