import { ToolError } from '../failures';
import type { Pipe, PipeTarget } from '../pipe';

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/**
 * Makes a `Date` of an ISO 8601 text: a date (`2026-12-24`: its midnight in UTC), or a date and time with its offset. A day that
 * the month does not have, and a time without offset, are refused. For an argument taken as text
 * (`@Arg('day', { type: 'string' }, ParseDatePipe)`); a parameter of type `Date` needs no pipe. `undefined` stays `undefined`.
 */
export class ParseDatePipe implements Pipe<string | undefined, Date> {
  transform(value: string | undefined, target: PipeTarget): Date {
    // An argument that is optional and left out: the parameter's own type says that it may be.
    if (value === undefined) return value as unknown as Date;
    const date = typeof value === 'string' ? parse(value) : undefined;
    if (date) return date;
    const name = target.name ?? 'the value';
    throw new ToolError(`${name} must be a date as 2026-12-24, or a time as 2026-12-24T19:30:00+01:00`);
  }
}

function parse(value: string): Date | undefined {
  const match = DATE_TIME.exec(value);
  if (!match) return undefined;
  const [, year, month, day] = match.map(Number);
  const midnight = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0));
  // `Date` turns the 30th of February into the 2nd of March.
  if (midnight.getUTCMonth() + 1 !== month || midnight.getUTCDate() !== day) return undefined;
  const date = new Date(value.replace(' ', 'T').toUpperCase());
  return Number.isNaN(date.getTime()) ? undefined : date;
}
