import { ProtocolError } from './errors';
import { agentExamples } from './examples.test-support';
import { parseAgentMessage } from './parse-agent';

const [accept] = agentExamples as unknown as readonly Record<string, unknown>[];
const tool = { name: 'a', description: 'd', parameters: { type: 'object' }, kind: 'read_only' };

function refusal(text: string): ProtocolError {
  try {
    parseAgentMessage(text);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error('the frame was read');
}

describe('an agent message', () => {
  test.each(agentExamples.map((example) => [example.type, example]))('%s is read whole', (_type, example) => {
    expect(parseAgentMessage(JSON.stringify(example))).toEqual(example);
    expect(parseAgentMessage(JSON.stringify({ ...(example as object), later: 1 }))).toEqual(example);
  });

  test('of an unknown type comes back with the id to answer to', () => {
    expect(parseAgentMessage('{"type":"sing","id":"c9"}')).toEqual({
      type: 'unknown',
      wire_type: 'sing',
      id: 'c9',
    });
    expect(parseAgentMessage('{"type":"sing","id":5}')).toMatchObject({ id: '5' });
  });

  test.each(['', 'x', '[]', '5', '{}', '{"type":5}', '{"text":"x"}'])('is not in %j', (text) => {
    expect(refusal(text).code).toBe('bad_message');
  });

  test('has its id cut at 64 bytes, as the server echoes it', () => {
    expect(parseAgentMessage(`{"type":"end","id":"${'é'.repeat(33)}"}`)).toMatchObject({
      id: 'é'.repeat(32),
    });
  });

  test('that is unreadable keeps the id to answer to', () => {
    expect(refusal('{"type":"say","id":"c1"}').commandId).toBe('c1');
    expect(refusal('{"type":"say","id":5,"text":"x"}').commandId).toBe('5');
    expect(refusal('{"type":"say","id":{"a":1},"text":"x"}').commandId).toBeUndefined();
    expect(refusal('{"type":"say"}').commandId).toBeUndefined();
  });
});

describe('a wrong type', () => {
  test.each([
    { version: undefined },
    { version: '1' },
    { version: 1.5 },
    { version: -1 },
    { tools: null },
    { tools: {} },
    { tools: [null] },
    { tools: [{ ...tool, name: 5 }] },
    { tools: [{ ...tool, description: undefined }] },
    { tools: [{ ...tool, parameters: undefined }] },
    { tools: [{ ...tool, kind: undefined }] },
    { tools: [{ ...tool, kind: 'both' }] },
    { tools: [{ ...tool, timeout_ms: '5' }] },
    { tools: [{ ...tool, timeout_ms: -1 }] },
    { tools: [{ ...tool, confirm: null }] },
    { tools: [{ ...tool, repeatable: null }] },
    { tools: [tool, { ...tool, confirm: 1 }] },
    { context: null },
    { context: [{ role: 'robot', text: 'x' }] },
    { context: [{ role: 'user' }] },
    { resume: null },
    { resume: 1 },
    { system_prompt: 5 },
    { greeting: [] },
    { events: {} },
    { events: [5] },
  ])('anywhere fails the whole accept: %j', (change) => {
    expect(refusal(JSON.stringify({ ...accept, ...change })).code).toBe('bad_message');
  });

  test('names its place', () => {
    const frame = JSON.stringify({ ...accept, tools: [tool, { ...tool, kind: 'both' }] });
    expect(refusal(frame).message).toContain('"tools[1].kind" must be one of read_only, side_effect');
  });

  test('is none where null says absent', () => {
    const nulls = {
      tools: [{ ...tool, timeout_ms: null, filler_after_ms: null }],
      system_prompt: null,
      greeting: null,
      events: null,
    };
    expect(parseAgentMessage(JSON.stringify({ type: 'session.accept', version: 1, ...nulls }))).toEqual({
      type: 'session.accept',
      version: 1,
      tools: [{ ...tool }],
    });
  });

  test.each([
    '{"type":"say","text":null}',
    '{"type":"say","text":"x","interrupt":null}',
    '{"type":"say","text":"x","interrupt":1}',
    '{"type":"say","text":"x","re":-1}',
    '{"type":"end","say":5}',
    '{"type":"transfer"}',
    '{"type":"transfer","destination":"+39061234567","mode":"hot"}',
    '{"type":"context.update","append":null}',
    '{"type":"context.update","append":[{"role":"x","text":"y"}]}',
    '{"type":"tools.set","enabled":"all"}',
    '{"type":"tools.set","enabled":[1]}',
    '{"type":"tool.result"}',
    '{"type":"tool.result","id":"7"}',
    '{"type":"tool.result","id":-7}',
    '{"type":"tool.result","id":7,"error":5}',
    '{"type":"session.reject","code":5}',
  ])('refuses %s', (text) => {
    expect(refusal(text).code).toBe('bad_message');
  });
});

describe('a tool result', () => {
  test('is null without a result, and an error where it has both', () => {
    expect(parseAgentMessage('{"type":"tool.result","id":1}')).toEqual({
      type: 'tool.result',
      id: 1,
      result: null,
    });
    expect(parseAgentMessage('{"type":"tool.result","id":1,"result":5,"error":null}')).toMatchObject({
      result: 5,
    });
    expect(parseAgentMessage('{"type":"tool.result","id":1,"result":5,"error":"e"}')).toEqual({
      type: 'tool.result',
      id: 1,
      error: 'e',
    });
  });
});

describe('what a strict JSON parser refuses', () => {
  test.each(['"\\ud83d"', '"\\ude00"', '{"\\ud800":1}', '1e999', '-1e999', '[[1e400]]', '"\ud83d"'])(
    'is refused: %s',
    (result) => {
      expect(refusal(`{"type":"tool.result","id":1,"result":${result}}`).code).toBe('bad_message');
    },
  );

  test.each(['"\\ud83d\\ude00"', '"\\\\ud83d"', '"😀"', '1e308', '"1e999"'])('is not %s', (result) => {
    expect(parseAgentMessage(`{"type":"tool.result","id":1,"result":${result}}`)).toMatchObject({ id: 1 });
  });

  test('is nesting of 128 levels, and not of 127', () => {
    const frame = (levels: number) =>
      `{"type":"tool.result","id":1,"result":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(parseAgentMessage(frame(127))).toMatchObject({ id: 1 });
    expect(refusal(frame(128)).code).toBe('bad_message');
  });

  test('is a frame of 65,537 bytes, and not of 65,536', () => {
    const frame = (text: string) => `{"type":"say","text":"${text}"}`;
    const room = 65_536 - frame('').length;
    expect(parseAgentMessage(frame('x'.repeat(room)))).toMatchObject({ type: 'say' });
    expect(refusal(frame('x'.repeat(room + 1))).code).toBe('too_large');
  });
});
