import { isKnownTimeZone, readDate } from './date';

function iso(text: string, timeZone?: string): string | undefined {
  return readDate(text, timeZone)?.toISOString();
}

describe('readDate', () => {
  test('an offset is required without a time zone', () => {
    expect(iso('2026-03-01T19:30:00+01:00')).toBe('2026-03-01T18:30:00.000Z');
    expect(iso('2026-03-01t19:30z')).toBe('2026-03-01T19:30:00.000Z');
    expect(iso('2026-03-01 19:30:00.123456-0330')).toBe('2026-03-01T23:00:00.123Z');
    for (const text of ['2026-03-01T19:30:00', '2026-03-01', '2026-03-01Z'])
      expect(iso(text)).toBeUndefined();
  });

  test('days and times that do not exist are refused', () => {
    const texts = ['2026-02-30', '2026-13-01', '2026-00-10', '2025-02-29', '2026-04-31'].map(
      (day) => `${day}T10:00:00Z`,
    );
    for (const time of ['24:00:00Z', '10:60:00Z', '23:59:60Z', '10:00:00+24:00', '10:00:00+01:60'])
      texts.push(`2026-03-01T${time}`);
    for (const text of [...texts, '', 'now', '0', '1772391600', `2026-03-01T10:00:00.${'0'.repeat(60)}Z`])
      expect({ text, date: iso(text) }).toEqual({ text, date: undefined });
    expect(iso('2024-02-29T00:00:00Z')).toBe('2024-02-29T00:00:00.000Z');
    expect(iso('0099-01-01T00:00:00Z')).toBe('0099-01-01T00:00:00.000Z');
  });

  test('a local time is read in the zone, also around its clock changes', () => {
    expect(iso('2026-07-01T12:00', 'Europe/Rome')).toBe('2026-07-01T10:00:00.000Z');
    expect(iso('2026-07-01', 'Europe/Rome')).toBe('2026-06-30T22:00:00.000Z');
    expect(iso('2026-03-29T01:59:59', 'Europe/Rome')).toBe('2026-03-29T00:59:59.000Z');
    expect(iso('2026-03-29T02:30:00', 'Europe/Rome')).toBeUndefined();
    expect(iso('2026-03-29T03:00:00', 'Europe/Rome')).toBe('2026-03-29T01:00:00.000Z');
    expect(iso('2026-10-25T02:30:00', 'Europe/Rome')).toBe('2026-10-25T00:30:00.000Z');
    expect(iso('2026-10-25T02:30:00+01:00', 'Europe/Rome')).toBe('2026-10-25T01:30:00.000Z');
    expect(iso('2026-03-08T02:30', 'America/New_York')).toBeUndefined();
    expect(iso('2026-03-01T12:00', 'Asia/Kathmandu')).toBe('2026-03-01T06:15:00.000Z');
  });

  test('unknown zones are told apart', () => {
    expect(isKnownTimeZone('Europe/Rome')).toBe(true);
    expect(isKnownTimeZone('Europe/Luigi')).toBe(false);
  });
});
