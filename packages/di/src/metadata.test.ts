import { transformSync } from '@swc/core';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import * as di from '.';
import { type Class, Injectable, Module, planContainer } from '.';

type Compiler = (source: string) => string;

/** Each file alone, as ts-jest does with isolatedModules. */
const typescript =
  (emitDecoratorMetadata: boolean): Compiler =>
  (source) =>
    transpileModule(source, {
      compilerOptions: {
        module: ModuleKind.CommonJS,
        target: ScriptTarget.ES2022,
        experimentalDecorators: true,
        emitDecoratorMetadata,
      },
    }).outputText;

const swc: Compiler = (source) =>
  transformSync(source, {
    swcrc: false,
    configFile: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      target: 'es2022',
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
  }).code;

/** Runs files as CommonJS modules that see each other and this package. */
function load(compile: Compiler, files: Record<string, string>, entry: string): Record<string, Class> {
  const loaded = new Map<string, { exports: Record<string, Class> }>();
  const require = (name: string): unknown => {
    if (name === '@callwright/di') return di;
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    new Function('require', 'module', 'exports', compile(files[name] ?? ''))(require, module, module.exports);
    return module.exports;
  };
  return require(entry) as Record<string, Class>;
}

async function codesOf(providers: readonly Class[]): Promise<readonly string[]> {
  return (await planOf(providers)).problems.map(({ code }) => code);
}

function planOf(providers: readonly Class[]) {
  class AppModule {}
  Module({ providers })(AppModule);
  return planContainer(AppModule);
}

const SERVICE = `import { Injectable } from '@callwright/di';
@Injectable() export class Service {}`;
const user = (
  importing: string,
  parameters: string,
) => `import { Inject, Injectable, lazy, Lazy } from '@callwright/di';
${importing}
@Injectable() export class User { constructor(${parameters}) {} }`;

async function userCodes(
  compile: Compiler,
  importing: string,
  parameters: string,
): Promise<readonly string[]> {
  const files = { './service': SERVICE, './user': user(importing, parameters) };
  const { User } = load(compile, files, './user');
  const { Service } = load(compile, files, './service');
  if (User === undefined || Service === undefined) throw new Error('not loaded');
  return codesOf([User]);
}

const VALUE_IMPORT = `import { Service } from './service';`;

describe.each([
  ['tsc, each file alone', typescript(true)],
  ['swc', swc],
])('with the metadata of %s', (_name, compile) => {
  test('a class is a token', async () => {
    expect(await userCodes(compile, VALUE_IMPORT, 'readonly service: Service')).toEqual([
      'CW_DI_PROVIDER_MISSING', // the token is known, and this program does not provide it
    ]);
  });

  test.each([
    ['an interface', 'interface Mailer { send(): void }', 'readonly mailer: Mailer'],
    ['a union', VALUE_IMPORT, 'readonly service: Service | undefined'],
    ['an `import type` of a class', `import type { Service } from './service';`, 'readonly service: Service'],
    [
      'an inline `import { type ... }`',
      `import { type Service } from './service';`,
      'readonly service: Service',
    ],
  ])('%s is opaque', async (_kind, importing, parameters) => {
    expect(await userCodes(compile, importing, parameters)).toEqual(['CW_DI_TYPE_OPAQUE']);
  });

  test('a primitive, an array and an imported enum have no token', async () => {
    expect(await userCodes(compile, '', 'a: string, b: number, c: string[], d: Promise<string>')).toEqual(
      Array(4).fill('CW_DI_TYPE_BUILTIN'),
    );
  });

  test('a default value without an annotation is told apart', async () => {
    expect(await userCodes(compile, VALUE_IMPORT, 'service = 7')).toEqual(['CW_DI_ANNOTATION_MISSING']);
  });

  test('a class without a constructor takes the parameters of its base', async () => {
    const files = {
      './service': SERVICE,
      './user': user(VALUE_IMPORT, 'readonly service: Service'),
      './derived': `import { Injectable } from '@callwright/di';
import { User } from './user';
@Injectable() export class Derived extends User {}
@Injectable() export class Own extends User { constructor() { super(undefined as never); } }`,
    };
    const { Derived, Own } = load(compile, files, './derived');
    if (Derived === undefined || Own === undefined) throw new Error('not loaded');
    expect(await codesOf([Derived])).toEqual(['CW_DI_PROVIDER_MISSING']);
    expect(await codesOf([Own])).toEqual([]);
  });

  test('explicit tokens make types needless, `import type` and cycles included', async () => {
    const files = {
      './a': `import { Inject, Injectable, lazy, Lazy } from '@callwright/di';
import { B } from './b';
@Injectable() export class A { constructor(@Inject(lazy(() => B)) readonly b: Lazy<B>) {} }`,
      './b': `import { Inject, Injectable, lazy, Lazy } from '@callwright/di';
import { A } from './a';
@Injectable() export class B { constructor(@Inject(lazy(() => A)) readonly a: Lazy<A>) {} }`,
    };
    const { A } = load(compile, files, './a');
    const { B } = load(compile, files, './b');
    const both = load(
      compile,
      { ...files, './all': `export { A } from './a'; export { B } from './b';` },
      './all',
    );
    if (A === undefined || B === undefined || both.A === undefined || both.B === undefined) throw new Error();
    expect(await codesOf([both.A, both.B])).toEqual([]);
    const plan = await planOf([both.A, both.B]);
    const container = await plan.instantiate();
    const a = container.get(both.A) as { b: { get(): { a: { get(): unknown } } } };
    expect(a.b.get().a.get()).toBe(a);
  });
});

