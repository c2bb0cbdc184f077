import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonSchema } from './json';
import { hasAtLeast, hasAtMost } from './visible-length';

/** A schema, compiled: fast where the arguments are right, with all errors where they are not. */
export interface CompiledSchema {
  readonly isValid: (args: unknown) => boolean;
  /** All errors, for arguments whose depth and size were checked. Compiled at the first refusal. */
  readonly errorsOf: (args: unknown) => readonly ErrorObject[];
}

type Ajv = import('ajv/dist/2020').default;

/**
 * Compiles a schema with Ajv, which is loaded at the first call. Formats are annotations here, as in the draft:
 * class-validator judges them.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const own = withExactLengths(schema);
  const validate = compileWith(ajvFor('first'), own);
  let explaining: ValidateFunction | undefined;
  return {
    isValid: validate,
    errorsOf: (args) => {
      const first = take(validate, args);
      // A string that is too long is not matched against a pattern, as the search for all errors would.
      if (first.some(({ keyword }) => keyword === 'mostCharacters')) return first;
      explaining ??= compileWith(ajvFor('all'), own);
      return take(explaining, args);
    },
  };
}

/** The errors, which hold parts of the arguments and so are not left where Ajv keeps them. */
function take(validate: ValidateFunction, args: unknown): readonly ErrorObject[] {
  validate(args);
  const errors = validate.errors ?? [];
  validate.errors = null;
  return errors;
}

type Errors = 'first' | 'all';
const instances: { [errors in Errors]?: Ajv } = {};

function ajvFor(errors: Errors): Ajv {
  instances[errors] ??= newAjv(errors === 'all');
  return instances[errors];
}

// Ajv keeps every schema it compiled; the plan keeps the function, and nothing else is needed.
function compileWith(ajv: Ajv, schema: JsonSchema): ValidateFunction {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
}

function newAjv(allErrors: boolean): Ajv {
  const { default: Ajv2020 } = require('ajv/dist/2020') as typeof import('ajv/dist/2020');
  const ajv = new Ajv2020({
    strict: true,
    allErrors,
    verbose: true,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
  });
  const { _, KeywordCxt: __ } = require('ajv') as typeof import('ajv');
  ajv.addKeyword({
    keyword: 'maxUnits',
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    code: (context) => context.fail(_`${context.data}.length > ${context.schemaCode}`),
  });
  ajv.addKeyword({
    keyword: 'leastCharacters',
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    code: (context) => {
      const test = context.gen.scopeValue('func', { ref: hasAtLeast });
      const limit = context.schemaCode;
      context.fail(_`${context.data}.length < ${limit} || !${test}(${context.data}, ${limit})`);
    },
  });
  ajv.addKeyword({
    keyword: 'mostCharacters',
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    code: (context) => {
      const test = context.gen.scopeValue('func', { ref: hasAtMost });
      const limit = context.schemaCode;
      context.fail(_`${context.data}.length > ${limit} && !${test}(${context.data}, ${limit})`);
    },
  });
  return ajv;
}

/**
 * JSON Schema counts code points, class-validator visible characters: the schema the model sees has `maxLength`, the
 * one that judges has the same number with class-validator's way of counting.
 */
function withExactLengths(schema: unknown): JsonSchema {
  return replaceLengths(schema) as JsonSchema; // an object stays one
}

const judged: Readonly<Record<string, string>> = {
  minLength: 'leastCharacters',
  maxLength: 'mostCharacters',
};

function replaceLengths(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(replaceLengths);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([keyword, value]) => {
    if (judged[keyword] !== undefined && typeof value === 'number') return [judged[keyword], value];
    if (keyword === 'properties' || keyword === '$defs')
      return [
        keyword,
        Object.fromEntries(Object.entries(value as object).map(([name, own]) => [name, replaceLengths(own)])),
      ];
    return [
      keyword,
      keyword === 'enum' || keyword === 'const' || keyword === 'required' ? value : replaceLengths(value),
    ];
  });
  return Object.fromEntries(entries);
}
