import type { JsonSchema } from './json';

/** How schemas are published: today's draft, the older one, or the part of it that some models' strict modes take. */
export type Dialect = '2020-12' | 'draft-07' | 'strict';

/** A schema in a dialect, with what the dialect cannot say. */
export interface Translation {
  readonly schema: JsonSchema;
  /** Why the strict dialect cannot hold the schema; empty for the others. */
  readonly losses: readonly string[];
}

/** Translates a schema of draft 2020-12. */
export function translate(schema: JsonSchema, dialect: Dialect): Translation {
  if (dialect === '2020-12') return { schema, losses: [] };
  if (dialect === 'draft-07') return { schema: toDraft07(schema) as JsonSchema, losses: [] }; // an object stays one
  const losses: string[] = [];
  const strict = strictSchema(schema, 'arguments', losses);
  const definitions = Object.entries((schema.$defs ?? {}) as Record<string, JsonSchema>);
  if (definitions.length > 0)
    strict.$defs = Object.fromEntries(
      definitions.map(([name, own]) => [name, strictSchema(own, name, losses)]),
    );
  return { schema: strict, losses };
}

/** `definitions` instead of `$defs`, and no keyword beside `$ref`, which the older draft would not read. */
function toDraft07(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toDraft07);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([keyword, value]) => {
    if (keyword === '$defs') return ['definitions', mapValues(value as JsonSchema, toDraft07)];
    if (keyword === '$ref') return [keyword, String(value).replace('#/$defs/', '#/definitions/')];
    if (keyword === 'properties') return [keyword, mapValues(value as JsonSchema, toDraft07)];
    if (keyword === 'enum' || keyword === 'const' || keyword === 'default') return [keyword, value];
    return [keyword, toDraft07(value)];
  });
  const schema: JsonSchema = Object.fromEntries(entries);
  if (schema.$ref === undefined || entries.length === 1) return schema;
  const { $ref, ...rest } = schema;
  return { ...rest, allOf: [{ $ref }] };
}

function mapValues(record: JsonSchema, map: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

const strictKeywords = new Set([
  '$ref',
  'const',
  'description',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxItems',
  'maximum',
  'minItems',
  'minimum',
  'multipleOf',
  'pattern',
  'type',
]);
const strictFormats = new Set(['date-time', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);

/** All properties required, `null` instead of a missing one, and only keywords that the strict modes know. */
function strictSchema(schema: JsonSchema, place: string, losses: string[]): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => strictKeywords.has(keyword));
  const strict: JsonSchema = Object.fromEntries(kept);
  if (typeof schema.format === 'string' && strictFormats.has(schema.format)) strict.format = schema.format;
  if (typeof schema.items === 'object')
    strict.items = strictSchema(schema.items as JsonSchema, `${place}[]`, losses);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives) && !alternatives.every(isOnlyFormat))
    strict.anyOf = alternatives.map((own: JsonSchema) => strictSchema(own, place, losses));
  if (isObjectType(schema.type)) Object.assign(strict, strictObject(schema, place, losses));
  if (schema.type === 'array' && strict.items === undefined) losses.push(`${place} holds items of any type`);
  const isOpen = strict.type === undefined && strict.anyOf === undefined && strict.$ref === undefined;
  if (isOpen && strict.enum === undefined && strict.const === undefined)
    losses.push(`${place} takes any value`);
  return strict;
}

function isOnlyFormat(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'format');
}

function isObjectType(type: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function strictObject(schema: JsonSchema, place: string, losses: string[]): JsonSchema {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema.required ?? []) as readonly string[];
  if (schema.additionalProperties !== false) losses.push(`${place} has keys that are not known beforehand`);
  const strict = Object.entries(properties).map(([name, own]) => {
    const written = strictSchema(own, place === 'arguments' ? name : `${place}.${name}`, losses);
    return [name, required.includes(name) ? written : orNull(written)] as const;
  });
  return {
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, description, ...rest } = schema;
  const described = description === undefined ? {} : { description };
  if (type === undefined) {
    const own =
      Object.keys(rest).length === 1 && Array.isArray(rest.anyOf) ? (rest.anyOf as JsonSchema[]) : [rest];
    if (own.some((alternative) => alternative.type === 'null')) return schema;
    return { ...described, anyOf: [...own, { type: 'null' }] };
  }
  const types = [type].flat();
  if (types.includes('null')) return schema;
  const { const: value, enum: values, ...others } = rest;
  const list = (values as unknown[] | undefined) ?? (value === undefined ? undefined : [value]);
  return {
    ...described,
    type: [...types, 'null'],
    ...(list === undefined ? {} : { enum: [...list, null] }),
    ...others,
  };
}
