import { type Binder, type BinderOptions, type BindingState } from './binder';
import { type Checker, reachedBy } from './check';
import { type Dialect, translate } from './dialect';
import { recursiveClasses, SchemaWriter } from './emit';
import { problem } from './errors';
import { explain, messageOf } from './explain';
import { explainDates } from './explain-dates';
import type { JsonSchema } from './json';
import type { Problem } from './problem';
import type { ProblemList } from './reading';
import { hideSensitive } from './redact';
import { whatIsTooMuch } from './scan';
import type { ClassPlans, PropertyPlan, Shape } from './shape';
import { type CompiledSchema, compileSchema } from './validator';

/** How a schema is made and published. */
export interface SchemaOptions {
  /** @default '2020-12' */
  readonly dialect?: Dialect | undefined;
  /** Whether nested classes are written in place; those that contain themselves never are. @default true */
  readonly inline?: boolean | undefined;
  /** class-validator's and class-transformer's groups. Without them, rules that name a group are left out. */
  readonly groups?: readonly string[] | undefined;
  /** The IANA zone in which dates without offset are read. Without it an offset is required. */
  readonly timeZone?: string | undefined;
  /** Whether a class that contains itself is a problem: some servers and models take none. @default false */
  readonly refuseRecursive?: boolean | undefined;
  /** What stands before the class in problems, such as `LuigiAgent.bookTable, parameter 0`. */
  readonly where?: string | undefined;
}

/** The outcome of binding. The message is for the model: at most five lines, without received values. */
export type Bound =
  | { readonly ok: true; readonly value: unknown }
  /** `cause` is what the program's own code threw (a constructor, a transform, a validator): for the log only. */
  | { readonly ok: false; readonly message: string; readonly cause?: unknown };

/** The arguments of one tool: the schema, and the way from JSON to what the method receives. */
export interface ArgumentsPlan {
  /** The published schema, frozen. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Compiles validator and binder; a second call does nothing. Throws where a schema written by hand does not compile. */
  compile(): void;
  /** Checks JSON and makes the value; compiles at the first use. Never throws for what the arguments hold. */
  bind(args: unknown): Bound;
}

/** What tells a plan of a class from one of named arguments. */
export interface PlanParts {
  readonly plans: ClassPlans;
  readonly properties: readonly PropertyPlan[];
  readonly list: ProblemList;
  readonly compileBinder: (options: BinderOptions) => Binder;
  readonly makeChecker: () => Checker | undefined;
}

interface Compiled {
  readonly schema: CompiledSchema;
  readonly bind: Binder;
  readonly check: Checker | undefined;
  readonly scansFirst: boolean;
}

/** Puts a plan together. */
export function createPlan(parts: PlanParts, options: SchemaOptions): ArgumentsPlan {
  const { plans, properties, list } = parts;
  const { dialect = '2020-12', inline = true, where = '' } = options;
  const nullForAbsent = dialect === 'strict';
  const writer = new SchemaWriter(plans, { inline, forValidation: false, nullForAbsent });
  const translation = translate(writer.document(properties), dialect);
  for (const why of translation.losses) list.report('CW_SCHEMA_STRICT', where || 'arguments', { why });
  if (options.refuseRecursive === true)
    for (const type of recursiveClasses(plans))
      list.report('CW_SCHEMA_RECURSIVE', where || type.name, { type: type.name });
  let compiled: Compiled | undefined;
  const compile = () => {
    compiled ??= compileParts(parts, where, nullForAbsent);
    return compiled;
  };
  return Object.freeze({
    jsonSchema: deepFreeze(translation.schema),
    problems: list.problems,
    warnings: list.warnings,
    compile: () => void compile(),
    bind: (args: unknown) => bindArguments(compiled ?? compile(), parts, args),
  });
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

function deepFreeze(schema: JsonSchema): JsonSchema {
  for (const value of Object.values(schema))
    if (typeof value === 'object' && value !== null) deepFreeze(value as JsonSchema);
  return Object.freeze(schema);
}
