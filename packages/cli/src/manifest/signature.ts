import { isObject } from '../project';

const MAX_CHARACTERS_ON_A_TERMINAL = 72;

/**
 * The arguments of a tool in a short form: `day: "monday" | "friday", partySize?: integer`. What a terminal's line has no room for is
 * cut; in a file or a pipe all of it is there.
 */
export function signatureOf(
  parameters: Readonly<Record<string, unknown>>,
  options: { readonly isForTerminal: boolean },
): string {
  const properties = isObject(parameters.properties) ? parameters.properties : {};
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const members = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  if (members.length === 0) return '(none)';
  const text = members.join(', ');
  if (!options.isForTerminal || text.length <= MAX_CHARACTERS_ON_A_TERMINAL) return text;
  return `${text.slice(0, MAX_CHARACTERS_ON_A_TERMINAL - 1)}…`;
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
