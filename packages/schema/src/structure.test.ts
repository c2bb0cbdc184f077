import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayUnique,
  IsArray,
  IsDate,
  IsDefined,
  IsEnum,
  IsInstance,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUppercase,
  Max,
  Min,
  MinDate,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  ArrayOf,
  Describe,
  InTimeZone,
  Nested,
  planDto,
  Schema,
  type SchemaOptions,
  Sensitive,
} from './index';

type AnyClass = new () => object;

function propertiesOf(type: AnyClass, options?: SchemaOptions): Record<string, unknown> {
  const plan = planDto(type, options);
  expect(plan.problems).toEqual([]);
  return plan.jsonSchema.properties as Record<string, unknown>;
}

function bound<T extends object>(type: new () => T, args: unknown, options?: SchemaOptions): T {
  const result = planDto(type, options).bind(args);
  if (!result.ok) throw new Error(result.message);
  return result.value as T;
}

function messageOf(type: AnyClass, args: unknown, options?: SchemaOptions): string {
  const result = planDto(type, options).bind(args);
  return result.ok ? 'accepted' : result.message;
}

function codesOf(type: AnyClass, options?: SchemaOptions): { problems: string[]; warnings: string[] } {
  const plan = planDto(type, options);
  return { problems: plan.problems.map(({ code }) => code), warnings: plan.warnings.map(({ code }) => code) };
}

describe('types and the order of decorators', () => {
  test('the order of decorators changes nothing', () => {
    class First {
      @IsInt() @Min(0) n!: number;
    }
    class Second {
      @Min(0) @IsInt() n!: number;
    }
    expect(propertiesOf(First)).toEqual({ n: { type: 'integer', minimum: 0 } });
    expect(planDto(First).jsonSchema).toEqual(planDto(Second).jsonSchema);
  });

  test('decorators that exclude each other are a problem', () => {
    class Wrong {
      @IsString() @IsInt() value!: unknown;
    }
    class Bounds {
      @Min(5) @Max(3) value!: number;
    }
    class TypeAndRule {
      @IsString() when!: Date;
    }
    class NoEach {
      @IsString() tags!: string[];
    }
    for (const type of [Wrong, Bounds, TypeAndRule, NoEach])
      expect(codesOf(type).problems).toEqual(['CW_SCHEMA_CONTRADICTION']);
  });

  test('a property that only has a TypeScript type is no argument, and a warning says so', () => {
    class Half {
      @IsInt() a!: number;
      b = 5;
    }
    expect(Object.keys(propertiesOf(Half))).toEqual(['a']);
    expect(codesOf(Half).warnings).toEqual(['CW_SCHEMA_UNDECORATED']);
    expect(messageOf(Half, { a: 1, b: 2 })).toBe('arguments has no property "b"');
  });

  test('enums of all kinds give their values, never the names of a numeric one', () => {
    enum Numeric {
      A,
      B,
    }
    enum Mixed {
      A = 'a',
      B = 1,
    }
    const Constants = { Low: 'low', High: 'high' } as const;
    class Enums {
      @IsEnum(Numeric) numeric!: Numeric;
      @IsEnum(Mixed) mixed!: Mixed;
      @IsEnum(Constants) constant!: string;
      @IsEnum(Numeric, { each: true }) many!: Numeric[];
      @Describe('by its type alone') bare!: Numeric;
    }
    expect(propertiesOf(Enums)).toMatchObject({
      numeric: { type: 'integer', enum: [0, 1] },
      mixed: { enum: ['a', 1] },
      constant: { type: 'string', enum: ['low', 'high'] },
      many: { type: 'array', items: { type: 'integer', enum: [0, 1] } },
    });
  });

  test('nothing is converted', () => {
    class Strict {
      @IsOptional() @Schema({ type: 'boolean' }) vip?: boolean;
      @IsOptional() @IsNumber() n?: number;
    }
    for (const args of [{ vip: 'false' }, { n: '' }, { n: '12' }, { n: '1e3' }, { vip: 0 }])
      expect(messageOf(Strict, args)).not.toBe('accepted');
  });
});

