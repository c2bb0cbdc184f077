import type { CommandMessage, SessionAcceptMessage, ToolDeclaration } from './agent-messages';
import { reviewAccept, reviewCommand } from './review';
import { SUBSCRIBABLE_EVENTS } from './vocabulary';

const tool: ToolDeclaration = {
  name: 'a',
  description: 'd',
  parameters: { type: 'object' },
  kind: 'read_only',
};
const review = (parts: Partial<SessionAcceptMessage>, serverTools?: readonly string[]) =>
  reviewAccept({ type: 'session.accept', version: 1, ...parts }, serverTools);

describe('an accept that breaks a rule', () => {
  test('loses all tools over 64, and none at 64', () => {
    const tools = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...tool, name: `t${index}` }));
    expect(review({ tools: tools(64) })).toMatchObject({ breaks: [], tools: { length: 64 } });
    expect(review({ tools: tools(65) })).toMatchObject({ breaks: [{ code: 'too_large' }], tools: [] });
  });

  test.each([
    { name: 'a b' },
    { name: '' },
    { name: 'x'.repeat(65) },
    { name: 'confirm_pending' },
    { name: 'end_call' },
    { name: 'first' },
    { confirm: true },
    { repeatable: true },
    { parameters: { type: 'string' } },
    { parameters: [] },
    { parameters: { type: 'object', properties: { a: { $ref: 'https://example.org/a.json' } } } },
  ])('loses only the tool with %j', (change) => {
    const tools = [
      { ...tool, name: 'first' },
      { ...tool, ...change } as ToolDeclaration,
      { ...tool, name: 'last' },
    ];
    const { tools: taken, breaks } = review({ tools }, ['end_call']);
    expect(taken.map(({ name }) => name)).toEqual(['first', 'last']);
    expect(breaks).toEqual([
      { code: 'invalid_argument', message: expect.stringContaining('tools[1] is refused') },
    ]);
  });

  test('may refer to a schema of its own', () => {
    const parameters = { type: 'object', $defs: { a: {} }, properties: { a: { $ref: '#/$defs/a' } } };
    expect(review({ tools: [{ ...tool, parameters }] }).breaks).toEqual([]);
  });

  test('loses all context messages over 32, and at 32 only a blank one', () => {
    const context = (count: number, text: string) =>
      Array.from({ length: count }, () => ({ role: 'user' as const, text }));
    expect(review({ context: context(33, 'x') })).toMatchObject({
      breaks: [{ code: 'too_large' }],
      context: [],
    });
    const mixed = [...context(31, 'x'), ...context(1, ' ')];
    expect(review({ context: mixed })).toMatchObject({
      breaks: [{ code: 'invalid_argument' }],
      context: { length: 31 },
    });
    expect(review({ context: context(1, 'x'.repeat(65_536)) }).breaks).toEqual([]);
    expect(review({ context: context(1, 'x'.repeat(65_537)) })).toMatchObject({ context: [] });
  });

  test('has its greeting not spoken over 4,096 bytes', () => {
    expect(review({ greeting: 'é'.repeat(2_048) })).toMatchObject({
      breaks: [],
      greeting: 'é'.repeat(2_048),
    });
    expect(review({ greeting: 'é'.repeat(2_049) })).toMatchObject({
      breaks: [{ code: 'invalid_argument' }],
      greeting: undefined,
    });
  });

  test('has unknown and always-sent events reported and ignored', () => {
    expect(review({ events: ['user.text', 'session.end', 'user.smell'] })).toMatchObject({
      events: ['user.text'],
      breaks: [{ code: 'invalid_argument' }],
    });
  });
});

describe('an accept that breaks none', () => {
  test('gets every event when it names none, and none when it names no event', () => {
    expect(review({}).events).toEqual(SUBSCRIBABLE_EVENTS);
    expect(review({ events: [] }).events).toEqual([]);
  });

  test('has a blank prompt and greeting for absent', () => {
    expect(review({ system_prompt: ' ', greeting: '\n' })).toMatchObject({
      system_prompt: undefined,
      greeting: undefined,
      breaks: [],
    });
  });
});

describe('a command', () => {
  test.each([
    [{ type: 'say', text: 'x'.repeat(4_096) }, undefined],
    [{ type: 'say', text: 'x'.repeat(4_097) }, 'invalid_argument'],
    [{ type: 'say', text: ' ' }, 'invalid_argument'],
    [{ type: 'end' }, undefined],
    [{ type: 'end', reason: 'x'.repeat(2_000) }, undefined],
    [{ type: 'end', say: '' }, 'invalid_argument'],
    [{ type: 'end', say: 'x'.repeat(4_097) }, 'invalid_argument'],
    [{ type: 'transfer', destination: ' +12345678 ' }, undefined],
    [{ type: 'transfer', destination: '+0123456789' }, 'invalid_argument'],
    [{ type: 'context.update' }, undefined],
    [{ type: 'context.update', system_prompt: ' ' }, 'invalid_argument'],
    [{ type: 'context.update', append: [{ role: 'user', text: '' }] }, 'invalid_argument'],
    [{ type: 'context.update', append: Array(32).fill({ role: 'user', text: 'x' }) }, undefined],
    [{ type: 'context.update', append: Array(33).fill({ role: 'user', text: 'x' }) }, 'too_large'],
    [{ type: 'tools.set', enabled: null }, undefined],
    [{ type: 'tools.set', enabled: Array(256).fill('a') }, undefined],
    [{ type: 'tools.set', enabled: Array(257).fill('a') }, 'too_large'],
  ])('case %#: %s', (command, code) => {
    expect(reviewCommand(command as CommandMessage)?.code).toBe(code);
  });
});
