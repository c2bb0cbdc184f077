import type { Binder, BindingState } from './binder';
import { type Checker, reachedBy } from './check';
import { recursiveClasses, SchemaWriter } from './emit';
import { problem } from './errors';
import { explain, messageOf } from './explain';
import { explainDates } from './explain-dates';
import type { Bound, PlanParts } from './plan';
import { hideSensitive } from './redact';
import { whatIsTooMuch } from './scan';
import type { ClassPlans, PropertyPlan, Shape } from './shape';
import { type CompiledSchema, compileSchema } from './validator';

interface Compiled {
  readonly schema: CompiledSchema;
  readonly bind: Binder;
  readonly check: Checker | undefined;
  readonly scansFirst: boolean;
}

/** Compiles a plan into the function that binds arguments. */
export function compilePlan(
  parts: PlanParts,
  where: string,
  nullForAbsent: boolean,
): (args: unknown) => Bound {
  const compiled = compileParts(parts, where, nullForAbsent);
  return (args) => bindArguments(compiled, parts, args);
}

function compileParts(parts: PlanParts, where: string, nullForAbsent: boolean): Compiled {
  const { plans, properties } = parts;
  const schemaOf = (own: readonly PropertyPlan[]): CompiledSchema => {
    const writer = new SchemaWriter(plans, { inline: true, forValidation: true, nullForAbsent });
    try {
      return compileSchema(writer.document(own));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(problem('CW_SCHEMA_COMPILE', { where: where || 'arguments', why }).message, {
        cause: error,
      });
    }
  };
  const isValidLoose = (property: PropertyPlan) => {
    const schema = schemaOf([{ ...property, wireName: 'value', loose: false, required: true }]);
    return (value: unknown) => schema.isValid({ value });
  };
  for (const plan of plans.values()) hideSensitive(plan);
  return {
    schema: schemaOf(properties),
    bind: parts.compileBinder({ nullForAbsent, isValidLoose }),
    check: parts.makeChecker(),
    scansFirst: recursiveClasses(plans).size > 0 || hasFreeParts(plans, properties),
  };
}

/** The three steps: the schema on JSON, the instance, and the rules that the schema cannot say. */
function bindArguments(
  { schema, bind, check, scansFirst }: Compiled,
  parts: PlanParts,
  args: unknown,
): Bound {
  if (scansFirst) {
    const tooMuch = whatIsTooMuch(args);
    if (tooMuch !== undefined) return refused([`arguments ${tooMuch}`]);
  }
  if (!schema.isValid(args)) return refused(whyInvalid(schema, args));
  const state: BindingState = { hasBadDate: false };
  try {
    const value = bind(args, state);
    if (state.hasBadDate) return refused(explainDates(parts.plans, parts.properties, args));
    if (check === undefined) return { ok: true, value };
    const findings: string[] = [];
    check(value, findings);
    return findings.length === 0 ? { ok: true, value } : refused(findings);
  } catch (cause) {
    return { ok: false, message: 'the arguments could not be read', cause };
  }
}

function whyInvalid(schema: CompiledSchema, args: unknown): readonly string[] {
  const tooMuch = whatIsTooMuch(args); // explaining looks at all errors, so the size comes first
  return tooMuch === undefined ? explain(schema.errorsOf(args)) : [`arguments ${tooMuch}`];
}

function refused(sentences: readonly string[]): Bound {
  return { ok: false, message: messageOf(sentences) };
}

/** Whether some part takes JSON that the schema does not describe to its end. */
function hasFreeParts(plans: ClassPlans, properties: readonly PropertyPlan[]): boolean {
  const all = [...properties, ...[...plans.values()].flatMap((plan) => plan.properties)];
  return all.some((property) => property.loose || isFree(property.shape));
}

function isFree(shape: Shape): boolean {
  switch (shape.kind) {
    case 'value':
      return shape.types === undefined || shape.types.some((type) => type === 'object' || type === 'array');
    case 'list':
      // Items are compared deeply, with recursion.
      return isFree(shape.items) || (shape.keywords.uniqueItems === true && reachedBy(shape).length > 0);
    case 'map':
      return true;
    default:
      return false;
  }
}