describe('inheritance', () => {
  test('the nearest class wins for each property, and a warning names the base', () => {
    class Base {
      @MinLength(10) p!: string;
      @IsOptional() @IsString() q?: string;
    }
    class Child extends Base {
      @IsUppercase() declare p: string;
      @IsDefined() @IsString() declare q: string;
    }
    const plan = planDto(Child);
    expect(plan.jsonSchema.required).toEqual(['p', 'q']);
    expect(plan.warnings.map(({ code }) => code)).toEqual(['CW_SCHEMA_OVERRIDE', 'CW_SCHEMA_OVERRIDE']);
    expect(plan.bind({ p: 'HELLO', q: '' }).ok).toBe(true);
    expect(planDto(Base).bind({ p: 'HELLO' }).ok).toBe(false);
  });

  test('properties of the base come first, and the instance is of the child', () => {
    class Base {
      @IsInt() a!: number;
    }
    class Child extends Base {
      @IsInt() b!: number;
    }
    expect(Object.keys(propertiesOf(Child))).toEqual(['a', 'b']);
    expect(bound(Child, { a: 1, b: 2 })).toBeInstanceOf(Child);
  });
});

describe('groups', () => {
  class Grouped {
    @IsInt() plain!: number;
    @IsString({ groups: ['staff'] }) note!: string;
    @IsString({ always: true }) name!: string;
  }

  test('without groups, rules that name one are left out', () => {
    expect(Object.keys(propertiesOf(Grouped))).toEqual(['plain', 'name']);
  });

  test('with groups, their rules and those that always hold apply, as in class-validator', () => {
    expect(Object.keys(propertiesOf(Grouped, { groups: ['staff'] }))).toEqual(['note', 'name']);
  });
});

