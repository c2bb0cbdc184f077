/** The command line as a new user meets it. Needs the built packages; no network. */
module.exports = {
  rootDir: '../..',
  roots: ['<rootDir>/test/cli'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  maxWorkers: 1,
  verbose: true,
  testTimeout: 60_000,
};
