import { ProtocolError } from './errors';
import { requiredFields, serverExamples } from './examples.test-support';
import { parseServerMessage } from './parse-server';

type Json = Record<string, unknown>;
const entries = Object.entries(serverExamples) as unknown as [keyof typeof serverExamples, Json][];

function refusal(text: string): ProtocolError {
  try {
    parseServerMessage(text);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error('the frame was read');
}

describe('a server message', () => {
  test.each(entries)('%s is read whole', (_type, example) => {
    expect(parseServerMessage(JSON.stringify(example))).toEqual(example);
  });

  test.each(entries)('%s leaves unknown fields behind', (_type, example) => {
    const frame = JSON.stringify({ ...example, later: { addition: 1 } });
    expect(parseServerMessage(frame)).toEqual(example);
  });

  test.each(entries.filter(([type]) => type !== 'session.start'))(
    '%s without an envelope says that it is unknown',
    (_type, example) => {
      const { seq, t_ms, ...rest } = example;
      expect([seq, t_ms]).not.toContain(undefined);
      expect(parseServerMessage(JSON.stringify(rest))).toEqual({ ...rest, seq: undefined, t_ms: undefined });
      const mistyped = { ...rest, seq: true, t_ms: '5' };
      expect(parseServerMessage(JSON.stringify(mistyped))).toMatchObject({ seq: undefined, t_ms: undefined });
    },
  );

  const fields = Object.entries(requiredFields).flatMap(([type, names]) => names.map((name) => [type, name]));
  test.each(fields)('%s without %s is unreadable, and so it is with one of another type', (type, name) => {
    const example = serverExamples[type as keyof typeof serverExamples] as unknown as Json;
    const { [name as string]: value, ...rest } = example;
    expect(refusal(JSON.stringify(rest)).code).toBe('bad_message');
    const wrong = [null, typeof value === 'string' ? 5 : 'x', typeof value === 'boolean' ? 1 : true];
    for (const other of wrong) {
      const error = refusal(JSON.stringify({ ...rest, [name as string]: other }));
      expect(error.message).toContain(`Message ${type} cannot be read: "${name}" must be`);
    }
  });

  test('an integer may be written with a fraction of nothing, and not with another', () => {
    const frame = (epoch: string) => `{"type":"turn.interrupted","epoch":${epoch}}`;
    expect(parseServerMessage(frame('2.0'))).toMatchObject({ epoch: 2 });
    expect(parseServerMessage(frame('9007199254740991'))).toMatchObject({ epoch: 2 ** 53 - 1 });
    for (const epoch of ['2.5', '-1', 'true', '"2"', '9007199254740992', '1e999', 'null', '[2]']) {
      expect(refusal(frame(epoch)).code).toBe('bad_message');
    }
  });

  test('of an unknown type comes back as unknown, its type cut at 64 bytes', () => {
    expect(parseServerMessage('{"type":"user.smell","seq":3,"t_ms":4,"epoch":"x"}')).toEqual({
      type: 'unknown',
      wire_type: 'user.smell',
      seq: 3,
      t_ms: 4,
    });
    expect(parseServerMessage(`{"type":"${'x'.repeat(65)}"}`)).toMatchObject({ wire_type: 'x'.repeat(64) });
    for (const type of ['constructor', '__proto__', 'toString', 'unknown', '']) {
      expect(parseServerMessage(JSON.stringify({ type }))).toMatchObject({
        type: 'unknown',
        wire_type: type,
      });
    }
  });

  test.each([
    '',
    ' ',
    '{',
    '[]',
    '[{"type":"user.text"}]',
    'null',
    '5',
    '"x"',
    'true',
    '{}',
    '{"type":5}',
    '{"type":null}',
  ])('is not in %j', (text) => {
    expect(refusal(text).entry).toBe('CW_WIRE_UNREADABLE');
  });
});

describe('an optional object that is malformed', () => {
  const read = (type: keyof typeof serverExamples, change: Json) =>
    parseServerMessage(JSON.stringify({ ...(serverExamples[type] as unknown as Json), ...change }));

  test.each([null, 5, 'x', [], [1], true, { response_ms: '5' }, { response_ms: true }])(
    'is absent: metrics %j',
    (metrics) => {
      expect(read('turn.metrics', { metrics })).toMatchObject({ epoch: 3, metrics: undefined });
    },
  );

  test('is absent where a metric is beyond a double', () => {
    const frame = '{"type":"turn.metrics","epoch":3,"metrics":{"response_ms":1e999}}';
    expect(parseServerMessage(frame)).toMatchObject({ epoch: 3, metrics: undefined });
  });

  test.each([
    null,
    5,
    {},
    { input_tokens: 1, cached_input_tokens: 2 },
    { input_tokens: 1.5, cached_input_tokens: 2, output_tokens: 3 },
  ])('is absent: token usage %j', (usage) => {
    expect(read('bot.llm_stopped', { usage })).toMatchObject({ epoch: 3, usage: undefined });
  });

  test('is absent alone: one stage of the latencies, one provider of the usage', () => {
    const stage = { avg_ms: 1, max_ms: 2 };
    expect(
      read('session.usage', {
        latency: { end_of_turn: { avg_ms: 1 }, stt_final: stage, llm_ttft: 5, response: null },
        usage: {
          llm: { provider: 'p' },
          stt: { provider: 'p', model: 'm', audio_seconds: 'x' },
          tts: { provider: 'p', model: 'm', characters: 3 },
        },
      }),
    ).toMatchObject({
      turns: 7,
      latency: { end_of_turn: undefined, stt_final: stage, llm_ttft: undefined, response: undefined },
      usage: { llm: undefined, stt: undefined, tts: { provider: 'p', model: 'm', characters: 3 } },
    });
    expect(read('session.usage', { latency: 5, usage: [] })).toMatchObject({
      latency: undefined,
      usage: undefined,
    });
  });

  test.each([null, 'x', {}, { code: 'x' }, { code: 5, message: 'x' }])('is absent: error %j', (error) => {
    expect(read('command.result', { error })).toMatchObject({ id: 'c1', ok: false, error: undefined });
  });

  test('keeps an error code that version 1 does not have', () => {
    const error = { code: 'too_early', message: 'x' };
    expect(read('command.result', { error })).toMatchObject({ error });
  });
});

describe('keys that look like prototypes', () => {
  test('stay plain keys of the arguments and change nothing else', () => {
    const frame = JSON.stringify(serverExamples['tool.call']).replace(
      /"arguments":\{/,
      '"arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"then":1,',
    );
    const message = parseServerMessage(frame);
    if (message.type !== 'tool.call') throw new Error('another type');
    expect(Object.keys(message.arguments)).toContain('__proto__');
    expect(Object.getPrototypeOf(message.arguments)).toBe(Object.prototype);
    expect(({} as Json).polluted).toBeUndefined();
  });

  test('do not stand in for a missing field', () => {
    const { name, ...rest } = serverExamples['tool.call'] as unknown as Json;
    const frame = JSON.stringify(rest).replace('{', `{"__proto__":{"name":"${String(name)}"},`);
    expect(refusal(frame).message).toContain('"name" must be a string');
  });
});

describe('the limits of reading', () => {
  const call = (args: string) =>
    JSON.stringify(serverExamples['tool.call']).replace('{"party_size":4,"guest":{"name":"Ada"}}', args);
  const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

  test('128 levels are read, 129 are not, and the tool call can still be answered', () => {
    // The message itself is one level.
    expect(parseServerMessage(call(nested(127)))).toMatchObject({ id: 7 });
    const error = refusal(call(nested(128)));
    expect(error.code).toBe('bad_message');
    expect(error.toolCallId).toBe(7);
    expect(refusal(call(nested(8_000))).toolCallId).toBe(7);
  });

  test('many brackets side by side, or within strings, are not deep', () => {
    expect(parseServerMessage(call(`{"a":[${'[],'.repeat(500)}[]]}`))).toMatchObject({ id: 7 });
    expect(parseServerMessage(call(JSON.stringify({ a: '{["\\'.repeat(300) })))).toMatchObject({ id: 7 });
  });

  test('a bare run of brackets is refused without a stack overflow', () => {
    expect(refusal('['.repeat(20_000)).code).toBe('bad_message');
    expect(refusal('['.repeat(500_000) + ']'.repeat(500_000)).code).toBe('bad_message');
  });

  test('1 MiB is read, and not one byte more, counted as UTF-8', () => {
    const frame = (text: string) => `{"type":"user.text","epoch":1,"text":"${text}"}`;
    const room = 1_048_576 - frame('').length;
    expect(parseServerMessage(frame('x'.repeat(room)))).toMatchObject({ epoch: 1 });
    expect(refusal(frame('x'.repeat(room + 1))).code).toBe('too_large');
    const wide = 'é'.repeat(Math.floor(room / 2)) + 'x'.repeat(room % 2);
    expect(parseServerMessage(frame(wide))).toMatchObject({ text: wide });
    expect(refusal(frame(`${wide}x`)).code).toBe('too_large');
  });
});

describe('the error of an unreadable message', () => {
  test('names fields and never a value', () => {
    const frames = [
      '{"type":"user.text","epoch":1,"text":["my secret"]}',
      '{"type":"my secret',
      'my secret',
      '"my secret"',
      '{"type":["my secret"]}',
      '{"type":"tool.call","id":7,"name":"my secret"}',
    ];
    for (const frame of frames) {
      const error = refusal(frame);
      expect(`${error.message} ${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`).not.toContain(
        'secret',
      );
    }
  });

  test('carries the id of a tool call that had one, and of nothing else', () => {
    expect(refusal('{"type":"tool.call","id":7}').toolCallId).toBe(7);
    expect(refusal('{"type":"tool.call","id":-7}').toolCallId).toBeUndefined();
    expect(refusal('{"type":"tool.cancel","id":7}').toolCallId).toBeUndefined();
  });
});
