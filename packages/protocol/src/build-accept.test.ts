import type { ToolDeclaration } from './agent-messages';
import { type AcceptParts, buildAccept, prepareAccept } from './build-accept';
import { ProtocolError } from './errors';
import { agentExamples } from './examples.test-support';
import { parseAgentMessage } from './parse-agent';
import { reviewAccept } from './review';
import { utf8ByteLength } from './text';

const [example] = agentExamples as unknown as readonly [AcceptParts & { readonly type: 'session.accept' }];
const tool: ToolDeclaration = {
  name: 'a',
  description: 'd',
  parameters: { type: 'object' },
  kind: 'side_effect',
};
const LONE = '\ud83d';

function code(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
  return 'sent';
}

/** Also for what the types forbid. */
const accept = (parts: object) => code(() => buildAccept({ version: 1, ...parts } as AcceptParts));
const withTool = (change: object) => accept({ tools: [{ ...tool, ...change }] });

function nestedSchema(levels: number): unknown {
  let schema: unknown = {};
  for (let level = 2; level < levels; level += 1) schema = { not: schema };
  return { type: 'object', not: schema };
}

describe('an accept', () => {
  test('is read back whole by the server, which finds nothing to report', () => {
    const message = parseAgentMessage(buildAccept(example));
    expect(message).toEqual(example);
    if (message.type !== 'session.accept') throw new Error('another type');
    expect(reviewAccept(message).breaks).toEqual([]);
  });

  test('leaves out what is not set', () => {
    expect(buildAccept({ version: 1 })).toBe('{"type":"session.accept","version":1,"tools":[]}');
    expect(buildAccept({ version: 1, system_prompt: ' ', greeting: '', context: [], events: [] })).toBe(
      '{"type":"session.accept","version":1,"tools":[],"events":[]}',
    );
    const declared = { ...tool, confirm: false, repeatable: undefined, timeout_ms: undefined, other: 1 };
    expect(buildAccept({ version: 1, tools: [declared] })).toBe(
      '{"type":"session.accept","version":1,"tools":[{"name":"a","description":"d","kind":"side_effect","parameters":{"type":"object"}}]}',
    );
  });

  test.each([undefined, '1', -1, 1.5])('is refused with the version %j', (version) => {
    expect(accept({ version })).toBe('invalid_argument');
  });

  test('bounds its texts in bytes', () => {
    expect(accept({ greeting: 'é'.repeat(2_048) })).toBe('sent');
    expect(accept({ greeting: `${'é'.repeat(2_048)}x` })).toBe('invalid_argument');
    expect(accept({ system_prompt: 'x'.repeat(65_000) })).toBe('sent');
    expect(accept({ system_prompt: 'x'.repeat(65_536) })).toBe('too_large');
    expect(accept({ system_prompt: 'x'.repeat(65_537) })).toBe('invalid_argument');
    for (const field of ['greeting', 'system_prompt']) {
      expect(accept({ [field]: `x${LONE}` })).toBe('invalid_argument');
      expect(accept({ [field]: null })).toBe('invalid_argument');
    }
  });

  test('has at most 32 context messages, none of them blank', () => {
    const context = (count: number) => Array.from({ length: count }, () => ({ role: 'user', text: 'x' }));
    expect(accept({ context: context(32) })).toBe('sent');
    expect(accept({ context: context(33) })).toBe('too_large');
    expect(accept({ context: [{ role: 'user', text: ' ' }] })).toBe('invalid_argument');
    expect(accept({ context: null })).toBe('invalid_argument');
  });

  test.each([['user.smell'], ['session.end'], ['constructor'], [5], null])(
    'subscribes to no %j',
    (events) => {
      expect(accept({ events: events === null ? null : [events] })).toBe('invalid_argument');
    },
  );

  test('has at most 65,536 bytes', () => {
    const room = 65_536 - buildAccept({ version: 1, system_prompt: 'x' }).length + 1;
    expect(utf8ByteLength(buildAccept({ version: 1, system_prompt: 'x'.repeat(room) }))).toBe(65_536);
    expect(accept({ system_prompt: 'x'.repeat(room + 1) })).toBe('too_large');
    expect(() => buildAccept({ version: 1, system_prompt: 'x'.repeat(room + 1) })).toThrow(
      'it has 65537 bytes, and the server reads at most 65536',
    );
  });
});

