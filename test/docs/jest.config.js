/** The code blocks of the pages, against the built packages: no mapping to sources here. */
module.exports = {
  rootDir: '../..',
  roots: ['<rootDir>/test/docs'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  maxWorkers: 1,
  verbose: true,
  testTimeout: 60_000,
};
