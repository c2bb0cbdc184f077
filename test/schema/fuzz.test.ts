import 'reflect-metadata';
import { ArrayOf, Nested, planDto, Schema } from '@callwright/schema';
import { plainToInstance, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';

const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'then',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'toJSON',
];

class Guest {
  @IsString() name!: string;
  @IsOptional() @IsInt() age?: number;
}
class Node {
  @IsOptional() @ArrayOf(() => Node) children?: Node[];
  @IsOptional() @Allow() any?: unknown;
}
class Target {
  @IsOptional() @IsString() name?: string;
  @IsOptional() @Nested(() => Guest) guest?: Guest;
  @IsOptional() @ArrayOf(() => Guest) guests?: Guest[];
  @IsOptional() @ArrayOf(() => Guest) map?: Map<string, Guest>;
  @IsOptional() @Schema({ type: 'object' }) free?: object;
  @IsOptional() @Nested(() => Node) node?: Node;
}

// CI takes 50,000; FUZZ_RUNS=200000 before a release.
const runs = Number(process.env.FUZZ_RUNS ?? 50_000);

test(`${runs} hostile argument objects change no prototype, throw nothing, and give only instances of the class`, () => {
  const keys = fc.oneof(
    fc.constantFrom(...hostileKeys),
    fc.constantFrom('name', 'age', 'guest', 'guests', 'map', 'free', 'node', 'children', 'any'),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('a', 1, true, null, 'x'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.array(fc.tuple(keys, tie('tree')), { maxLength: 4 }).map((entries) => ({ entries })),
    ),
  }));
  const write = (node: unknown): string => {
    if (Array.isArray(node)) return `[${node.map(write).join(',')}]`;
    if (typeof node !== 'object' || node === null) return JSON.stringify(node);
    const { entries } = node as { entries: readonly (readonly [string, unknown])[] };
    return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(',')}}`;
  };
  const plan = planDto(Target);
  expect(plan.problems).toEqual([]);
  const prototypes = [
    Object.prototype,
    Array.prototype,
    Target.prototype,
    Guest.prototype,
    Node.prototype,
    Map.prototype,
  ];
  const before = prototypes.map((prototype) => Object.getOwnPropertyNames(prototype).join());
  let accepted = 0;
  fc.assert(
    fc.property(tree, (node) => {
      const bound = plan.bind(JSON.parse(write(node)));
      if (!bound.ok) return bound.message !== '' && bound.message.split('\n').length <= 5;
      accepted++;
      return Object.getPrototypeOf(bound.value) === Target.prototype && !holdsHostileKey(bound.value, 0);
    }),
    { numRuns: runs },
  );
  expect(accepted).toBeGreaterThan(runs / 100);
  expect(prototypes.map((prototype) => Object.getOwnPropertyNames(prototype).join())).toEqual(before);
}, 120_000);

function holdsHostileKey(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > 20) return false;
  if (value instanceof Map) return [...value.values()].some((item) => holdsHostileKey(item, depth + 1));
  const keys = Object.keys(value);
  return (
    keys.some((key) => hostileKeys.slice(0, 4).includes(key)) ||
    Object.values(value).some((item) => holdsHostileKey(item, depth + 1))
  );
}

describe("the generated binder agrees with class-transformer's plainToInstance", () => {
  enum Kind {
    A = 'a',
    B = 'b',
  }
  class Inner {
    @IsString() @MaxLength(10) name!: string;
    @IsBoolean() flag = true;
    @Type(() => Date) at!: Date;
  }
  class Outer {
    @IsInt() count!: number;
    @IsNumber() ratio = 0.5;
    @IsEnum(Kind) kind!: Kind;
    @Nested(() => Inner) inner!: Inner;
    @IsArray() @ValidateNested({ each: true }) @Type(() => Inner) list!: Inner[];
    @ArrayOf(String) words: string[] = ['none'];
    @IsOptional() @ArrayOf(() => Inner) set?: Set<Inner>;
    @IsOptional() @ArrayOf(() => Inner) map?: Map<string, Inner>;
    @Allow() free: unknown = null;
  }
  const date = fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString());
  const inner = fc.record(
    { name: fc.string({ maxLength: 8 }), flag: fc.boolean(), at: date },
    { requiredKeys: ['name', 'at'] },
  );
  // class-transformer drops keys of a map that are names of its methods.
  const key = fc.stringMatching(/^[a-z]{1,5}$/).filter((name) => name !== 'then' && !(name in Map.prototype));
  const outer = fc.record(
    {
      count: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }),
      kind: fc.constantFrom('a', 'b'),
      inner,
      list: fc.array(inner, { maxLength: 4 }),
      words: fc.array(fc.string(), { maxLength: 4 }),
      set: fc.uniqueArray(inner, { maxLength: 3, selector: (item) => JSON.stringify(item) }),
      map: fc.dictionary(key, inner, { maxKeys: 3, noNullPrototype: true }),
      free: fc.constantFrom<unknown>(1, 'a', null, { a: [1, { b: null }] }),
    },
    { requiredKeys: ['count', 'kind', 'inner', 'list'], noNullPrototype: true },
  );

  test('for every valid object', () => {
    const plan = planDto(Outer);
    expect(plan.problems).toEqual([]);
    fc.assert(
      fc.property(outer, (args) => {
        const plain = JSON.parse(JSON.stringify(args)) as object;
        const bound = plan.bind(structuredClone(plain));
        if (!bound.ok) throw new Error(bound.message);
        expect(bound.value).toStrictEqual(plainToInstance(Outer, plain));
      }),
      { numRuns: 1_000 },
    );
  });
});