test('an import cycle is opaque when files are compiled alone by tsc, and ends the load under swc', async () => {
  const files = {
    './a': `import { Injectable } from '@callwright/di';
import { B } from './b';
@Injectable() export class A { constructor(readonly b: B) {} }`,
    './b': `import { Injectable } from '@callwright/di';
import { A } from './a';
@Injectable() export class B { constructor(readonly a: A) {} }`,
    './all': `export { A } from './a'; export { B } from './b';`,
  };
  const { A, B } = load(typescript(true), files, './all');
  if (A === undefined || B === undefined) throw new Error('not loaded');
  expect(await codesOf([A, B])).toEqual(['CW_DI_TYPE_OPAQUE']);
  expect(() => load(swc, files, './all')).toThrow(ReferenceError);
});

test('under a full tsc a cycle leaves undefined in the types', async () => {
  class User {
    constructor(readonly other: unknown) {}
  }
  Reflect.defineMetadata('design:paramtypes', [undefined], User);
  Injectable()(User);
  expect(await codesOf([User])).toEqual(['CW_DI_TYPE_UNDEFINED']);
});

test('a compiler that emits nothing (tsx, esbuild) is named as the cause', async () => {
  expect(await userCodes(typescript(false), VALUE_IMPORT, 'readonly service: Service')).toEqual([
    'CW_DI_METADATA_NOT_EMITTED',
  ]);
});

test('without emitted metadata everything works that names its tokens', async () => {
  const files = {
    './service': SERVICE,
    './user': user(VALUE_IMPORT, '@Inject(Service) readonly service: Service'),
    './all': `export { Service } from './service'; export { User } from './user';`,
  };
  const { Service, User } = load(typescript(false), files, './all');
  if (User === undefined || Service === undefined) throw new Error('not loaded');
  const container = await (await planOf([Service, User])).instantiate();
  expect(container.get(User)).toEqual({ service: container.get(Service) });
});

test('a class without a decorator is told apart, as is a metadata library that came too late', async () => {
  class Bare {
    constructor(readonly other: object) {}
  }
  expect(await codesOf([Bare])).toEqual(['CW_DI_NOT_DECORATED']);
  class Late {
    constructor(readonly other: object) {}
  }
  const reflect = Reflect as { metadata?: unknown };
  const { metadata } = reflect;
  delete reflect.metadata;
  Injectable()(Late);
  reflect.metadata = metadata;
  expect(await codesOf([Late])).toEqual(['CW_DI_METADATA_LATE']);
});

test('a class without a decorator and without parameters needs none', async () => {
  class Plain {}
  expect(await codesOf([Plain])).toEqual([]);
});
