import type { Binder, BinderOptions } from './binder';
import type { Checker } from './check';
import { type Dialect, translate } from './dialect';
import { recursiveClasses, SchemaWriter } from './emit';
import type { JsonSchema } from './json';
import type { Problem } from './problem';
import type { ProblemList } from './reading';
import { redactArguments } from './redact-arguments';
import type { ClassPlans, PropertyPlan } from './shape';

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
  /**
   * A copy of JSON arguments that may be recorded: sensitive properties are `[sensitive]`, what the types know nothing of
   * `[unknown]`. `hidden` hears each scalar that was replaced because it is sensitive. Left out by plans without types.
   */
  redact?(args: unknown, hidden: (value: unknown) => void): unknown;
}

/** What tells a plan of a class from one of named arguments. */
export interface PlanParts {
  readonly plans: ClassPlans;
  readonly properties: readonly PropertyPlan[];
  readonly list: ProblemList;
  readonly compileBinder: (options: BinderOptions) => Binder;
  readonly makeChecker: () => Checker | undefined;
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
  let bind: ((args: unknown) => Bound) | undefined;
  const compile = () => {
    // What runs is loaded when something runs, to keep it out of the start of the program.
    const { compilePlan } = require('./compiled-plan') as typeof import('./compiled-plan');
    bind ??= compilePlan(parts, where, nullForAbsent);
    return bind;
  };
  return Object.freeze({
    jsonSchema: deepFreeze(translation.schema),
    problems: list.problems,
    warnings: list.warnings,
    compile: () => void compile(),
    bind: (args: unknown) => (bind ?? compile())(args),
    redact: (args: unknown, hidden: (value: unknown) => void) =>
      redactArguments(plans, properties, args, hidden),
  });
}

function deepFreeze(schema: JsonSchema): JsonSchema {
  for (const value of Object.values(schema))
    if (typeof value === 'object' && value !== null) deepFreeze(value as JsonSchema);
  return Object.freeze(schema);
}
