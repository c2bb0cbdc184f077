import 'reflect-metadata';
import { ArrayOf, isDtoClass, Nested, planDto, Schema } from '@callwright/schema';
import { Allow, IsArray, IsInt, IsObject, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { cases } from './decorated';

class Guest {
  @IsString() name!: string;
}
class Booking {
  @IsString() name!: string;
  @IsOptional() @Nested(() => Guest) guest?: Guest;
  @IsOptional() @ArrayOf(() => Guest) guests?: Guest[];
}
class Node {
  @IsOptional() @Nested(() => Node) next?: Node;
}
class Free {
  @IsOptional() @IsObject() object?: object;
  @IsOptional() @Allow() any?: unknown;
  @IsOptional() @IsArray() list?: unknown[];
  @IsOptional() @Schema({ type: 'object', additionalProperties: { type: 'integer' } }) record?: Record<
    string,
    number
  >;
  @IsOptional() @IsInt({ each: true }) map?: Map<string, number>;
}

function nested(levels: number, key: string): string {
  return `${`{"${key}":`.repeat(levels)}{}${'}'.repeat(levels)}`;
}

function refusal(type: new () => object, json: string): string {
  const bound = planDto(type).bind(JSON.parse(json));
  return bound.ok ? 'accepted' : bound.message;
}

describe('keys that change what an object is', () => {
  const keys = ['__proto__', 'constructor', 'prototype', 'then', 'hasOwnProperty', 'toString', 'valueOf'];

  test.each(keys)('%s is refused beside the arguments and inside nested ones', (key) => {
    expect(refusal(Booking, `{"name":"a","${key}":{"prototype":{"x":1}}}`)).toMatch(
      /no property|must not have the key/,
    );
    expect(refusal(Booking, `{"name":"a","guest":{"name":"b","${key}":{"x":1}}}`)).toMatch(
      /no property|must not have the key/,
    );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test.each(['__proto__', 'constructor', 'prototype', 'then'])('%s is refused inside free JSON', (key) => {
    for (const name of ['object', 'any', 'map'])
      expect(refusal(Free, `{"${name}":{"deep":{"${key}":1}}}`)).toMatch(/must not have the key|must be/);
    expect(refusal(Free, `{"list":[{"${key}":1}]}`)).toBe(`arguments must not have the key "${key}"`);
    expect(refusal(Free, `{"record":{"${key}":1}}`)).toBe(`arguments must not have the key "${key}"`);
  });

  test('such names are no argument names', () => {
    class Reserved {
      @IsString() valueOf!: never;
    }
    IsString()(Reserved.prototype, 'then');
    expect(planDto(Reserved).problems.map(({ code }) => code)).toEqual([
      'CW_SCHEMA_RESERVED_NAME',
      'CW_SCHEMA_RESERVED_NAME',
    ]);
  });

  test('the instance has the prototype of its class and is no promise', () => {
    const bound = planDto(Booking).bind(JSON.parse('{"name":"a"}'));
    expect(bound.ok && Object.getPrototypeOf(bound.value)).toBe(Booking.prototype);
    expect(bound.ok && (bound.value as { then?: unknown }).then).toBeUndefined();
  });
});

describe('depth and size', () => {
  test.each([8_000, 20_000])('%i levels are one refusal', (levels) => {
    expect(refusal(Node, nested(levels, 'next'))).toBe('arguments must be nested at most 128 levels deep');
    expect(refusal(Free, `{"any":${nested(levels, 'a')}}`)).toBe(
      'arguments must be nested at most 128 levels deep',
    );
    expect(refusal(Booking, `{"name":${nested(levels, 'a')}}`)).toBe(
      'arguments must be nested at most 128 levels deep',
    );
    expect(refusal(Free, `{"any":${'['.repeat(levels)}${']'.repeat(levels)}}`)).toBe(
      'arguments must be nested at most 128 levels deep',
    );
  });

  test('128 levels are taken, 129 are not', () => {
    expect(refusal(Node, nested(127, 'next'))).toBe('accepted');
    expect(refusal(Node, nested(128, 'next'))).toBe('arguments must be nested at most 128 levels deep');
  });

  test('an array takes 1,000 items where the class sets no limit, and the arguments 20,000 values', () => {
    const guests = (count: number) => JSON.stringify({ name: 'a', guests: Array(count).fill({ name: 'b' }) });
    expect(refusal(Booking, guests(1_000))).toBe('accepted');
    expect(refusal(Booking, guests(1_001))).toBe('guests must have at most 1000 items');
    expect(refusal(Booking, guests(20_000))).toBe('arguments must hold at most 20000 values');
    const any = (count: number) => JSON.stringify({ any: Array(count).fill(0) });
    expect(refusal(Free, any(19_999))).toBe('accepted');
    expect(refusal(Free, any(20_000))).toBe('arguments must hold at most 20000 values');
  });

  test('a string takes 65,536 units where the class sets no limit', () => {
    expect(refusal(Guest, JSON.stringify({ name: 'a'.repeat(65_536) }))).toBe('accepted');
    expect(refusal(Guest, JSON.stringify({ name: 'a'.repeat(65_537) }))).toBe(
      'arguments must not hold a string of more than 65536 characters',
    );
  });

  test.each(['a', '1', ' ', 'a.', '-', '@', '😀', '\uFE0F', '[', 'a-'])(
    '60 KB of %j cost no validator 50 ms',
    (unit) => {
      const text = unit.repeat(Math.floor(60_000 / unit.length));
      const slow: string[] = [];
      for (const { label, apply } of cases) {
        class Text {
          value!: unknown;
        }
        Allow()(Text.prototype, 'value');
        apply()(Text.prototype, 'value');
        const plan = planDto(Text);
        plan.bind({ value: 'x' });
        plan.bind({ value: text });
        const before = process.cpuUsage();
        plan.bind({ value: text });
        const { user, system } = process.cpuUsage(before);
        if (user + system > 50_000) slow.push(`${label}: ${(user + system) / 1000} ms`);
      }
      expect(slow).toEqual([]);
    },
  );
});

test('a regular expression that can take very long is a warning at boot', () => {
  class Slow {
    @Matches(/^(a+)+$/) nested!: string;
    @Matches(/^[a-z]{2,8}-\d+$/) plain!: string;
    @Matches(/^\+[0-9]{6,15}$/) phone!: string;
    @Matches(/^[^@\s]+@[^@\s]+\.[a-z]+$/) mail!: string;
    @Matches(/^.*,.*,.*$/) cubic!: string;
    @Matches(/^.*,.*,.*$/) @MaxLength(100) shortCubic!: string;
  }
  const { warnings } = planDto(Slow);
  expect(warnings.map(({ code, message }) => [code, message.split(':')[0]])).toEqual([
    ['CW_SCHEMA_SLOW_PATTERN', 'Slow.nested'],
    ['CW_SCHEMA_SLOW_PATTERN', 'Slow.cubic'],
  ]);
});

test('what is no class with decorated properties is no DTO', () => {
  class Plain {
    a = 1;
  }
  for (const type of [Plain, String, Object, undefined, null, () => Guest, {}, 'Guest'])
    expect(isDtoClass(type)).toBe(false);
  class Derived extends Guest {}
  for (const type of [Guest, Derived, Booking]) expect(isDtoClass(type)).toBe(true);
});
