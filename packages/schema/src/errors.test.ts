import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MinLength,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import {
  ArrayOf,
  Describe,
  InTimeZone,
  Nested,
  type Problem,
  planDto,
  planScalars,
  registerValidator,
  Schema,
  type SchemaErrorCode,
  type SchemaOptions,
  schemaErrors,
} from './index';

// Classes that are wrong on purpose: one for each code.
interface Money {
  amount: number;
}
class Opaque {
  @Describe('an interface') price!: Money;
}
class Missing {
  @Describe('no annotation') size = 5;
}
class Unsupported {
  @Describe('bytes') data!: Buffer;
}
class Contradiction {
  @IsString() @IsInt() size!: number;
}
class Refused {
  @Matches(/a/g) text!: string;
}
class NestedType {
  @ValidateNested({ each: true }) guests!: object[];
}
class NestedArray {
  @ArrayOf(Array) rows!: unknown[][];
}
class Empty {}
class EmptyClass {
  @Nested(() => Empty) empty!: Empty;
}
class Discriminator {
  @ValidateNested()
  @Type(() => Object, { discriminator: { property: 'kind', subTypes: [] } })
  payment!: object;
}
class Keyword {
  @Schema({ type: 'string', $ref: '#/x' }) text!: string;
}
class Recursive {
  @Nested(() => Recursive) inner!: Recursive;
}
class Open {
  @Schema({ type: 'object' }) anything!: object;
}
class Zone {
  @InTimeZone('Europe/Luigi') time!: Date;
}
@ValidatorConstraint({ name: 'isFree', async: true })
class IsFree implements ValidatorConstraintInterface {
  async validate(): Promise<boolean> {
    return true;
  }
}
class Async {
  @Validate(IsFree) table!: string;
}
class Compile {
  @Schema({ type: 'string', pattern: '(' }) text!: string;
}
class Transformed {
  @Transform(({ value }) => value) @IsInt() size!: number;
}
@ValidatorConstraint({ name: 'isRoman' })
class IsRoman implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && /^[IVX]+$/.test(value);
  }
}
class Custom {
  @Validate(IsRoman) year!: string;
}
class Undecorated {
  @IsInt() size!: number;
  note = 'internal';
}
class Items {
  @IsArray() tags!: string[];
}
class Base {
  @MinLength(10) text!: string;
}
class Override extends Base {
  @IsEmail() declare text: string;
}
class Constructor {
  @IsInt() size: number;
  constructor(from: { size: number }) {
    this.size = from.size;
  }
}
class SlowPattern {
  @Matches(/^(a+)+$/) text!: string;
}

function found(
  type: abstract new (...parameters: never[]) => object,
  options?: SchemaOptions,
): readonly Problem[] {
  const plan = planDto(type, options);
  return [...plan.problems, ...plan.warnings];
}

function named(...names: readonly string[]): readonly Problem[] {
  return planScalars(
    names.map((name, index) => ({
      name,
      designType: String,
      options: {},
      where: `Agent.tool, parameter ${index}`,
    })),
  ).problems;
}

function thrownBy(run: () => void): readonly Problem[] {
  try {
    run();
    return [];
  } catch (error) {
    return [{ code: 'CW_SCHEMA_COMPILE', message: (error as Error).message }];
  }
}

const triggers: Readonly<Record<Exclude<SchemaErrorCode, 'CW_META_LATE'>, () => readonly Problem[]>> = {
  CW_META_OPAQUE: () => found(Opaque, { where: 'Agent.tool, parameter 0' }),
  CW_META_MISSING: () => found(Missing),
  CW_META_UNSUPPORTED: () => found(Unsupported),
  CW_SCHEMA_CONTRADICTION: () => found(Contradiction),
  CW_SCHEMA_REFUSED: () => found(Refused),
  CW_SCHEMA_NESTED_TYPE: () => found(NestedType),
  CW_SCHEMA_NESTED_ARRAY: () => found(NestedArray),
  CW_SCHEMA_EMPTY_CLASS: () => found(EmptyClass),
  CW_SCHEMA_RESERVED_NAME: () => named('then'),
  CW_SCHEMA_DUPLICATE_NAME: () => named('a', 'a'),
  CW_SCHEMA_DISCRIMINATOR: () => found(Discriminator),
  CW_SCHEMA_KEYWORD: () => found(Keyword),
  CW_SCHEMA_RECURSIVE: () => found(Recursive, { refuseRecursive: true }),
  CW_SCHEMA_STRICT: () => found(Open, { dialect: 'strict' }),
  CW_SCHEMA_TIME_ZONE: () => found(Zone),
  CW_VALIDATOR_ASYNC: () => found(Async),
  CW_SCHEMA_COMPILE: () => thrownBy(() => planDto(Compile).compile()),
  CW_SCHEMA_TRANSFORM: () => found(Transformed),
  CW_SCHEMA_CUSTOM: () => found(Custom),
  CW_SCHEMA_UNDECORATED: () => found(Undecorated),
  CW_SCHEMA_ITEMS: () => found(Items),
  CW_SCHEMA_OVERRIDE: () => found(Override),
  CW_SCHEMA_CONSTRUCTOR: () => found(Constructor),
  CW_SCHEMA_SLOW_PATTERN: () => found(SlowPattern),
};

