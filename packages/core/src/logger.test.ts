import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import pino from 'pino';
import { describeError, errorName } from './error-description';
import { jsonLine, lineSink, terminalLine } from './log-lines';
import { LOG_LEVELS, type LogEntry, Logger, silentSink } from './logger';
import { pinoSink } from './pino-sink';

const NUMBER = '+390612345678';

function recorder(settings: Partial<ConstructorParameters<typeof Logger>[0]> = {}) {
  const entries: LogEntry[] = [];
  const sink = { write: (entry: LogEntry): void => void entries.push(entry) };
  return { entries, logger: new Logger({ sink, wallMs: () => 0, ...settings }) };
}

describe('a logger', () => {
  test.each(LOG_LEVELS)('of level %s writes that level and all that are more severe', (level) => {
    const { entries, logger } = recorder({ level });
    for (const each of LOG_LEVELS) logger[each]('a line');
    expect(entries.map((entry) => entry.level)).toEqual(LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1));
    expect(LOG_LEVELS.filter((each) => logger.writes(each))).toHaveLength(entries.length);
  });

  test('of a call puts its id on every line; the application’s own does not', () => {
    const { entries, logger } = recorder();
    logger.info('outside');
    logger.forCall('call-1').info('inside');
    expect(entries.map(({ callId }) => callId)).toEqual([undefined, 'call-1']);
  });

  test('survives a sink that throws, or rejects', async () => {
    const write = (): never => {
      throw new Error('disk full');
    };
    expect(() => new Logger({ sink: { write } }).error('a line')).not.toThrow();
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listen);
    new Logger({ sink: { write: async () => write() } }).error('a line');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
    expect(() => new Logger({ sink: silentSink }).error('a line')).not.toThrow();
  });

  test('describes exceptions wherever they stand in the fields, without their messages', () => {
    const { entries, logger } = recorder();
    const error = Object.assign(new RangeError(NUMBER), { request: NUMBER, cause: new Error(NUMBER) });
    const fields = { error, other: error, list: [error], deep: { a: { b: error } }, thrown: 7 };
    logger.error('failed', fields);
    expect(JSON.stringify(entries)).not.toContain(NUMBER);
    expect(entries[0]?.fields).toMatchObject({
      error: { name: 'RangeError' },
      list: [{ name: 'RangeError' }],
    });
    expect(fields.error).toBe(error); // what was given is not changed
  });

  test('leaves other fields as they are, and a too deep one out', () => {
    const { entries, logger } = recorder();
    const plain = { a: [1, { b: 2 }], when: new Date(0) };
    logger.info('a line', plain);
    expect(entries[0]?.fields).toBe(plain);
    logger.info('a line', { a: { b: { c: { d: { e: new Error(NUMBER) } } } } });
    expect(JSON.stringify(entries[1])).not.toContain(NUMBER);
  });

  test('shows messages when it is told to', () => {
    const { entries, logger } = recorder({ errorDetail: 'full' });
    logger.error('failed', { error: new Error('the message') });
    expect(entries[0]?.fields).toMatchObject({ error: { message: 'the message' } });
  });
});

describe('a description of an exception', () => {
  const safe = (error: unknown): string => JSON.stringify(describeError(error, 'safe'));

  test.each([
    ['a message', new Error(NUMBER)],
    ['a message of many lines', new Error(`no\n    at caller (${NUMBER}:1:2)\n    at ${NUMBER}:1:2`)],
    ['a message like a frame of a file', new Error(`no\n    at caller (/${NUMBER}/x.ts:1:2)`)],
    ['a name', Object.assign(new Error('x'), { name: `Error of ${NUMBER}` })],
    ['a code', Object.assign(new Error('x'), { code: NUMBER })],
    ['a code of digits', Object.assign(new Error('x'), { code: NUMBER.slice(1) })],
    ['members', Object.assign(new Error('x'), { request: { body: NUMBER } })],
    ['a cause', new Error('x', { cause: new Error(NUMBER) })],
    ['an aggregate', new AggregateError([new Error(NUMBER)], NUMBER)],
    ['a thrown text', NUMBER],
    ['a thrown object', { message: NUMBER, stack: NUMBER, name: NUMBER }],
    ['a stack without frames', Object.assign(new Error('x'), { stack: `${NUMBER}\n${NUMBER}` })],
  ])('holds nothing of %s', (_what, error) => {
    expect(safe(error)).not.toContain(NUMBER.slice(1));
  });

  test('has name, code and frames', () => {
    const error = Object.assign(new TypeError('x'), { code: 'ECONNREFUSED' });
    const { name, code, frames } = describeError(error, 'safe');
    expect([name, code]).toEqual(['TypeError', 'ECONNREFUSED']);
    expect(frames.length).toBeGreaterThan(1);
    expect(frames[0]).toMatch(/logger\.test/);
  });

  test('names a class of the program, and never fails on odd ones', () => {
    class NoTable extends Error {}
    expect(errorName(new NoTable('x'))).toBe('NoTable');
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect([errorName(hostile), errorName(null), errorName(undefined), errorName(7)]).toEqual(
      Array(4).fill('Error'),
    );
    expect(describeError(hostile, 'full')).toEqual({ name: 'Error', frames: [] });
  });
});

