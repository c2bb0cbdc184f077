import { planDto } from '@callwright/schema';
import type { ValidationError } from 'class-validator';
import type { Class } from '../class-types';
import { issuePath, type StandardSchema, standardJsonSchema, validateNow } from '../standard-schema';
import {
  convertEnvironment,
  type Environment,
  type EnvironmentReading,
  environmentSchema,
  safeReason,
  type VariableFault,
} from './environment';

/** Reads the environment into an instance of a class with validated properties. Variables are named as its properties. */
export function readClass<T extends object>(type: Class<T>, environment: Environment): EnvironmentReading<T> {
  const { jsonSchema } = planDto(type as Parameters<typeof planDto>[0]); // checked to be one that can be constructed
  const schema = environmentSchema(jsonSchema) ?? { properties: {}, required: [] };
  const { values, faults } = convertEnvironment(environment, schema);
  const instance = new (type as new () => T)();
  for (const [name, value] of Object.entries(values)) {
    const isDate = schema.properties[name]?.format === 'date-time' && typeof value === 'string';
    Reflect.set(instance, name, isDate ? new Date(value) : value);
  }
  const known = new Set(faults.map(({ name }) => name));
  // Loaded here, where a class with its decorators has loaded it already: it takes longer to load than all of this package.
  const { validateSync } = require('class-validator') as typeof import('class-validator');
  const broken = validateSync(instance, { forbidUnknownValues: false })
    .filter(({ property }) => !known.has(property))
    .map((error) => brokenRule(error, environment));
  const all = [...faults, ...broken];
  return all.length > 0 ? { faults: all } : { value: instance };
}

function brokenRule({ property, constraints }: ValidationError, environment: Environment): VariableFault {
  const [message = 'is not acceptable'] = Object.values(constraints ?? {});
  return { name: property, why: safeReason(message, property, environment[property]) };
}

/** Reads the environment by a schema of the Standard Schema kind. */
export function readStandard<T>(
  schema: StandardSchema<unknown, T>,
  environment: Environment,
): EnvironmentReading<T> {
  const described = environmentSchema(standardJsonSchema(schema));
  // Without a description, nobody can tell a number from a text: the schema converts itself.
  const converted = described
    ? convertEnvironment(environment, { ...described, required: [] })
    : { values: { ...environment }, faults: [] };
  const result = validateNow(schema, converted.values, 'ConfigModule');
  if (!result.issues && converted.faults.length === 0) return { value: result.value };
  const known = new Set(converted.faults.map(({ name }) => name));
  const faults = [...converted.faults];
  for (const issue of result.issues ?? []) {
    const path = issuePath(issue);
    const [name = ''] = path.split('.');
    if (known.has(name)) continue;
    known.add(name);
    const text = environment[name];
    const isMissing = name !== '' && text === undefined;
    faults.push({
      name: name || '(all)',
      why: isMissing ? 'is not set' : safeReason(issue.message, name, text),
    });
  }
  return { faults };
}
