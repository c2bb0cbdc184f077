import { LOG_LEVELS } from '@callwright/core';
import type { Environment, GatewayOptions } from './options';
import { readSettings } from './settings';

const read = (options: unknown, environment: Environment = {}) =>
  // Options also come from plain JavaScript: the checks must hold for what the types forbid.
  readSettings(options as GatewayOptions, environment);

const codes = (options: unknown, environment?: Environment): string[] =>
  read(options, environment).problems.map((problem) => problem.code);

const messages = (options: unknown, environment?: Environment): string =>
  read(options, environment)
    .problems.map((problem) => problem.message)
    .join('\n');

describe('settings', () => {
  it('have stated defaults', () => {
    const { settings, problems } = read({});
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8765,
      tokens: [],
      allowUnauthenticated: false,
      tls: undefined,
      maxCalls: 256,
      handshakeTimeoutMs: 1_500,
    });
    expect(settings.allowedOrigins.size).toBe(0);
  });

  it('come from the environment where an option is left out', () => {
    const environment = { HOST: '::', PORT: '0', BRISVOX_AGENT_TOKEN: 'secret' };
    expect(read({}, environment).settings).toMatchObject({ host: '::', port: 0, tokens: ['secret'] });
    expect(read({ host: '[::1]', port: 9, token: ['a', 'b'] }, environment).settings).toMatchObject({
      host: '::1',
      port: 9,
      tokens: ['a', 'b'],
    });
  });

  it('treat an empty variable as unset', () => {
    const { settings, problems } = read(
      {},
      { HOST: '', PORT: '', BRISVOX_AGENT_TOKEN: '', CALLWRIGHT_ALLOW_UNAUTHENTICATED: '' },
    );
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({ host: '127.0.0.1', port: 8765, tokens: [] });
  });

  it('name every mistake at once', () => {
    const options = {
      hots: 'x',
      port: -1,
      maxCalls: Number.NaN,
      handshakeTimeoutMs: Number.POSITIVE_INFINITY,
      clock: {},
    };
    expect(codes(options)).toEqual([
      'CW_OPTION_UNKNOWN',
      'CW_OPTION_INVALID',
      'CW_OPTION_INVALID',
      'CW_OPTION_INVALID',
      'CW_OPTION_INVALID',
    ]);
    expect(messages(options)).toContain('There is no option "hots" (did you mean host?).');
    expect(messages(options)).toMatch(
      /hots[\s\S]*clock is[\s\S]*port is -1[\s\S]*maxCalls is NaN[\s\S]*handshakeTimeoutMs is Infinity/,
    );
  });

  it.each([
    ['port', [0, 65_535], [-1, 65_536, 1.5, '80', Number.NaN, null]],
    ['maxCalls', [1, 1_000_000], [0, 1_000_001, Number.POSITIVE_INFINITY, 2 ** 31, -3, '5']],
    ['handshakeTimeoutMs', [1, 60_000], [0, 60_001, 2 ** 31, Number.NaN, true]],
    ['host', ['::', 'localhost'], ['', ' ', 'a b', 'ws://x', 5, 'x'.repeat(256)]],
    ['timeZone', ['Europe/Rome', 'UTC'], ['Rome', '', 5, null]],
    ['allowUnauthenticated', [true, false], ['yes', 1, null]],
    [
      'allowedOrigins',
      [[], ['https://a.example', 'http://localhost:3000']],
      ['*', ['*'], ['null'], ['https://a.example/'], [7]],
    ],
    [
      'log',
      [{}, { level: 'debug', errorDetail: 'full', sink: { write() {} } }],
      [null, { level: 'loud' }, { sink: {} }, { errorDetail: 1 }],
    ],
  ])('check the option %s at its bounds', (option, right, wrong) => {
    const others = { token: 'secret' };
    for (const value of right) expect(codes({ ...others, [option]: value })).toEqual([]);
    for (const value of wrong) {
      expect(codes({ ...others, [option]: value })).toEqual(['CW_OPTION_INVALID']);
      expect(messages({ ...others, [option]: value })).toContain(option);
    }
  });

  it.each(['8o', '-1', '65536', '1.5', ' 80', '99999'])('refuse the variable PORT=%s', (PORT) => {
    expect(messages({}, { PORT })).toMatch(/PORT \(environment\)/);
  });

  it.each(['', ' ', ' abc ', 'abc\n', 'a\tb', 'a\u0000b', 'grün', 'x'.repeat(4_097), 5])(
    'refuse the token %j',
    (token) => {
      expect(codes({ token })).toEqual([
        typeof token === 'string' ? 'CW_TOKEN_INVALID' : 'CW_OPTION_INVALID',
      ]);
    },
  );

  it.each(['  ', ' abc ', 'abc\n'])('refuse the variable BRISVOX_AGENT_TOKEN=%j', (BRISVOX_AGENT_TOKEN) => {
    expect(messages({}, { BRISVOX_AGENT_TOKEN })).toMatch(/^BRISVOX_AGENT_TOKEN /);
  });

  it('refuse an empty list of tokens and name the faulty one of several', () => {
    expect(codes({ token: [] })).toEqual(['CW_OPTION_INVALID']);
    expect(messages({ token: ['good', ''] })).toContain('token[1] is empty');
    expect(codes({ token: Array(64).fill('x') })).toEqual([]);
    expect(codes({ token: Array(65).fill('x') })).toEqual(['CW_OPTION_INVALID']);
  });

  it('take the log level of the option, else of the variable; an empty variable counts as not set', () => {
    const level = (options: GatewayOptions, CALLWRIGHT_LOG_LEVEL?: string) => {
      const { settings, problems } = readSettings(options, { CALLWRIGHT_LOG_LEVEL });
      expect(problems).toEqual([]);
      return LOG_LEVELS.findLast((each) => settings.logger.writes(each));
    };
    expect([level({}), level({}, ''), level({}, 'trace'), level({}, 'fatal')]).toEqual([
      'info',
      'info',
      'trace',
      'fatal',
    ]);
    expect(level({ log: { level: 'warn' } }, 'trace')).toBe('warn');
    expect(codes({}, { CALLWRIGHT_LOG_LEVEL: 'verbose' })).toEqual(['CW_OPTION_INVALID']);
  });

  it('never show a token', () => {
    const shown =
      messages({ token: ['canary-1 ', { secret: 'canary-2' }] }) + messages({ token: { value: 'canary-3' } });
    expect(shown).not.toContain('canary');
  });

  it.each(['0.0.0.0', '::', '10.0.0.7', 'agent.example.com'])('refuse %s without a token', (host) => {
    expect(codes({ host })).toEqual(['CW_UNAUTHENTICATED_HOST']);
    expect(codes({ host, token: 'secret' })).toEqual([]);
    expect(codes({ host, allowUnauthenticated: true })).toEqual([]);
    expect(codes({ host }, { CALLWRIGHT_ALLOW_UNAUTHENTICATED: '1' })).toEqual([]);
    expect(
      codes({ host, allowUnauthenticated: false }, { CALLWRIGHT_ALLOW_UNAUTHENTICATED: '1' }),
    ).toHaveLength(1);
  });

  it('refuse an unclear CALLWRIGHT_ALLOW_UNAUTHENTICATED', () => {
    expect(codes({}, { CALLWRIGHT_ALLOW_UNAUTHENTICATED: 'true' })).toEqual(['CW_OPTION_INVALID']);
    expect(codes({}, { CALLWRIGHT_ALLOW_UNAUTHENTICATED: '0' })).toEqual([]);
  });

  it('want both TLS files and nothing else', () => {
    expect(codes({ tls: { certFile: 'c.pem', keyFile: 'k.pem' } })).toEqual([]);
    expect(messages({ tls: { certFile: 'c.pem' } })).toContain('tls.keyFile is undefined');
    expect(codes({ tls: { certFile: 'c.pem', keyFile: 'k.pem', ca: 'x' } })).toEqual(['CW_OPTION_UNKNOWN']);
    expect(codes({ tls: true })).toEqual(['CW_OPTION_INVALID']);
  });
});