describe('a tool declaration', () => {
  test('there are at most 64 of them', () => {
    const tools = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...tool, name: `t${index}` }));
    expect(accept({ tools: tools(64) })).toBe('sent');
    expect(accept({ tools: tools(65) })).toBe('too_large');
    expect(accept({ tools: null })).toBe('invalid_argument');
    expect(accept({ tools: [null] })).toBe('invalid_argument');
  });

  test.each([
    ['x'.repeat(64), 'sent'],
    ['x'.repeat(65), 'invalid_argument'],
    ['Aa-9_', 'sent'],
    ['', 'invalid_argument'],
    ['a b', 'invalid_argument'],
    ['a\n', 'invalid_argument'],
    ['é', 'invalid_argument'],
    ['confirm_pending', 'invalid_argument'],
    ['constructor', 'sent'],
    ['__proto__', 'sent'],
    [undefined, 'invalid_argument'],
  ])('named %j: %s', (name, outcome) => {
    expect(withTool({ name })).toBe(outcome);
  });

  test('has a name of its own', () => {
    expect(accept({ tools: [tool, { ...tool, description: 'other' }] })).toBe('invalid_argument');
  });

  test.each([
    [{ description: 'x'.repeat(4_096) }, 'sent'],
    [{ description: 'x'.repeat(4_097) }, 'invalid_argument'],
    [{ description: ' ' }, 'invalid_argument'],
    [{ description: undefined }, 'invalid_argument'],
    [{ kind: 'both' }, 'invalid_argument'],
    [{ timeout_ms: 1 }, 'sent'],
    [{ timeout_ms: 30_000 }, 'sent'],
    [{ timeout_ms: 0 }, 'invalid_argument'],
    [{ timeout_ms: 30_001 }, 'invalid_argument'],
    [{ timeout_ms: 1.5 }, 'invalid_argument'],
    [{ filler_after_ms: 0 }, 'sent'],
    [{ filler_after_ms: -1 }, 'invalid_argument'],
    [{ filler_after_ms: Number.POSITIVE_INFINITY }, 'invalid_argument'],
    [{ kind: 'read_only', confirm: true }, 'invalid_argument'],
    [{ kind: 'read_only', repeatable: true }, 'invalid_argument'],
    [{ kind: 'read_only', confirm: false }, 'sent'],
    [{ parameters: { type: 'string' } }, 'invalid_argument'],
    [{ parameters: {} }, 'invalid_argument'],
    [{ parameters: [] }, 'invalid_argument'],
    [{ parameters: undefined }, 'invalid_argument'],
    [{ parameters: nestedSchema(120) }, 'sent'],
    [{ parameters: nestedSchema(121) }, 'invalid_argument'],
    [{ parameters: { type: 'object', description: LONE } }, 'invalid_argument'],
    [{ parameters: { type: 'object', maximum: 1n } }, 'invalid_argument'],
  ])('case %#: %s', (change, outcome) => {
    expect(withTool(change as object)).toBe(outcome);
  });

  test('may have parameters whose getter throws, or that are a cycle: both are refused in our words', () => {
    const cycle: Record<string, unknown> = { type: 'object' };
    cycle.properties = { self: cycle, other: cycle };
    expect(withTool({ parameters: cycle })).toBe('invalid_argument');
    const throwing = {
      type: 'object',
      get properties() {
        throw new Error('secret');
      },
    };
    expect(() => buildAccept({ version: 1, tools: [{ ...tool, parameters: throwing }] })).toThrow(
      /must be JSON data/,
    );
  });
});

describe('a prepared accept', () => {
  const prepared = prepareAccept({
    version: 1,
    tools: [tool, { ...tool, name: 'b' }],
    system_prompt: 'prompt',
    greeting: 'hello',
    context: [{ role: 'user', text: 'x' }],
    events: ['user.text'],
    resume: true,
  });
  const read = (frame: string) => JSON.parse(frame) as Record<string, unknown>;

  test('is the same frame for every call that adds nothing', () => {
    expect(prepared.build()).toBe(prepared.build());
    expect(prepared.build({})).toBe(prepared.build());
    expect(prepared.byteLength).toBe(utf8ByteLength(prepared.build()));
  });

  test('takes from a call what it gives, and keeps the rest', () => {
    expect(read(prepared.build({ greeting: 'Welcome back!', events: [] }))).toEqual({
      ...read(prepared.build()),
      greeting: 'Welcome back!',
      events: [],
    });
    expect(read(prepared.build({ greeting: 'Welcome back!' })).tools).toHaveLength(2);
    expect(read(prepared.build()).greeting).toBe('hello');
  });

  test('loses a text or a context that a call gives as nothing', () => {
    const frame = read(prepared.build({ greeting: '', system_prompt: ' ', context: [] }));
    expect(Object.keys(frame)).toEqual(['type', 'version', 'tools', 'events', 'resume']);
  });

  test('offers the tools a call names, and knows no others', () => {
    expect(read(prepared.build({ tools: ['b', 'b'] })).tools).toEqual([{ ...tool, name: 'b' }]);
    expect(read(prepared.build({ tools: [] })).tools).toEqual([]);
    for (const name of ['c', 'constructor', '__proto__']) {
      expect(code(() => prepared.build({ tools: [name] }))).toBe('invalid_argument');
    }
    expect(code(() => prepared.build({ tools: 'b' as unknown as string[] }))).toBe('invalid_argument');
  });

  test('checks what a call adds', () => {
    expect(code(() => prepared.build({ greeting: 'x'.repeat(4_097) }))).toBe('invalid_argument');
    expect(code(() => prepared.build({ context: [{ role: 'user', text: LONE }] }))).toBe('invalid_argument');
  });

  test('is too large with what a call adds, or already without', () => {
    const large = prepareAccept({ version: 1, system_prompt: 'x'.repeat(65_000) });
    expect(code(() => large.build({ greeting: 'x'.repeat(1_000) }))).toBe('too_large');
    expect(code(() => prepareAccept({ version: 1, system_prompt: 'x'.repeat(65_536) }))).toBe('too_large');
  });

  test('answers a resumption with version, resume and the subscription alone', () => {
    expect(read(prepared.buildResumption())).toEqual({
      type: 'session.accept',
      version: 1,
      events: ['user.text'],
      resume: true,
    });
    expect(read(prepared.buildResumption(['bot.text']))).toMatchObject({ events: ['bot.text'] });
    expect(read(prepareAccept({ version: 1 }).buildResumption())).toEqual({
      type: 'session.accept',
      version: 1,
      resume: true,
    });
    expect(parseAgentMessage(prepared.buildResumption())).toMatchObject({ resume: true });
  });
});
