import type { CommandMessage } from './agent-messages';
import { buildCommand, buildReject, buildToolError, buildToolResult } from './build-agent';
import { ProtocolError } from './errors';
import { agentExamples } from './examples.test-support';
import { parseAgentMessage } from './parse-agent';
import { utf8ByteLength } from './text';

const LONE = '\ud83d';
const OVER = /too large/;
type Json = Record<string, unknown>;

function code(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
  return 'sent';
}

/** Also for what the types forbid: a program in JavaScript can pass anything. */
const command = (fields: Json) => code(() => buildCommand(fields as unknown as CommandMessage));

describe('a reject', () => {
  test('has the parts it is given', () => {
    expect(buildReject()).toBe('{"type":"session.reject"}');
    expect(buildReject('unavailable')).toBe('{"type":"session.reject","code":"unavailable"}');
    expect(buildReject(undefined, 'x')).toBe('{"type":"session.reject","message":"x"}');
  });

  test('keeps 512 bytes, and is cut at a code point beyond', () => {
    const message = (text: string) =>
      JSON.parse(buildReject(text, text)) as { code: string; message: string };
    expect(message('x'.repeat(512)).message).toBe('x'.repeat(512));
    expect(message('x'.repeat(513))).toEqual({
      type: 'session.reject',
      code: 'x'.repeat(512),
      message: 'x'.repeat(512),
    });
    expect(message('é'.repeat(300)).message).toBe('é'.repeat(256));
    expect(message(`${'x'.repeat(510)}😀`).message).toBe('x'.repeat(510));
  });

  test('is well-formed whatever it is given', () => {
    expect(parseAgentMessage(buildReject(LONE, `a${LONE}`))).toMatchObject({
      code: '\ufffd',
      message: 'a\ufffd',
    });
  });
});

describe('a tool result', () => {
  test('holds the JSON text as it is', () => {
    expect(buildToolResult(7, '{"a": 1}')).toBe('{"type":"tool.result","id":7,"result":{"a": 1}}');
  });

  test('has at most 65,536 bytes as a whole', () => {
    const room = 65_536 - buildToolResult(7, '""').length;
    expect(utf8ByteLength(buildToolResult(7, `"${'x'.repeat(room)}"`))).toBe(65_536);
    expect(code(() => buildToolResult(7, `"${'x'.repeat(room + 1)}"`))).toBe('too_large');
    expect(code(() => buildToolResult(7, JSON.stringify('é'.repeat(33_000))))).toBe('too_large');
    expect(() => buildToolResult(7, `"${'x'.repeat(room + 1)}"`)).toThrow(OVER);
  });

  test.each([`"${LONE}"`, '"\\ud83d"', '["\\uDE00"]', JSON.stringify({ a: LONE })])(
    'with a lone surrogate is refused: %s',
    (json) => {
      expect(code(() => buildToolResult(7, json))).toBe('invalid_argument');
    },
  );

  test('may spell a pair as escapes, and hold the text of an escape', () => {
    expect(code(() => buildToolResult(7, '"\\ud83d\\ude00"'))).toBe('sent');
    expect(code(() => buildToolResult(7, JSON.stringify('\\ud83d')))).toBe('sent');
  });

  test('has at most 120 levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parseAgentMessage(buildToolResult(7, nested(120)))).toMatchObject({ id: 7 });
    for (const levels of [121, 130, 5_000]) {
      expect(code(() => buildToolResult(7, nested(levels)))).toBe('invalid_argument');
    }
  });

  test.each([-1, 1.5, Number.NaN, 2 ** 53, '7', null])('is not built for the id %j', (id) => {
    expect(code(() => buildToolResult(id as number, '1'))).toBe('invalid_argument');
    expect(code(() => buildToolError(id as number, 'x'))).toBe('invalid_argument');
  });

  test('is not built from nothing', () => {
    expect(code(() => buildToolResult(7, ''))).toBe('invalid_argument');
    expect(code(() => buildToolResult(7, undefined as unknown as string))).toBe('invalid_argument');
  });
});

describe('a tool error', () => {
  const error = (text: string) => (JSON.parse(buildToolError(7, text)) as { error: string }).error;

  test('keeps 1,024 bytes, and is cut at a code point beyond', () => {
    expect(error('x'.repeat(1_024))).toBe('x'.repeat(1_024));
    expect(error('x'.repeat(1_025))).toBe('x'.repeat(1_024));
    expect(error(`${'x'.repeat(1_022)}😀`)).toBe('x'.repeat(1_022));
  });

  test('is well-formed whatever it is given', () => {
    expect(error(`no ${LONE}`)).toBe('no \ufffd');
    expect(utf8ByteLength(error(LONE.repeat(2_000)))).toBe(1_023);
  });
});