test.each(Object.entries(triggers))('%s says what, where, why and how to mend it', (code, trigger) => {
  const problem = trigger().find((own) => own.code === code);
  expect(problem?.message).toMatchSnapshot();
  expect(problem?.message.split('\n').length).toBeLessThanOrEqual(6);
});

test('CW_META_LATE is told apart from a build without metadata by what the decorators saw', () => {
  const library = Reflect as { metadata?: unknown };
  const metadata = library.metadata;
  delete library.metadata;
  class Early {
    size!: number;
  }
  Describe('too early')(Early.prototype, 'size');
  library.metadata = metadata;
  expect(found(Early)[0]).toEqual({
    code: 'CW_META_LATE',
    message: schemaErrors.CW_META_LATE({ where: 'Early.size' }),
  });
});

describe('a class that was made before reflect-metadata was loaded', () => {
  function loadedEarly(decorate: (prototype: object) => void): readonly Problem[] {
    class Early {}
    decorate(Early.prototype);
    return found(Early);
  }

  test.each<[string, PropertyDecorator]>([
    ['an optional property', IsOptional()],
    ['a nested class', ValidateNested()],
  ])('and has validators only, with %s: the late load is named as a possible cause', (_, decorate) => {
    const [problem] = loadedEarly((prototype) => decorate(prototype, 'guest'));
    expect(problem?.code).toBe('CW_META_MISSING');
    expect(problem?.message).toContain("make `import 'callwright'` the first line of main.ts");
    expect(problem?.message.split('\n').length).toBeLessThanOrEqual(6);
  });

  test('is not suspected where one of our decorators saw the library', () => {
    const [problem] = loadedEarly((prototype) => Describe('seen')(prototype, 'guest'));
    expect(problem?.code).toBe('CW_META_MISSING');
    expect(problem?.message).not.toContain('main.ts');
  });
});

test.each([
  ['CW_META_OPAQUE', Object],
  ['CW_META_MISSING', undefined],
] as const)('%s of an argument names the @Arg to write', (code, designType) => {
  const where = 'Agent.openingHours, parameter 0';
  const [problem] = planScalars([{ name: 'day', designType, options: {}, where }]).problems;
  expect(problem?.code).toBe(code);
  expect(problem?.message).toContain("@Arg('day', { type: 'string' })");
  expect(problem?.message).not.toMatch(/@Schema|@Nested|@IsString/);
  expect(problem?.message.split('\n').length).toBeLessThanOrEqual(6);
});

test('every code has a trigger here', () => {
  expect([...Object.keys(triggers), 'CW_META_LATE'].sort()).toEqual(Object.keys(schemaErrors).sort());
});

test('a registered validator tells the model what it wants, and still judges', () => {
  class Registered {
    @Validate(IsRoman) year!: string;
  }
  registerValidator('isRoman', () => ({
    types: ['string'],
    keywords: { minLength: 1 },
    expects: 'a Roman numeral',
  }));
  const plan = planDto(Registered);
  expect(plan.warnings).toEqual([]);
  expect(plan.jsonSchema.properties).toEqual({
    year: { type: 'string', minLength: 1, description: 'a Roman numeral' },
  });
  expect(plan.bind({ year: 'XIV' }).ok).toBe(true);
  expect(plan.bind({ year: '14' })).toEqual({ ok: false, message: 'year must be a Roman numeral' });
});

test("a user's message is told without the received value", () => {
  class Message {
    @IsInt({ message: '$property wants a number of guests, not $value' }) size!: number;
    @MinLength(3, { message: (parameters) => `at least $constraint1: ${parameters.value}` })
    @Matches(/^a/i)
    name!: string;
  }
  const bound = planDto(Message).bind({ size: 1, name: 'secret' });
  expect(bound).toEqual({ ok: false, message: 'name must be matching /^a/i' });
});