describe('nested classes', () => {
  class Guest {
    @IsString() name!: string;
  }

  test('a nested class needs no @Type where the compiler emits it', () => {
    class Booking {
      @ValidateNested() guest!: Guest;
    }
    expect(bound(Booking, { guest: { name: 'Ada' } }).guest).toBeInstanceOf(Guest);
    expect(messageOf(Booking, { guest: { name: 1 } })).toBe('guest.name must be a string');
    expect(messageOf(Booking, {})).toBe('guest is required');
  });

  test('items without a class are a problem', () => {
    class Booking {
      @ValidateNested({ each: true }) guests!: Guest[];
    }
    expect(codesOf(Booking).problems).toEqual(['CW_SCHEMA_NESTED_TYPE']);
  });

  test('arrays, sets and maps of a class arrive as such', () => {
    class Party {
      @ArrayOf(() => Guest) list!: Guest[];
      @ArrayOf(() => Guest) set!: Set<Guest>;
      @ArrayOf(() => Guest) map!: Map<string, Guest>;
      @ArrayOf(String) words!: Set<string>;
      @IsInt({ each: true }) scores!: Map<string, number>;
    }
    const guest = { name: 'Ada' };
    const value = bound(Party, {
      list: [guest],
      set: [guest],
      map: { a: guest },
      words: ['x'],
      scores: { a: 1 },
    });
    expect(value.list[0]).toBeInstanceOf(Guest);
    expect([...value.set][0]).toBeInstanceOf(Guest);
    expect(value.map.get('a')).toBeInstanceOf(Guest);
    expect(value.words).toEqual(new Set(['x']));
    expect(value.scores).toEqual(new Map([['a', 1]]));
    const args = { list: [{ name: 1 }], set: [], map: { k: { name: 2 } }, words: [1], scores: { a: 'x' } };
    expect(messageOf(Party, args).split('\n')).toEqual([
      'list[0].name must be a string',
      'map.k.name must be a string',
      'scores.a must be an integer',
      'words[0] must be a string',
    ]);
  });

  test('an array of arrays is a problem', () => {
    class Matrix {
      @ArrayOf(Array) rows!: unknown[][];
    }
    expect(codesOf(Matrix).problems).toEqual(['CW_SCHEMA_NESTED_ARRAY']);
  });

  test('a record is written by hand', () => {
    class Order {
      @Schema({ type: 'object', additionalProperties: { type: 'integer' } }) amounts!: Record<string, number>;
    }
    expect(bound(Order, { amounts: { a: 1 } }).amounts).toEqual({ a: 1 });
    expect(messageOf(Order, { amounts: { a: 'x' } })).toBe('amounts.a must be an integer');
  });

  test('two classes with one name keep their own definitions', () => {
    const one = (() => {
      class Same {
        @IsInt() a!: number;
      }
      return Same;
    })();
    const two = (() => {
      class Same {
        @IsString() b!: string;
      }
      return Same;
    })();
    class Both {
      @Nested(one) first!: InstanceType<typeof one>;
      @Nested(two) second!: InstanceType<typeof two>;
    }
    const plan = planDto(Both, { inline: false });
    expect(plan.jsonSchema).toMatchObject({
      properties: { first: { $ref: '#/$defs/Same' }, second: { $ref: '#/$defs/Same_2' } },
      $defs: { Same: { properties: { a: {} } }, Same_2: { properties: { b: {} } } },
    });
  });

  test('a class that contains itself becomes a definition, and can be refused', () => {
    class Node {
      @IsInt() value!: number;
      @IsOptional() @ArrayOf(() => Node) children?: Node[];
    }
    const plan = planDto(Node);
    expect(plan.jsonSchema).toMatchObject({
      properties: { children: { type: ['array', 'null'], items: { $ref: '#/$defs/Node' } } },
      $defs: { Node: { properties: { value: { type: 'integer' } } } },
    });
    const tree = bound(Node, { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] });
    expect(tree.children?.[0]?.children?.[0]).toBeInstanceOf(Node);
    expect(messageOf(Node, { value: 1, children: [{ value: 'x' }] })).toBe(
      'children[0].value must be an integer',
    );
    expect(codesOf(Node, { refuseRecursive: true }).problems).toEqual(['CW_SCHEMA_RECURSIVE']);
  });

  test('@IsInstance names the class as @Type does', () => {
    class Booking {
      @IsInstance(Guest) guest!: unknown;
    }
    expect(bound(Booking, { guest: { name: 'Ada' } }).guest).toBeInstanceOf(Guest);
  });
});

describe('discriminators', () => {
  abstract class Payment {
    @IsInt() amount!: number;
  }
  class Card extends Payment {
    @IsString() number!: string;
  }
  class Cash extends Payment {
    @Schema({ type: 'string' }) currency!: string;
  }
  class Bill {
    @ValidateNested()
    @Type(() => Payment as never, {
      discriminator: {
        property: 'kind',
        subTypes: [
          { name: 'card', value: Card },
          { name: 'cash', value: Cash },
        ],
      },
    })
    payment!: Card | Cash;
  }

  test('each value of the tag has its own class', () => {
    const { payment } = propertiesOf(Bill) as { payment: { oneOf: unknown[] } };
    expect(payment.oneOf).toHaveLength(2);
    expect(payment.oneOf[0]).toMatchObject({
      properties: { kind: { const: 'card' }, amount: {}, number: {} },
      required: ['kind', 'amount', 'number'],
      additionalProperties: false,
    });
    const value = bound(Bill, { payment: { kind: 'cash', amount: 3, currency: 'EUR' } });
    expect(value.payment).toBeInstanceOf(Cash);
    expect(value.payment).not.toHaveProperty('kind');
  });

  test('errors speak of the class that the tag names', () => {
    expect(messageOf(Bill, { payment: { kind: 'card', amount: 3 } })).toBe('payment.number is required');
    expect(messageOf(Bill, { payment: { kind: 'gold' } })).toBe('payment.kind must be one of "card", "cash"');
    expect(messageOf(Bill, { payment: 'card' })).toBe('payment must be an object');
  });
});

