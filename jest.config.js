/** Tests run on the sources through swc; `test/tsc-metadata` runs the metadata-sensitive ones on tsc's output. */
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
  testTimeout: 20_000,
};
