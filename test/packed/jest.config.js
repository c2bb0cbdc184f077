/** The packages as npm would deliver them. Needs the built packages and, for what is not in npm's cache, the network. */
module.exports = {
  rootDir: '../..',
  roots: ['<rootDir>/test/packed'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  maxWorkers: 1,
  verbose: true,
  testTimeout: 120_000,
};
