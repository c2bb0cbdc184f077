import { COMMANDS, readTypedLine } from './typed-line';

describe('a typed line', () => {
  it('is what the caller says', () => {
    expect(readTypedLine('  a table for two ')).toEqual({ kind: 'say', text: 'a table for two' });
    expect(readTypedLine('')).toEqual({ kind: 'nothing' });
  });

  it('calls a tool, with arguments or without, awaited or not', () => {
    const args = { day: 'monday' };
    expect(readTypedLine('/tool hours {"day": "monday"}')).toEqual({
      kind: 'tool',
      name: 'hours',
      args,
      inBackground: false,
    });
    expect(readTypedLine('/tool hours')).toEqual({
      kind: 'tool',
      name: 'hours',
      args: {},
      inBackground: false,
    });
    expect(readTypedLine('/tool hours {"day":"monday"} &')).toEqual({
      kind: 'tool',
      name: 'hours',
      args,
      inBackground: true,
    });
  });

  it.each([
    ['/tool', 'which tool?'],
    ['/tool hours [1]', 'one JSON object'],
    ['/tool hours {day}', 'one JSON object'],
    ['/wait', 'how long?'],
    ['/wait 600001', 'how long?'],
    ['/fly', 'there is no /fly'],
  ])('%s is a mistake that says what is wanted', (line, reason) => {
    expect(readTypedLine(line)).toEqual({ kind: 'mistake', reason: expect.stringContaining(reason) });
  });

  it('waits for at most ten minutes', () => {
    expect(readTypedLine('/wait 600000')).toEqual({ kind: 'wait', ms: 600_000 });
  });

  it.each(COMMANDS.map(([usage]) => usage.split(' ')[0] ?? '').filter((word) => word.startsWith('/')))(
    '%s is listed and understood',
    (command) => {
      const line = `${command} ${command === '/tool' ? 'x {}' : command === '/wait' ? '1' : ''}`;
      expect(readTypedLine(line).kind).not.toBe('mistake');
    },
  );
});