describe("class-transformer's decorators", () => {
  class Renamed {
    @Expose({ name: 'party_size' }) @IsInt() partySize!: number;
    @Exclude() @IsString() secret: string = 'own';
    @Exclude({ toPlainOnly: true }) @IsString() inOnly!: string;
    @Transform(({ value }) => String(value).trim()) @MinLength(2) @Schema({ type: 'string' }) name!: string;
  }

  test('@Expose renames, @Exclude leaves out, @Transform runs before the rules', () => {
    expect(Object.keys(propertiesOf(Renamed))).toEqual(['party_size', 'inOnly', 'name']);
    const value = bound(Renamed, { party_size: 4, inOnly: 'x', name: '  ab  ' });
    expect(value).toEqual(
      Object.assign(new Renamed(), { partySize: 4, inOnly: 'x', name: 'ab', secret: 'own' }),
    );
    expect(messageOf(Renamed, { party_size: 4, inOnly: 'x', name: '  a  ' })).toBe(
      'name must be at least 2 characters long',
    );
    expect(messageOf(Renamed, { party_size: 4, inOnly: 'x', name: 'ab', secret: 'theirs' })).toBe(
      'arguments has no property "secret"',
    );
  });

  test('a transform without a schema is a warning', () => {
    class Silent {
      @Transform(({ value }) => Number(value)) @IsInt() n!: number;
    }
    expect(codesOf(Silent).warnings).toEqual(['CW_SCHEMA_TRANSFORM']);
    expect(bound(Silent, { n: '5' }).n).toBe(5);
    expect(messageOf(Silent, { n: 'x' })).toBe('n must be an integer');
  });

  test('what a transform throws is no exception, and its message is not told', () => {
    class Throws {
      @Transform(() => {
        throw new Error('secret 4111');
      })
      @Schema({ type: 'string' })
      n!: string;
    }
    const result = planDto(Throws).bind({ n: 'x' });
    expect(result).toMatchObject({
      ok: false,
      message: 'the arguments could not be read',
      cause: expect.any(Error),
    });
  });
});

describe('conditions', () => {
  class Guest {
    @IsString() name!: string;
  }
  class Conditional {
    @IsString() kind!: string;
    @ValidateIf((object: Conditional) => object.kind === 'phone') @MinLength(5) phone?: string;
    @ValidateIf((object: Conditional) => object.kind === 'guest') @Nested(() => Guest) guest?: Guest;
  }

  test('@ValidateIf leaves the schema open and is asked on the instance', () => {
    expect(propertiesOf(Conditional)).toMatchObject({ phone: {}, guest: {} });
    expect(messageOf(Conditional, { kind: 'other', phone: 3 })).toBe('accepted');
    expect(messageOf(Conditional, { kind: 'phone', phone: '12' })).toBe(
      'phone must be at least 5 characters long',
    );
    expect(messageOf(Conditional, { kind: 'phone' })).toBe('phone must be at least 5 characters long');
    expect(bound(Conditional, { kind: 'guest', guest: { name: 'Ada' } }).guest).toBeInstanceOf(Guest);
    expect(messageOf(Conditional, { kind: 'guest', guest: { name: 3 } })).toBe(
      'guest must have the form that its description says',
    );
  });
});

test('a single decorator with its own condition is asked only where it holds', () => {
  class Single {
    @IsString() kind!: string;
    @IsInt() @Max(5, { validateIf: (object: Single) => object.kind === 'small' }) size!: number;
  }
  expect(propertiesOf(Single)).toMatchObject({ size: { type: 'integer' } });
  expect(messageOf(Single, { kind: 'big', size: 9 })).toBe('accepted');
  expect(messageOf(Single, { kind: 'small', size: 9 })).toBe('size must be at most 5');
});

