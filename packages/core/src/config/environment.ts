/** Variables by name; what is not set is `undefined` or absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One variable that is missing or bad. Never holds its value. */
export interface VariableFault {
  readonly name: string;
  /** As the end of a sentence that begins with the name: `is not set`. */
  readonly why: string;
}

/** What reading an environment gives. */
export type EnvironmentReading<T> =
  | { readonly value: T; readonly faults?: undefined }
  | { readonly faults: readonly VariableFault[] };

/** A JSON Schema of one variable, as far as it is looked at. */
interface VariableSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
}

/** The variables of a schema and what they hold. */
export interface EnvironmentSchema {
  readonly properties: Readonly<Record<string, VariableSchema>>;
  readonly required: readonly string[];
}

/** The part of a JSON Schema that is read here; undefined when it does not describe an object. */
export function environmentSchema(
  jsonSchema: Readonly<Record<string, unknown>> | undefined,
): EnvironmentSchema | undefined {
  const { properties, required } = jsonSchema ?? {};
  if (typeof properties !== 'object' || properties === null) return undefined;
  return {
    properties: properties as EnvironmentSchema['properties'], // what a JSON Schema has there
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

/** Variables as the program wants them, and what is wrong with the others. */
export interface Converted {
  readonly values: Record<string, unknown>;
  readonly faults: readonly VariableFault[];
}

/**
 * Turns the texts of an environment into what the schema names: numbers, booleans, values of enums, dates. Strictly: what is
 * not exactly one is a fault. A variable that is set but empty is given: an empty text for a text, a fault for everything else.
 */
export function convertEnvironment(environment: Environment, schema: EnvironmentSchema): Converted {
  const values: Record<string, unknown> = {};
  const faults: VariableFault[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (text === undefined) {
      if (schema.required.includes(name)) faults.push({ name, why: 'is not set' });
      continue;
    }
    const converted = convert(text, property);
    if ('why' in converted) faults.push({ name, why: text === '' ? 'is set but empty' : converted.why });
    else values[name] = converted.value;
  }
  return { values, faults };
}

type Conversion = { readonly value: unknown } | { readonly why: string };

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function convert(text: string, schema: VariableSchema): Conversion {
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices) {
    const choice = choices.find((candidate) => candidate !== null && String(candidate) === text);
    return choice === undefined
      ? { why: `must be one of ${choices.filter((each) => each !== null).join(', ')}` }
      : { value: choice };
  }
  switch (typeOf(schema)) {
    case 'integer':
      return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))
        ? { value: Number(text) }
        : { why: 'must be a whole number' };
    case 'number':
      return DECIMAL.test(text) && Number.isFinite(Number(text))
        ? { value: Number(text) }
        : { why: 'must be a number' };
    case 'boolean': {
      const value = BOOLEANS.get(text);
      return value === undefined ? { why: 'must be true, false, 1 or 0' } : { value };
    }
    case 'object':
    case 'array':
      return { why: 'is declared as a list or an object, which a variable cannot hold' };
    default:
      return { value: text };
  }
}

function typeOf({ type }: VariableSchema): string | undefined {
  return typeof type === 'string' ? type : type?.find((each) => each !== 'null');
}

/** A validator's sentence on a variable, without the variable's name before it, and without any part of its value. */
export function safeReason(message: string, name: string, value: string | undefined): string {
  const reason = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  const isTelling = value !== undefined && value !== '' && reason.includes(value);
  return isTelling ? 'is not acceptable' : (reason.split('\n')[0] ?? reason).slice(0, 200);
}
