import type { ArgumentsPlan, Bound } from '@callwright/schema';
import { coreErrors } from './errors';
import { CallwrightError } from './failures';
import type { Problem } from './problem';
import { isThenable } from './thenable';

/**
 * The part of Standard Schema (version 1, standardschema.dev) that is used here: zod, valibot, arktype and others all
 * have it, so none of them is a dependency.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema: only some libraries have it. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: string }) => Readonly<Record<string, unknown>> }
      | undefined;
  };
}

/** What validating gives: a value, or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Whether it is a schema of that kind. Some libraries' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const standard = (value as { readonly '~standard'?: { readonly validate?: unknown } })['~standard'];
  return typeof standard?.validate === 'function';
}

/** The schema's own JSON Schema of what it takes; undefined where the library gives none, or cannot for this schema. */
export function standardJsonSchema(schema: StandardSchema): Readonly<Record<string, unknown>> | undefined {
  try {
    const { $schema: _, ...rest } = schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' }) ?? {};
    return Object.keys(rest).length > 0 ? rest : undefined;
  } catch {
    return undefined; // a schema with parts that JSON Schema has no form for
  }
}

/** Validates now. @throws CallwrightError `CW_SCHEMA_ASYNC` when the schema wants to wait. */
export function validateNow<T>(
  schema: StandardSchema<unknown, T>,
  value: unknown,
  where: string,
): StandardResult<T> {
  const result = schema['~standard'].validate(value);
  if (!isThenable(result)) return result;
  result.then(undefined, () => {}); // it is not waited for, and must not end the process
  throw new CallwrightError('CW_SCHEMA_ASYNC', coreErrors.CW_SCHEMA_ASYNC({ where }));
}

/** `guest.phone` */
export function issuePath(issue: StandardIssue): string {
  return (issue.path ?? [])
    .map((segment) => String(typeof segment === 'object' ? segment.key : segment))
    .join('.');
}

/** So many problems of one tool call are told to the model. */
const TOLD_ISSUES = 5;
const TOLD_CHARACTERS = 200;

/** Arguments by a schema of the user's own kind, in place of a class of arguments. */
export function planStandard(
  schema: StandardSchema,
  given: Readonly<Record<string, unknown>> | undefined,
  where: string,
): ArgumentsPlan {
  const jsonSchema = given ?? standardJsonSchema(schema);
  return {
    jsonSchema: jsonSchema ?? { type: 'object' },
    problems: jsonSchemaProblems(jsonSchema, where),
    warnings: [],
    compile: () => {},
    bind: (args) => bind(schema, args, where),
  };
}

function jsonSchemaProblems(
  jsonSchema: Readonly<Record<string, unknown>> | undefined,
  where: string,
): readonly Problem[] {
  if (jsonSchema?.type === 'object') return [];
  const why = jsonSchema ? 'its JSON Schema is not of type "object"' : 'it gives no JSON Schema of its own';
  return [{ code: 'CW_TOOL_SCHEMA_UNUSABLE', message: coreErrors.CW_TOOL_SCHEMA_UNUSABLE({ where, why }) }];
}

function bind(schema: StandardSchema, args: unknown, where: string): Bound {
  const result = validateNow(schema, args, where);
  if (!result.issues) return { ok: true, value: result.value };
  const lines = result.issues.slice(0, TOLD_ISSUES).map((issue) => {
    const path = issuePath(issue);
    const [line = ''] = `${path ? `${path}: ` : ''}${issue.message}`.split('\n');
    return line.slice(0, TOLD_CHARACTERS).toWellFormed();
  });
  return { ok: false, message: lines.join('\n') || 'the arguments do not fit' };
}