test('types written by hand, by @Type and by validators come to the same', () => {
  class Guest {
    @IsString() name!: string;
  }
  class Written {
    @Schema({ type: 'array', items: { type: 'string' }, maxItems: 2 }) tags!: string[];
    @IsArray() @Schema({ items: { type: 'integer' } }) sizes!: number[];
    @IsOptional() @Type(() => Guest) guest?: Guest | undefined;
    @IsOptional() @IsDate() @Type(() => Date) when?: Date | undefined;
    @IsArray() @Type(() => String) names!: string[];
    @IsInt() @Type(() => Number) count!: number;
    @Schema({ type: ['string', 'integer'] }) id!: string | number;
  }
  const plan = planDto(Written);
  expect([...plan.problems, ...plan.warnings]).toEqual([]);
  expect(plan.jsonSchema.properties).toMatchObject({
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    sizes: { type: 'array', items: { type: 'integer' } },
    guest: { type: ['object', 'null'], properties: { name: { type: 'string' } } },
    when: { type: ['string', 'null'], format: 'date-time' },
    names: { type: 'array', items: { type: 'string' } },
    count: { type: 'integer' },
    id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  });
  const args = {
    tags: ['a'],
    sizes: [1],
    guest: { name: 'a' },
    when: '2026-03-01T10:00Z',
    names: ['b'],
    count: 1,
    id: 7,
  };
  const value = bound(Written, args);
  expect(value.guest).toBeInstanceOf(Guest);
  expect(value.when).toBeInstanceOf(Date);
  expect(
    messageOf(Written, { ...args, tags: [1], sizes: ['x'], count: '1', id: true })
      .split('\n')
      .sort(),
  ).toEqual([
    'count must be an integer',
    'id must be a string or an integer',
    'sizes[0] must be an integer',
    'tags[0] must be a string',
  ]);
});

test('null that is a value is said by the type, null that means absent by @IsOptional', () => {
  class Nulls {
    @Schema({ type: ['string', 'null'] }) tag!: string | null;
    @IsOptional() @IsString() note?: string;
  }
  expect(bound(Nulls, { tag: null })).toEqual(Object.assign(new Nulls(), { tag: null }));
  expect(bound(Nulls, { tag: '', note: '' })).toEqual(Object.assign(new Nulls(), { tag: '', note: '' }));
  expect(bound(Nulls, { tag: 'a', note: null }).note).toBeUndefined();
  expect(messageOf(Nulls, {})).toBe('tag is required');
});

test('@Nested, @ArrayOf and @InTimeZone do not compile on a property of another type', () => {
  class Guest {
    @IsString() name!: string;
  }
  class Typed {
    @Nested(() => Guest) one?: Guest | null;
    // @ts-expect-error an array is no guest
    @Nested(() => Guest) many!: Guest[];
    // @ts-expect-error a string is no guest
    @Nested(Guest) text!: string;
    @ArrayOf(() => Guest) list?: readonly Guest[];
    // @ts-expect-error one guest is no array of guests
    @ArrayOf(() => Guest) single!: Guest;
    // @ts-expect-error numbers are no strings
    @ArrayOf(String) numbers!: number[];
    // @ts-expect-error a string is no date
    @InTimeZone('Europe/Rome') when!: string;
  }
  expect(Typed.name).toBe('Typed');
});

test('a list may hold variants, and the tag is kept where the program says so', () => {
  class Card {
    @IsString() kind!: string;
    @IsString() number!: string;
  }
  class Cash {
    @IsInt() amount!: number;
  }
  class Wallet {
    @ValidateNested({ each: true })
    @Type(() => Object, {
      keepDiscriminatorProperty: true,
      discriminator: {
        property: 'kind',
        subTypes: [
          { name: 'card', value: Card },
          { name: 'cash', value: Cash },
        ],
      },
    })
    items!: (Card | Cash)[];
  }
  const wallet = bound(Wallet, {
    items: [
      { kind: 'card', number: '1' },
      { kind: 'cash', amount: 2 },
    ],
  });
  expect(wallet.items.map((item) => item.constructor)).toEqual([Card, Cash]);
  expect(wallet.items[0]).toMatchObject({ kind: 'card', number: '1' });
  expect(messageOf(Wallet, { items: [{ kind: 'cash', amount: 'x' }] })).toBe(
    'items[0].amount must be an integer',
  );
});

