const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/;

/**
 * Reads an ISO 8601 date and time. An offset is required, unless a time zone is given: then a time without offset,
 * or a date alone (its midnight), is read there. `undefined` for text that is no date, for days and times that do not
 * exist (30 February; the hour that a clock change skips), and for a missing offset. Of an hour that a clock change
 * repeats, the first is meant.
 */
export function readDate(text: string, timeZone: string | undefined): Date | undefined {
  if (text.length > 40) return undefined;
  const match = iso.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    zulu,
    sign,
    offHour,
    offMinute,
  ] = match;
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const local = utcOf(
    [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)],
    millisecond,
  );
  if (local === undefined) return undefined;
  const hasTime = match[4] !== undefined;
  if (zulu !== undefined || sign !== undefined) {
    const offset = Number(offHour ?? 0) * 60 + Number(offMinute ?? 0);
    if (!hasTime || Number(offHour ?? 0) > 23 || Number(offMinute ?? 0) > 59) return undefined;
    return new Date(local - (sign === '-' ? -offset : offset) * 60_000);
  }
  return timeZone === undefined ? undefined : fromLocal(local, timeZone);
}

type Fields = readonly [number, number, number, number, number, number];

/** The fields as if they were UTC, or `undefined` where there is no such day or time. */
function utcOf([year, month, day, hour, minute, second]: Fields, millisecond: number): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second, millisecond);
}

function fromLocal(local: number, timeZone: string): Date | undefined {
  // The offset before and after the day at hand: at a clock change they differ, and one of them gives the time.
  const day = 86_400_000;
  const offsets = [offsetMs(local - day, timeZone), offsetMs(local + day, timeZone)];
  const candidates = offsets.map((offset) => local - offset).sort((a, b) => a - b);
  const found = candidates.find((instant) => instant + offsetMs(instant, timeZone) === local);
  return found === undefined ? undefined : new Date(found);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** How far the zone's clocks are ahead of UTC at an instant. */
function offsetMs(instant: number, timeZone: string): number {
  const part: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) part[type] = value;
  const date = new Date(0);
  const year = part.era === 'BC' ? 1 - Number(part.year) : Number(part.year);
  date.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
  const wall = date.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second));
  return wall - Math.floor(instant / 1000) * 1000;
}

/** Whether the system knows the time zone. */
export function isKnownTimeZone(timeZone: string): boolean {
  try {
    formatOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** What is said of a date, in descriptions and errors. */
export function dateText(timeZone: string | undefined): string {
  if (timeZone === undefined)
    return 'ISO 8601 date and time with an offset, such as 2026-03-01T19:30:00+01:00';
  return `ISO 8601 date and time; without an offset it is read in ${timeZone}`;
}
