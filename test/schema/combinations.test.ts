import 'reflect-metadata';
import { planDto } from '@callwright/schema';
import { Allow, IsOptional, validateSync } from 'class-validator';
import fc from 'fast-check';
import { cases, type DecoratedCase, samples } from './decorated';

type Subject = new () => { value?: unknown };

function subject(entries: readonly DecoratedCase[], isOptional: boolean): Subject {
  class Subject {
    value?: unknown;
  }
  Allow()(Subject.prototype, 'value');
  if (isOptional) IsOptional()(Subject.prototype, 'value');
  for (const { apply } of entries) apply()(Subject.prototype, 'value');
  return Subject;
}

function isAcceptedByValidator(type: Subject, value: unknown): boolean {
  try {
    return validateSync(Object.assign(new type(), { value }), { forbidUnknownValues: false }).length === 0;
  } catch {
    return false;
  }
}

// What the differential test explains: the names of a numeric enum are not its values.
const combinable = cases.filter(({ label }) => label !== 'IsEnum(Numeric)');
const values = samples.map(
  (sample) => (JSON.parse(JSON.stringify({ sample })) as { sample: unknown }).sample,
);
const combinations = fc.uniqueArray(fc.constantFrom(...combinable), { minLength: 2, maxLength: 3 });

test('two or three decorators together: bind() agrees, in any order, and a contradiction has no value', () => {
  fc.assert(
    fc.property(combinations, fc.boolean(), (entries, isOptional) => {
      const type = subject(entries, isOptional);
      const plan = planDto(type);
      const reversed = planDto(subject([...entries].reverse(), isOptional));
      const accepted = values.filter((value) => isAcceptedByValidator(type, structuredClone(value)));
      expect(reversed.problems.length).toBe(plan.problems.length);
      if (plan.problems.length > 0) {
        expect(accepted.filter((value) => value !== null || !isOptional)).toEqual([]);
        return;
      }
      expect(values.filter((value) => plan.bind({ value }).ok)).toEqual(accepted);
      expect(values.filter((value) => reversed.bind({ value }).ok)).toEqual(accepted);
    }),
    { numRuns: 300 },
  );
}, 120_000);