describe('lines', () => {
  const entry: LogEntry = {
    level: 'warn',
    timeMs: 0,
    message: 'a line',
    callId: 'abcdefghij',
    fields: { n: 1, s: 'x y' },
  };

  test('off a terminal are one JSON object each', () => {
    const written: string[] = [];
    lineSink({ write: (text) => written.push(text) }).write(entry);
    expect(written).toEqual([`${jsonLine(entry)}\n`]);
    expect(JSON.parse(jsonLine(entry))).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'a line',
      callId: 'abcdefghij',
      n: 1,
      s: 'x y',
    });
  });

  test('on a terminal are for people', () => {
    const written: string[] = [];
    lineSink({ isTTY: true, write: (text) => written.push(text) }).write(entry);
    expect(written).toEqual(['00:00:00 warn  [abcdefgh] a line n=1 s=x y\n']);
  });

  test('on a terminal are one line each, whatever a field holds', () => {
    const fields = { why: 'a\n12:30:01 fatal forged', title: '\u001b]0;x\u0007' };
    expect(terminalLine({ ...entry, fields })).not.toMatch(/\p{Cc}/u);
  });

  test('end no process when nobody reads them any more', () => {
    const stream = Object.assign(new EventEmitter(), { write: () => false });
    lineSink(stream);
    lineSink(stream);
    expect(() => stream.emit('error', new Error('EPIPE'))).not.toThrow();
    expect(stream.listenerCount('error')).toBe(1);
  });

  test('never take a field for the head, and stand values that JSON has no form for', () => {
    const odd = { ...entry, fields: { message: 'other', callId: 'other' } };
    expect(JSON.parse(jsonLine(odd))).toMatchObject({ message: 'a line', callId: 'abcdefghij' });
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const fields of [{ cycle }, { big: 1n }]) {
      expect(JSON.parse(jsonLine({ ...entry, fields }))).toMatchObject({ message: 'a line' });
      expect(terminalLine({ ...entry, fields })).toContain('a line');
    }
  });
});

describe('pino', () => {
  function pinoLogger(level: string) {
    const lines: Record<string, unknown>[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    });
    const sink = pinoSink(pino({ level, base: null }, stream));
    return { lines, logger: new Logger({ sink, level: 'trace' }) };
  }

  test('gets every level, the fields and the id of the call', () => {
    const { lines, logger } = pinoLogger('trace');
    for (const level of LOG_LEVELS) logger.forCall('call-1')[level]('a line', { n: 1 });
    expect(lines.map(({ level }) => level)).toEqual([60, 50, 40, 30, 20, 10]);
    expect(lines[0]).toMatchObject({ msg: 'a line', callId: 'call-1', n: 1 });
  });

  test('has its own level too, and sees no message of an exception', () => {
    const { lines, logger } = pinoLogger('warn');
    logger.info('a line');
    logger.error('failed', { error: new RangeError(NUMBER), err: new Error(NUMBER) });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ msg: 'failed', error: { name: 'RangeError' }, err: { name: 'Error' } });
    expect(JSON.stringify(lines)).not.toContain(NUMBER);
  });
});
