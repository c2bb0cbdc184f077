import fc from 'fast-check';
import { RESULT_DEPTH_LIMIT, resultText } from './tool-result';

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const cycle: Record<string, unknown> = {};
cycle.self = cycle;
const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe('tool result', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'null'],
    ['a text', 'done', '"done"'],
    ['an object with an absent member', { a: 1, b: undefined }, '{"a":1}'],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a value that serialises itself', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
    ['a text that looks like an escape', 'a \\ud800 b', '"a \\\\ud800 b"'],
    ['a whole emoji', '😀', '"😀"'],
    ['the deepest list', nested(RESULT_DEPTH_LIMIT), JSON.stringify(nested(RESULT_DEPTH_LIMIT))],
  ])('writes %s', (_name, value, json) => {
    expect(resultText(value)).toEqual({ json });
  });

  it.each<[string, unknown, RegExp]>([
    ['NaN', { price: Number.NaN }, /NaN at \$\.price/],
    ['infinity', [Number.NEGATIVE_INFINITY], /-Infinity at \$\[0\]/],
    ['a bigint', { n: 1n }, /bigint at \$\.n/],
    ['a symbol', Symbol('x'), /symbol/],
    ['a function', { f: () => 1 }, /function at \$\.f/],
    ['a map', new Map(), /Map/],
    ['a set', { s: new Set() }, /Set at \$\.s/],
    ['a buffer', Buffer.from('x'), /binary buffer/],
    ['an invalid date', new Date(Number.NaN), /invalid Date/],
    ['an error', new Error('secret'), /^an? Error at \$$/],
    ['a cycle', cycle, /levels/],
    ['one level too many', nested(RESULT_DEPTH_LIMIT + 1), /levels/],
    ['5,000 levels', nested(5_000), /levels/],
    ['half a surrogate pair', { text: 'ok \ud83d' }, /surrogate/],
    ['half a surrogate pair behind a backslash', '\\\ud83d', /surrogate/],
    [
      'a throwing getter',
      {
        get x() {
          throw new Error('secret');
        },
      },
      /cannot be read/,
    ],
    [
      'a throwing toJSON',
      {
        toJSON() {
          throw new Error('secret');
        },
      },
      /cannot be read/,
    ],
    ['a revoked proxy', { p: revoked.proxy }, /cannot be read/],
  ])('refuses %s and says where, not what', (_name, value, reason) => {
    const text = resultText(value);
    expect('refusal' in text && text.refusal).toMatch(reason);
    expect(JSON.stringify(text)).not.toContain('secret');
  });

  it('writes every JSON value as JSON does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        expect(resultText(value)).toEqual({ json: JSON.stringify(value) });
      }),
    );
  });
});
