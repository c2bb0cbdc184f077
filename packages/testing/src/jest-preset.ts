/**
 * A preset of jest for agents: `preset: '@callwright/testing'`. TypeScript is compiled by `@swc/jest` with the metadata that
 * dependency injection and arguments need (install `@swc/core` and `@swc/jest`), `reflect-metadata` is there before any
 * agent loads, and `expect` has the matchers of calls. Whatever a configuration says itself wins.
 */
const preset: Readonly<Record<string, unknown>> = {
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  transform: {
    '^.+\\.[cm]?ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2022',
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  setupFiles: [require.resolve('reflect-metadata')],
  setupFilesAfterEnv: [require.resolve('./jest')],
};

// jest reads what the module is, not what it exports by name.
export = preset;
