import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProtocolError } from './errors';
import { mintSessionToken, type SessionTokenOptions } from './session-token';

interface Vector {
  readonly name: string;
  readonly options: SessionTokenOptions;
  readonly token: string;
}

const fixture = readFileSync(join(__dirname, 'fixtures', 'session-tokens.json'), 'utf8');
const { vectors } = JSON.parse(fixture) as { vectors: readonly Vector[] };

const valid: SessionTokenOptions = {
  secret: 'a secret of thirty-two bytes or more',
  audience: 'brisvox-webrtc',
  sessionId: 'AAECAwQFBgcICQoLDA0ODw',
  nowUnixSeconds: 1_700_000_000,
};

/** Also for what the types forbid. */
const mint = (change: object) => mintSessionToken({ ...valid, ...change });
const claims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('a session token', () => {
  test.each(vectors.map(({ name, options, token }) => [name, options, token] as const))(
    'is byte for byte the one of the Python SDK: %s',
    (_name, options, token) => {
      expect(mintSessionToken(options)).toBe(token);
    },
  );

  test('lives 60 seconds from the clock, for a random session, when nothing else is said', () => {
    const before = Math.floor(Date.now() / 1000);
    const { secret, audience } = valid;
    const [one, two] = [
      claims(mintSessionToken({ secret, audience })),
      claims(mintSessionToken({ secret, audience })),
    ];
    expect(one.exp).toBeGreaterThanOrEqual(before + 60);
    expect(one.exp).toBeLessThanOrEqual(before + 62);
    expect(one.sid).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(one.sid).not.toBe(two.sid);
    expect(Object.keys(one)).toEqual(['aud', 'exp', 'sid']);
  });

  test('has its members in one order', () => {
    const token = mint({ meta: { a: 1 }, maxCallSeconds: 5, agent: 'x' });
    expect(Object.keys(claims(token))).toEqual(['aud', 'exp', 'sid', 'agent', 'max_s', 'meta']);
  });

  const text = (length: number) => 'x'.repeat(length);
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
  test.each([
    ['secret', text(32), text(31)],
    ['secret', 'é'.repeat(16), `${'é'.repeat(15)}x`],
    ['ttlSeconds', 1, 0],
    ['ttlSeconds', 86_400, 86_401],
    ['maxCallSeconds', 1, 0],
    ['maxCallSeconds', 86_400, 86_401],
    ['nowUnixSeconds', 0, -1],
    ['nowUnixSeconds', 99_999_999_999, 100_000_000_000],
    ['sessionId', text(128), text(129)],
    ['agent', text(128), text(129)],
    ['meta', entries(16), entries(17)],
    ['meta', { [text(64)]: 1 }, { [text(65)]: 1 }],
    ['meta', { k: text(256) }, { k: text(257) }],
  ])('has a bound of %s, minted at it and refused one past it', (name, at, past) => {
    expect(mint({ [name as string]: at })).toMatch(/^v1\./);
    expect(() => mint({ [name as string]: past })).toThrow(ProtocolError);
  });

  test('has at most 4,096 bytes as a whole', () => {
    const meta = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, text(200)]));
    expect(() => mint({ meta })).toThrow('at most 4096 bytes');
    expect(mint({ meta: { ...meta, k0: '', k1: '', k2: '' } }).length).toBeLessThanOrEqual(4_096);
  });

  test.each([
    { audience: 'brisvox-fax' },
    { audience: undefined },
    { secret: undefined },
    { secret: 5 },
    { secret: `${text(40)}\ud83d` },
    { ttlSeconds: 1.5 },
    { ttlSeconds: true },
    { ttlSeconds: '60' },
    { ttlSeconds: Number.NaN },
    { maxCallSeconds: null },
    { nowUnixSeconds: 1.5 },
    { nowUnixSeconds: Date.UTC(2026, 0) },
    { sessionId: '' },
    { sessionId: 5 },
    { sessionId: 'a\nb' },
    { agent: '' },
    { agent: '\ud83d' },
    { meta: null },
    { meta: [] },
    { meta: { a: null } },
    { meta: { a: {} } },
    { meta: { a: undefined } },
    { meta: { a: Number.NaN } },
    { meta: { a: Number.POSITIVE_INFINITY } },
    { meta: { a: '\ud83d' } },
    { meta: { '': 1 } },
    { meta: { '\ud83d': 1 } },
  ])('is not minted: case %#', (change) => {
    expect(() => mint(change)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', entry: 'CW_SESSION_TOKEN_OPTION' }),
    );
  });

  test('is refused without the secret or a value in the error', () => {
    for (const change of [
      { secret: 'hidden' },
      { agent: 'hidden\n' },
      { meta: { hidden: null } },
      { audience: 'hidden' },
    ]) {
      expect(() => mint(change)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hidden') }),
      );
    }
  });
});
