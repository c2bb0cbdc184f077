import 'reflect-metadata';
import { type ArgumentsPlan, planDto } from '@callwright/schema';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import * as validators from 'class-validator';
import { Allow, IsArray, IsOptional, ValidateIf, validateSync } from 'class-validator';
import { cases, type DecoratedCase, elsewhere, samples } from './decorated';

interface Subject {
  readonly type: new () => { value?: unknown };
  readonly plan: ArgumentsPlan;
}

/** A class whose property has the decorators. `@Allow` says that its type, which is not emitted here, may be anything. */
function subject(...decorators: readonly PropertyDecorator[]): Subject {
  class Subject {
    value?: unknown;
  }
  delete (new Subject() as { value?: unknown }).value;
  for (const decorate of [Allow(), ...decorators]) decorate(Subject.prototype, 'value');
  return { type: Subject, plan: planDto(Subject) };
}

function isAcceptedByValidator({ type }: Subject, args: object): boolean {
  try {
    return validateSync(Object.assign(new type(), args), { forbidUnknownValues: false }).length === 0;
  } catch {
    return false; // class-validator's isNumber throws for 1e-7 with maxDecimalPlaces
  }
}

type Wrapper = (entry: DecoratedCase) => Subject;
const wrappers: Readonly<Record<string, Wrapper>> = {
  plain: (entry) => subject(entry.apply()),
  optional: (entry) => subject(entry.apply(), IsOptional()),
  nullable: (entry) =>
    subject(
      entry.apply(),
      ValidateIf((_, value) => value !== null),
    ),
  array: (entry) => subject(entry.apply({ each: true }), IsArray()),
};

function argumentsOf(wrapper: string): readonly { value?: unknown }[] {
  const values = samples.map((sample) => JSON.parse(JSON.stringify({ value: sample })) as { value: unknown });
  if (wrapper !== 'array') return [{}, ...values];
  return [{ value: [] }, ...values.map(({ value }) => ({ value: [value] })), { value: samples.slice(0, 5) }];
}

/** Where the schema is meant to be narrower than class-validator: the enum's names are not its values. */
function isNarrowerOnPurpose(entry: DecoratedCase, args: { value?: unknown }): boolean {
  const names: readonly unknown[] = [args.value].flat();
  return entry.label === 'IsEnum(Numeric)' && names.some((name) => name === 'A' || name === 'B');
}

/** `maxLength` counts code points, class-validator leaves variation selectors out: bind() counts as class-validator. */
function hasSelectors(args: object): boolean {
  return /[\uFE0E\uFE0F]/.test(JSON.stringify(args));
}

/** What the schema and the plan say against class-validator, over all samples. */
function disagreements(wrapper: string, entry: DecoratedCase, formats: boolean): readonly string[] {
  const own = wrappers[wrapper]?.(entry);
  if (own === undefined) throw new Error(`no wrapper ${wrapper}`);
  const isArrayOfArrays = wrapper === 'array' && /^(Is)?Array/.test(entry.decorator);
  expect(own.plan.problems.map(({ code }) => code)).toEqual(
    isArrayOfArrays ? ['CW_SCHEMA_NESTED_ARRAY'] : [],
  );
  if (isArrayOfArrays) return [];
  const ajv = new Ajv2020({ strict: true, validateFormats: formats });
  addFormats(ajv);
  const isAcceptedBySchema = ajv.compile({ ...own.plan.jsonSchema });
  const found: string[] = [];
  for (const args of argumentsOf(wrapper)) {
    if (isNarrowerOnPurpose(entry, args)) continue;
    const isAccepted = isAcceptedByValidator(own, structuredClone(args));
    if (isAccepted && !isAcceptedBySchema(args) && !hasSelectors(args))
      found.push(`schema refuses ${JSON.stringify(args)}`);
    if (!formats && own.plan.bind(args).ok !== isAccepted)
      found.push(`bind ${isAccepted ? 'refuses' : 'accepts'} ${JSON.stringify(args).slice(0, 100)}`);
  }
  return found;
}

test('the corpus holds every decorator of class-validator', () => {
  const notDecorators = /^Valid|Error$|Storage$/;
  const names = Object.entries(validators)
    .filter(
      ([name, value]) => /^[A-Z]/.test(name) && typeof value === 'function' && !notDecorators.test(name),
    )
    .map(([name]) => name);
  const covered = new Set([...cases.map(({ decorator }) => decorator), ...Object.keys(elsewhere)]);
  expect(names.filter((name) => !covered.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(105);
  expect(samples.length).toBeGreaterThanOrEqual(80);
});

test.each(cases)('$label accepts its valid value, so that the comparison means something', (entry) => {
  const own = subject(entry.apply());
  expect(isAcceptedByValidator(own, { value: entry.valid })).toBe(true);
});

describe.each(Object.keys(wrappers))('%s', (wrapper) => {
  test.each(cases)('$label: the schema refuses nothing it accepts, and bind() agrees', (entry) => {
    expect(disagreements(wrapper, entry, false)).toEqual([]);
  });
});

// Asserted formats are narrower than class-validator: addresses outside ASCII, quoted names, zones of IPv6, impossible days.
const narrowerFormats = new Set(['IsEmail', 'IsFQDN', 'IsIP', 'IsRFC3339']);

test.each(cases.filter(({ decorator }) => !narrowerFormats.has(decorator)))(
  '$label: the same holds where formats are asserted',
  (entry) => {
    expect(disagreements('plain', entry, true)).toEqual([]);
  },
);