describe('a command', () => {
  const commands = agentExamples.filter(
    (example): example is CommandMessage => !/session|result/.test(example.type),
  );

  test.each(commands.map((example) => [example.type, example]))('%s is read back whole', (_type, example) => {
    expect(parseAgentMessage(buildCommand(example as CommandMessage))).toEqual(example);
  });

  test('leaves out what is not set, and what would only say no', () => {
    expect(buildCommand({ type: 'say', text: 'x', id: undefined, interrupt: false })).toBe(
      '{"type":"say","text":"x"}',
    );
    expect(buildCommand({ type: 'end' })).toBe('{"type":"end"}');
    expect(buildCommand({ type: 'context.update' })).toBe('{"type":"context.update"}');
    expect(buildCommand({ type: 'tools.set', enabled: null })).toBe('{"type":"tools.set","enabled":null}');
  });

  test('leaves out what is not of the wire', () => {
    const append = [{ role: 'user' as const, text: 'x', secret: 1 }];
    const built = buildCommand({ type: 'context.update', append, other: 1 } as CommandMessage);
    expect(built).toBe('{"type":"context.update","append":[{"role":"user","text":"x"}]}');
  });

  test.each([
    ['say text', { type: 'say' }, 'text', 4_096],
    ['end say', { type: 'end' }, 'say', 4_096],
    ['end reason', { type: 'end' }, 'reason', 512],
    ['transfer summary', { type: 'transfer', destination: '+390612345' }, 'summary', 512],
    ['transfer reason', { type: 'transfer', destination: '+390612345' }, 'reason', 512],
    ['id', { type: 'end' }, 'id', 64],
  ])('has its %s bound in bytes', (_name, rest, field, limit) => {
    const attempt = (text: unknown) => command({ ...rest, [field as string]: text });
    expect(attempt('x'.repeat(limit as number))).toBe('sent');
    expect(attempt('x'.repeat((limit as number) + 1))).toBe('invalid_argument');
    expect(attempt('é'.repeat((limit as number) / 2))).toBe('sent');
    expect(attempt(`${'é'.repeat((limit as number) / 2)}x`)).toBe('invalid_argument');
    expect(attempt(LONE)).toBe('invalid_argument');
    expect(attempt(5)).toBe('invalid_argument');
    expect(attempt(null)).toBe('invalid_argument');
  });

  test.each([
    { type: 'say', text: '' },
    { type: 'say', text: ' \t\n\u0085\u2003' },
    { type: 'end', say: ' ' },
    { type: 'context.update', system_prompt: '' },
    { type: 'context.update', append: [{ role: 'user', text: ' ' }] },
    { type: 'end', id: '' },
    { type: 'end', re: -1 },
    { type: 'end', re: 1.5 },
    { type: 'say', text: 'x', interrupt: 1 },
    { type: 'transfer', destination: '+390612345', mode: 'hot' },
    { type: 'context.update', append: 'x' },
    { type: 'context.update', append: [null] },
    { type: 'context.update', append: [{ role: 'robot', text: 'x' }] },
    { type: 'context.update', append: [{ role: 'user', text: `x${LONE}` }] },
    { type: 'tools.set', enabled: 'all' },
    { type: 'tools.set', enabled: undefined },
    { type: 'tools.set', enabled: [5] },
    { type: 'tools.set', enabled: [LONE] },
  ])('is refused for a bad value: %j', (fields) => {
    expect(command(fields)).toBe('invalid_argument');
  });

  test.each([
    ['+12345678', 'sent'],
    ['+123456789012345', 'sent'],
    ['+1234567', 'invalid_argument'],
    ['+1234567890123456', 'invalid_argument'],
    ['+01234567', 'invalid_argument'],
    ['12345678', 'invalid_argument'],
    [' +12345678', 'invalid_argument'],
    ['+12345678\n', 'invalid_argument'],
    ['+1234567٣', 'invalid_argument'],
    [undefined, 'invalid_argument'],
  ])('transfers to %j: %s', (destination, outcome) => {
    expect(command({ type: 'transfer', destination })).toBe(outcome);
  });

  test('holds 32 context messages of 65,536 bytes as far as they go, and not 33', () => {
    const append = (count: number, text = 'x') => ({
      type: 'context.update',
      append: Array.from({ length: count }, () => ({ role: 'user', text })),
    });
    expect(command(append(32))).toBe('sent');
    expect(command(append(33))).toBe('too_large');
    // The text itself may be as large as the whole frame, so it is the frame that is too large.
    expect(command(append(1, 'x'.repeat(65_536)))).toBe('too_large');
    expect(command(append(1, 'x'.repeat(65_537)))).toBe('invalid_argument');
    expect(command({ type: 'context.update', system_prompt: 'x'.repeat(65_536) })).toBe('too_large');
    expect(command({ type: 'context.update', system_prompt: 'x'.repeat(65_537) })).toBe('invalid_argument');
  });

  test('has at most 65,536 bytes as a whole', () => {
    const update = (size: number) => ({ type: 'context.update' as const, system_prompt: 'x'.repeat(size) });
    const room = 65_536 - buildCommand(update(1)).length + 1;
    expect(buildCommand(update(room)).length).toBe(65_536);
    expect(command(update(room + 1))).toBe('too_large');
  });

  test('enables 256 tools, and not 257', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `tool_${index}`);
    expect(command({ type: 'tools.set', enabled: names(256) })).toBe('sent');
    expect(command({ type: 'tools.set', enabled: names(257) })).toBe('too_large');
  });
});
