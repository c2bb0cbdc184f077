/**
 * The ordinary tests: every `*.test.ts`, on the sources, through swc. What needs the built packages has a project
 * of its own: `test/tsc-metadata`, `test/docs` (blocks), `test/packed`.
 */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/packages', '<rootDir>/test', '<rootDir>/samples'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^@callwright/([a-z-]+)$': '<rootDir>/packages/$1/src',
    '^callwright$': '<rootDir>/packages/callwright/src',
  },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  setupFiles: ['reflect-metadata'],
  // Two workers on the two cores of the smallest machine that this is run on; a third only takes turns.
  maxWorkers: 2,
  testTimeout: 20_000,
};
