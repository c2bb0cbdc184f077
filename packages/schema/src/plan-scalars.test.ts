import { IsString } from 'class-validator';
import { type ArgOptions, planScalars, Sensitive } from './index';

enum Level {
  Low,
  High,
}

class Guest {
  @IsString() name!: string;
}

function plan(
  ...parameters: readonly (readonly [name: string, designType: unknown, options?: ArgOptions])[]
) {
  return planScalars(
    parameters.map(([name, designType, options = {}], index) => ({
      name,
      designType,
      options,
      where: `Agent.tool, parameter ${index} ("${name}")`,
    })),
  );
}

describe('planScalars', () => {
  test('each argument has its schema, and the bound value is a list in order', () => {
    const own = plan(
      ['day', String, { enum: ['mon', 'tue'], description: 'the weekday' }],
      ['guests', Number, { type: 'integer', min: 1, max: 12 }],
      ['when', Date, { timeZone: 'Europe/Rome' }],
      ['tags', Array, { items: 'string', optional: true }],
      ['level', Object, { enum: Level, default: 1 }],
      ['guest', Guest],
    );
    expect(own.problems).toEqual([]);
    expect(own.jsonSchema).toMatchObject({
      properties: {
        day: { description: 'the weekday', type: 'string', enum: ['mon', 'tue'] },
        guests: { type: 'integer', minimum: 1, maximum: 12 },
        tags: { type: ['array', 'null'], items: { type: 'string' } },
        level: { type: 'integer', enum: [0, 1], default: 1 },
        guest: { type: 'object', required: ['name'] },
      },
      required: ['day', 'guests', 'when', 'guest'],
      additionalProperties: false,
    });
    const args = { guest: { name: 'Ada' }, when: '2026-03-01T19:30', guests: 2, day: 'mon' };
    const bound = own.bind(args);
    expect(bound).toMatchObject({
      ok: true,
      value: ['mon', 2, new Date('2026-03-01T18:30:00Z'), undefined, 1, args.guest],
    });
    expect(bound.ok && (bound.value as unknown[])[5]).toBeInstanceOf(Guest);
    expect(own.bind({ ...args, guests: 99 })).toEqual({ ok: false, message: 'guests must be at most 12' });
    expect(own.bind({ ...args, tags: null })).toMatchObject({ ok: true });
  });

  test('an enum object stands for its values, given as an option or emitted by the compiler', () => {
    for (const own of [plan(['level', Object, { enum: Level }]), plan(['level', Level])])
      expect(own.jsonSchema.properties).toEqual({ level: { type: 'integer', enum: [0, 1] } });
  });

  test('no arguments at all take an empty object', () => {
    const own = plan();
    expect(own.bind({})).toEqual({ ok: true, value: [] });
    expect(own.bind({ a: 1 }).ok).toBe(false);
  });

  test('a sensitive argument arrives wrapped, and its default is not published', () => {
    const own = plan(['pin', Sensitive, { type: 'string', default: '0000' }]);
    expect(own.jsonSchema.properties).toEqual({ pin: { type: 'string' } });
    const bound = own.bind({ pin: '1234' });
    const [pin] = bound.ok ? (bound.value as [Sensitive<string>]) : [];
    expect(pin?.reveal()).toBe('1234');
    const absent = own.bind({});
    expect(absent.ok && (absent.value as [Sensitive<string>])[0].reveal()).toBe('0000');
  });

  test('a pattern may be an expression, and one that can take very long is a warning', () => {
    const own = plan(
      ['code', String, { pattern: /^[A-Z]{3}-\d+$/ }],
      ['slow', String, { pattern: '^(a+)+$' }],
    );
    expect(own.jsonSchema.properties).toMatchObject({ code: { pattern: '^[A-Z]{3}-\\d+$' } });
    expect(own.warnings.map(({ code }) => code)).toEqual(['CW_SCHEMA_SLOW_PATTERN']);
    expect(own.bind({ code: 'abc-1', slow: 'a' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('code'),
    });
  });

  test.each<[string, readonly (readonly [string, unknown, ArgOptions?])[]]>([
    ['CW_META_OPAQUE', [['x', Object]]],
    ['CW_META_MISSING', [['x', undefined]]],
    ['CW_META_UNSUPPORTED', [['x', Promise]]],
    ['CW_SCHEMA_CONTRADICTION', [['x', String, { min: 1 }]]],
    ['CW_SCHEMA_CONTRADICTION', [['x', String, { default: 5 }]]],
    ['CW_SCHEMA_CONTRADICTION', [['x', String, { enum: ['a'], default: 'b' }]]],
    ['CW_SCHEMA_CONTRADICTION', [['x', Number, { enum: ['a'] }]]],
    ['CW_SCHEMA_CONTRADICTION', [['x', Number, { min: 5, max: 1 }]]],
    ['CW_SCHEMA_REFUSED', [['x', String, { pattern: /a/i }]]],
    ['CW_SCHEMA_REFUSED', [['x', String, { pattern: '(' }]]],
    ['CW_SCHEMA_RESERVED_NAME', [['then', String]]],
    [
      'CW_SCHEMA_DUPLICATE_NAME',
      [
        ['x', String],
        ['x', String],
      ],
    ],
  ])('%s is reported with the parameter', (code, parameters) => {
    const [problem] = plan(...parameters).problems;
    expect(problem?.code).toBe(code);
    expect(problem?.message).toContain('Agent.tool, parameter');
  });
});
