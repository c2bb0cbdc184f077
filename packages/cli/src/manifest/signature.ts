import { isObject } from '../project';

const MAX_CHARACTERS = 72;

/** The arguments of a tool in a short form: `day: "monday" | "friday", partySize?: integer`. */
export function signatureOf(parameters: Readonly<Record<string, unknown>>): string {
  const properties = isObject(parameters.properties) ? parameters.properties : {};
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const members = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  if (members.length === 0) return '(none)';
  const text = members.join(', ');
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const { type } = schema;
  if (type === 'array') return `${typeOf(schema.items)}[]`;
  const name = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'any';
  return typeof schema.format === 'string' ? `${name} (${schema.format})` : name;
}