describe('instances', () => {
  test('initialisers are defaults, and only those that stay the same are published', () => {
    class Defaults {
      @IsInt() n: number = 5;
      @IsDate() at: Date = new Date();
      @IsNumber() random: number = Math.random();
      @ArrayOf(String) tags: string[] = ['a'];
    }
    const plan = planDto(Defaults);
    expect(plan.jsonSchema.required).toBeUndefined();
    expect(plan.jsonSchema.properties).toMatchObject({ n: { default: 5 } });
    for (const name of ['at', 'random', 'tags'])
      expect((plan.jsonSchema.properties as Record<string, object>)[name]).not.toHaveProperty('default');
    expect(bound(Defaults, {}).tags).not.toBe(bound(Defaults, {}).tags);
  });

  test('the default of a sensitive property is not published', () => {
    class Pin {
      @Sensitive() @IsString() pin: string = '0000';
      @Exclude() internal = 'x';
    }
    expect(propertiesOf(Pin)).toEqual({ pin: { type: 'string' } });
    expect(codesOf(Pin).warnings).toEqual([]);
  });

  test('private fields, getters, setters and methods work', () => {
    class Rich {
      #count = 0;
      @IsInt() set size(value: number) {
        this.#count = value;
      }
      get size(): number {
        return this.#count;
      }
      @IsString() name!: string;
      @Expose() get label(): string {
        return `${this.name}-${this.#count}`;
      }
    }
    expect(Object.keys(propertiesOf(Rich))).toEqual(['size', 'name']);
    expect(bound(Rich, { size: 3, name: 'a' }).label).toBe('a-3');
  });

  test('a constructor that needs arguments is a warning', () => {
    class Needy {
      @IsInt() n: number;
      constructor(from: { n: number }) {
        this.n = from.n;
      }
    }
    expect(codesOf(Needy as unknown as AnyClass).warnings).toEqual(['CW_SCHEMA_CONSTRUCTOR']);
  });

  test('rules on dates are asked on the date', () => {
    class Visit {
      @MinDate(new Date('2026-01-01T00:00:00Z')) time!: Date;
    }
    expect(bound(Visit, { time: '2026-01-01T00:00:00Z' }).time).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(messageOf(Visit, { time: '2025-12-31T23:59:59Z' })).toBe(
      'time must be not before 2026-01-01T00:00:00.000Z',
    );
  });

  test('@ArrayUnique compares scalars by the schema and objects by identity', () => {
    class Guest {
      @IsString() name!: string;
    }
    class Unique {
      @ArrayUnique() @ArrayOf(String) words!: string[];
      @ArrayUnique((guest: Guest) => guest.name) @ArrayOf(() => Guest) guests!: Guest[];
    }
    expect(propertiesOf(Unique)).toMatchObject({ words: { uniqueItems: true } });
    expect(messageOf(Unique, { words: ['a', 'a'], guests: [] })).toBe(
      'words must not hold the same item twice',
    );
    expect(messageOf(Unique, { words: [], guests: [{ name: 'a' }, { name: 'a' }] })).toBe(
      'guests must be an array without duplicates',
    );
  });

  test('free JSON is copied, so the instance shares nothing with the arguments', () => {
    class Free {
      @Allow() any!: unknown;
    }
    const args = { any: { deep: [1] } };
    const value = bound(Free, args);
    expect(value.any).toEqual(args.any);
    expect(value.any).not.toBe(args.any);
  });
});
