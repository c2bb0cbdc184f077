import type { ErrorObject } from 'ajv';
import type { JsonSchema } from './json';

/** Problems that an answer for the model may hold. */
export const maxProblems = 5;

/** Errors that are looked at: hostile arguments have one for each of 20,000 values. */
const maxErrors = 200;

/**
 * One short sentence for each error, with the path and what was expected, never with what was received. Keys of
 * unknown properties are the only words of the model, cut to 40 characters.
 */
export function explain(errors: readonly ErrorObject[]): readonly string[] {
  return [...new Set(mergeTypes(withoutBranches(errors.slice(0, maxErrors))).map(sentenceOf))];
}

/** The message for the model: at most five problems, one a line. */
export function messageOf(sentences: readonly string[]): string {
  return sentences.slice(0, maxProblems).join('\n');
}

/** Leaves out what the branches of `anyOf` and `oneOf` say that the value was not meant for. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = [...errors];
  for (const error of errors) {
    if (error.keyword === 'oneOf') kept = withoutOtherVariants(kept, error);
    if (error.keyword !== 'anyOf') continue;
    const isInside = (other: ErrorObject) => other !== error && isBelow(other, error.instancePath);
    kept = kept.filter(
      (other) => !(isInside(other) && isNullType(other) && other.instancePath === error.instancePath),
    );
    if (kept.some(isInside)) kept = kept.filter((other) => other !== error);
  }
  return kept;
}

function isNullType({ keyword, params }: ErrorObject): boolean {
  return keyword === 'type' && params.type === 'null';
}

function isBelow({ instancePath }: ErrorObject, path: string): boolean {
  return instancePath === path || instancePath.startsWith(`${path}/`);
}

function withoutOtherVariants(errors: readonly ErrorObject[], error: ErrorObject): ErrorObject[] {
  const branches = error.schema as readonly JsonSchema[];
  const tag = tagOf(branches);
  if (tag === undefined)
    return errors.filter((other) => other === error || !isBelow(other, error.instancePath));
  const names = branches.map((branch) => constOf(branch, tag));
  const received = (error.data as Record<string, unknown> | null)?.[tag];
  const chosen = names.indexOf(received);
  const prefix = `${error.schemaPath}/${chosen}/`;
  const kept = errors.filter(
    (other) => !isBelow(other, error.instancePath) || other.schemaPath.startsWith(prefix),
  );
  if (chosen >= 0) return kept;
  const isObject = typeof error.data === 'object' && error.data !== null;
  const instancePath = isObject ? `${error.instancePath}/${tag}` : error.instancePath;
  const expected: Partial<ErrorObject> = isObject
    ? { keyword: 'enum', params: { allowedValues: names } }
    : { keyword: 'type', params: { type: 'object' } };
  return [...kept, { ...error, instancePath, ...expected }];
}

function tagOf(branches: readonly JsonSchema[]): string | undefined {
  const properties = branches[0]?.properties as Record<string, JsonSchema> | undefined;
  return Object.keys(properties ?? {}).find((name) =>
    branches.every((branch) => constOf(branch, name) !== undefined),
  );
}

function constOf(branch: JsonSchema, name: string): unknown {
  return (branch.properties as Record<string, JsonSchema> | undefined)?.[name]?.const;
}

/** Several `type` errors of one value become one sentence. */
function mergeTypes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const types = new Map<string, Set<string>>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'type') continue;
    const known = types.get(instancePath) ?? new Set();
    for (const type of [params.type].flat() as string[]) known.add(type);
    types.set(instancePath, known);
  }
  return errors.map((error) =>
    error.keyword === 'type'
      ? { ...error, params: { type: [...(types.get(error.instancePath) ?? [])] } }
      : error,
  );
}

function sentenceOf(error: ErrorObject): string {
  const path = pathOf(error.instancePath);
  if (error.keyword === 'required')
    return `${joined(path, String(error.params.missingProperty))} is required`;
  if (error.keyword === 'additionalProperties')
    return `${path} has no property ${JSON.stringify(String(error.params.additionalProperty).slice(0, 40))}`;
  return `${path} ${expectation(error)}`;
}

function joined(path: string, name: string): string {
  return path === 'arguments' ? name : `${path}.${name}`;
}

/** `/guests/0/name` as `guests[0].name`; the root is `arguments`. */
export function pathOf(pointer: string): string {
  if (pointer === '') return 'arguments';
  const parts = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 40));
  return parts
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

function expectation({ keyword, params, schema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${(params.type as string[]).map(nameOfType).join(' or ')}`;
    case 'enum':
      return `must be one of ${listed(params.allowedValues as unknown[])}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'minimum':
      return `must be at least ${schema}`;
    case 'maximum':
      return `must be at most ${schema}`;
    case 'exclusiveMinimum':
      return `must be more than ${schema}`;
    case 'exclusiveMaximum':
      return `must be less than ${schema}`;
    case 'multipleOf':
      return `must be a multiple of ${schema}`;
    case 'minLength':
    case 'leastCharacters':
      return schema === 1 ? 'must not be empty' : `must be at least ${schema} characters long`;
    case 'maxLength':
    case 'mostCharacters':
      return `must be at most ${schema} characters long`;
    case 'minItems':
      return schema === 1 ? 'must not be empty' : `must have at least ${schema} items`;
    case 'maxItems':
      return `must have at most ${schema} items`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'minProperties':
      return schema === 1 ? 'must not be empty' : `must have at least ${schema} properties`;
    case 'maxProperties':
      return `must have at most ${schema} properties`;
    case 'pattern':
      return `must match the pattern ${String(schema).slice(0, 80)}`;
    case 'contains':
      return `must contain ${listed([(schema as JsonSchema).const])}`;
    case 'not':
      return exclusion(schema as JsonSchema);
    default:
      return 'must have the form that its description says';
  }
}

function exclusion(schema: JsonSchema): string {
  if ('const' in schema) return `must not be ${JSON.stringify(schema.const)}`;
  if (Array.isArray(schema.enum)) return `must not be one of ${listed(schema.enum)}`;
  if (schema.type === 'null') return 'must not be null';
  if (typeof schema.pattern === 'string') return `must not match the pattern ${schema.pattern.slice(0, 80)}`;
  return 'holds something that is not allowed';
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value));
  return `${shown.join(', ')}${values.length > 20 ? ', …' : ''}`;
}

function nameOfType(type: string): string {
  const names: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    integer: 'an integer',
    boolean: 'true or false',
    object: 'an object',
    array: 'an array',
    null: 'null',
  };
  return names[type] ?? type;
}
