import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn, temporaryFolder } from '../fake-terminal.test-support';
import { compareManifests } from './compare';
import type { ComparedTool } from './read-manifest';

const tool = (parameters: object, more: Partial<ComparedTool> = {}): ComparedTool => ({
  name: 'book',
  kind: 'side_effect',
  description: 'Books.',
  confirm: false,
  repeatable: false,
  timeoutMs: null,
  parameters: { type: 'object', additionalProperties: false, ...parameters },
  ...more,
});
const guests = (schema: object): object => ({ properties: { guests: schema }, required: ['guests'] });
const changes = (before: ComparedTool, after: ComparedTool) =>
  compareManifests([{ name: 'luigi', tools: [before] }], [{ name: 'luigi', tools: [after] }]);

describe('a change of a tool', () => {
  it.each<[string, object, object]>([
    ['a parameter is gone', guests({ type: 'integer' }), {}],
    ['a parameter is new and required', {}, guests({ type: 'integer' })],
    [
      'a parameter is required now',
      { properties: { guests: { type: 'integer' } } },
      guests({ type: 'integer' }),
    ],
    ['a type is narrower', guests({ type: 'number' }), guests({ type: 'integer' })],
    ['a type is another one', guests({ type: 'string' }), guests({ type: 'integer' })],
    ['a type is new', guests({}), guests({ type: 'integer' })],
    ['a value is gone', guests({ enum: ['a', 'b'] }), guests({ enum: ['a'] })],
    ['values are fixed now', guests({ type: 'string' }), guests({ type: 'string', enum: ['a'] })],
    ['an upper bound is lower', guests({ maximum: 12 }), guests({ maximum: 11 })],
    ['an upper bound is new', guests({}), guests({ maxLength: 11 })],
    ['a lower bound is higher', guests({ minimum: 1 }), guests({ minimum: 2 })],
    ['a pattern is another one', guests({ pattern: 'a' }), guests({ pattern: 'b' })],
    ['a format is new', guests({ type: 'string' }), guests({ type: 'string', format: 'email' })],
    ['a combination is new', guests({}), guests({ anyOf: [{ type: 'string' }] })],
    [
      'items are narrower',
      guests({ items: { type: ['string', 'null'] } }),
      guests({ items: { type: 'string' } }),
    ],
    [
      'something inside is required now',
      guests({ properties: { name: { type: 'string' } } }),
      guests({ properties: { name: { type: 'string' } }, required: ['name'] }),
    ],
    [
      'other members are refused now',
      guests({ additionalProperties: true }),
      guests({ additionalProperties: false }),
    ],
  ])('breaks when %s', (_what, before, after) => {
    expect(changes(tool(before), tool(after)).filter(({ isBreaking }) => isBreaking)).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    ['a parameter is new and optional', {}, { properties: { note: { type: 'string' } } }],
    [
      'a parameter is optional now',
      guests({ type: 'integer' }),
      { properties: { guests: { type: 'integer' } } },
    ],
    ['a type is wider', guests({ type: 'integer' }), guests({ type: ['number', 'null'] })],
    ['a value is new', guests({ enum: ['a'] }), guests({ enum: ['a', 'b'] })],
    ['an upper bound is higher', guests({ maximum: 11 }), guests({ maximum: 12 })],
    ['a lower bound is gone', guests({ minimum: 1 }), guests({})],
    ['a pattern is gone', guests({ pattern: 'a' }), guests({})],
    ['a description changed', guests({ description: 'a' }), guests({ description: 'b' })],
  ])('fits when %s', (_what, before, after) => {
    const found = changes(tool(before), tool(after));
    expect(found).toHaveLength(1);
    expect(found[0]?.isBreaking).toBe(false);
  });

  it('breaks when its kind or its question changes, not when its time does', () => {
    expect(changes(tool({}), tool({}, { kind: 'read_only' }))).toMatchObject([{ isBreaking: true }]);
    expect(changes(tool({}), tool({}, { confirm: true }))).toMatchObject([{ isBreaking: true }]);
    expect(changes(tool({}), tool({}, { timeoutMs: 5 }))).toMatchObject([
      { isBreaking: false, what: "time: the voice server's own → 5 ms" },
    ]);
  });

  it('is none between equals', () => {
    const same = tool(guests({ type: 'integer', minimum: 1, enum: [1] }));
    expect(changes(same, same)).toEqual([]);
  });

  it('breaks when a tool or an agent is gone, and fits when one is new', () => {
    const luigi = { name: 'luigi', tools: [tool({})] };
    const empty = { name: 'luigi', tools: [] };
    expect(compareManifests([luigi], [empty])).toMatchObject([{ where: 'luigi.book', isBreaking: true }]);
    expect(compareManifests([empty], [luigi])).toMatchObject([{ where: 'luigi.book', isBreaking: false }]);
    expect(compareManifests([luigi], [])).toMatchObject([{ where: 'luigi', isBreaking: true }]);
    expect(compareManifests([], [luigi])).toMatchObject([{ where: 'luigi', isBreaking: false }]);
  });
});

describe('callwright diff', () => {
  const folder = temporaryFolder();
  const manifest = (...tools: readonly ComparedTool[]): string =>
    JSON.stringify({ manifestVersion: 1, agents: [{ name: 'luigi', tools }] });
  writeFileSync(join(folder, 'old.json'), manifest(tool(guests({ type: 'integer', maximum: 12 }))));
  writeFileSync(
    join(folder, 'tight.json'),
    `{"manifest":${manifest(tool(guests({ type: 'integer', maximum: 8 })))}}`,
  );
  writeFileSync(join(folder, 'broken.json'), '{');
  writeFileSync(join(folder, 'later.json'), '{"manifestVersion":2,"agents":[]}');

  it('prints what breaks and ends with 1, whichever way the manifests were made', async () => {
    const { exitCode, output } = await runIn(folder, ['diff', 'old.json', 'tight.json']);
    expect(output).toBe('breaks  luigi.book: guests  maximum 12 → 8\n\n1 of 1 change breaks.\n');
    expect(exitCode).toBe(1);
  });

  it('ends with 0 when nothing breaks', async () => {
    await expect(runIn(folder, ['diff', 'tight.json', 'old.json'])).resolves.toMatchObject({ exitCode: 0 });
    await expect(runIn(folder, ['diff', 'old.json', 'old.json'])).resolves.toMatchObject({
      output: 'No changes.\n',
    });
  });

  it('prints JSON', async () => {
    const { output } = await runIn(folder, ['diff', 'old.json', 'tight.json', '--json']);
    expect(JSON.parse(output)).toEqual([
      { where: 'luigi.book: guests', what: 'maximum 12 → 8', isBreaking: true },
    ]);
  });

  it.each([
    ['missing.json', 'the file is not there'],
    ['broken.json', 'it is not JSON'],
    ['later.json', 'it is of version 2'],
  ])('says what is wrong with %s', async (file, reason) => {
    const { exitCode, errorOutput } = await runIn(folder, ['diff', 'old.json', file]);
    expect(errorOutput).toContain('CW_MANIFEST_UNREADABLE');
    expect(errorOutput).toContain(reason);
    expect(exitCode).toBe(1);
  });
});
