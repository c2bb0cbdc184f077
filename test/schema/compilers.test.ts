import 'reflect-metadata';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { planDto } from '@callwright/schema';
import { transformSync } from '@swc/core';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import ts from 'typescript';
import { type CorpusEntry, corpus } from './corpus';
import { explicitCorpus } from './corpus-explicit';

jest.setTimeout(60_000);

const files = ['corpus-types', 'corpus', 'corpus-explicit'];
// Inside node_modules, so that the compiled files find their packages and jest does not compile them again.
const outDir = resolve(__dirname, '../../node_modules/.cache/callwright-schema-corpus', String(process.pid));

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  esModuleInterop: true,
  ignoreDeprecations: '6.0',
  types: ['node'],
  paths: { '@callwright/schema': [resolve(__dirname, '../../packages/schema/src/index.ts')] },
  rootDir: resolve(__dirname, '../..'),
};

type Compiler = (directory: string) => void;

/** The whole compiler, with types from all files. */
function withTsc(useDefineForClassFields: boolean): Compiler {
  return (directory) => {
    const roots = files.map((file) => join(__dirname, `${file}.ts`));
    const program = ts.createProgram(roots, { ...options, useDefineForClassFields });
    for (const root of roots)
      program.emit(program.getSourceFile(root), (path, text) => {
        if (path.endsWith('.js')) writeFileSync(join(directory, path.replace(/.*\//, '')), text);
      });
  };
}

function fileByFile(compile: (source: string, file: string) => string): Compiler {
  return (directory) => {
    for (const file of files) {
      const source = readFileSync(join(__dirname, `${file}.ts`), 'utf8');
      writeFileSync(join(directory, `${file}.js`), compile(source, `${file}.ts`));
    }
  };
}

function withSwc(decoratorMetadata: boolean): Compiler {
  return fileByFile(
    (source, filename) =>
      transformSync(source, {
        filename,
        swcrc: false,
        module: { type: 'commonjs' },
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2022',
          transform: { legacyDecorator: true, decoratorMetadata, useDefineForClassFields: true },
        },
      }).code,
  );
}

const transpileOnly = fileByFile(
  (source, fileName) =>
    ts.transpileModule(source, { fileName, compilerOptions: { ...options, isolatedModules: true } })
      .outputText,
);

const compilers: Readonly<Record<string, Compiler>> = {
  tsc: withTsc(true),
  'tsc without define semantics': withTsc(false),
  swc: withSwc(true),
  'transpile-only': transpileOnly,
  'without metadata': withSwc(false),
};

function compiled(name: string): {
  readonly corpus: readonly CorpusEntry[];
  readonly explicitCorpus: readonly CorpusEntry[];
} {
  const directory = join(outDir, name.replaceAll(' ', '-'));
  mkdirSync(directory, { recursive: true });
  compilers[name]?.(directory);
  return { ...require(join(directory, 'corpus.js')), ...require(join(directory, 'corpus-explicit.js')) };
}

function schemasOf(entries: readonly CorpusEntry[]): string {
  const plans = entries.map(({ name, type }) => {
    const { problems, warnings, jsonSchema } = planDto(type, { where: name });
    return { name, problems, warnings, jsonSchema };
  });
  return JSON.stringify(plans, undefined, 1);
}

afterAll(() => rmSync(outDir, { recursive: true, force: true }));

test('every schema of the corpus compiles in Ajv strict, and bind() takes the valid arguments', () => {
  for (const { type, valid, name } of [...corpus, ...explicitCorpus]) {
    const plan = planDto(type);
    expect({ name, problems: plan.problems, warnings: plan.warnings }).toEqual({
      name,
      problems: [],
      warnings: [],
    });
    const ajv = new Ajv2020({ strict: true });
    addFormats(ajv);
    const isValid = ajv.compile({ ...plan.jsonSchema });
    expect({ name, errors: isValid(valid) ? [] : isValid.errors }).toEqual({ name, errors: [] });
    expect({ name, bound: plan.bind(valid) }).toMatchObject({ name, bound: { ok: true } });
  }
});

test.each(['tsc', 'tsc without define semantics', 'transpile-only'])(
  '%s gives the same bytes as swc',
  (name) => {
    expect(schemasOf(compiled(name).corpus)).toBe(schemasOf(corpus));
  },
);

test.each(Object.keys(compilers))('%s: with explicit types the bytes are the same', (name) => {
  const own = compiled(name).explicitCorpus;
  expect(schemasOf(own)).toBe(schemasOf(explicitCorpus));
  for (const { type, valid } of own) expect(planDto(type).bind(valid)).toMatchObject({ ok: true });
});

test('the corpus without metadata and without explicit types is reported property by property', () => {
  const codes = compiled('without metadata').corpus.flatMap(({ type }) =>
    planDto(type).problems.map(({ code }) => code),
  );
  expect(new Set(codes)).toEqual(new Set(['CW_META_MISSING']));
});
