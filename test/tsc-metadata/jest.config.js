/** The metadata-sensitive tests on what `compile.js` made: one project by tsc, one by `ts.transpileModule`. */
const { join } = require('node:path');

const compiled = join(__dirname, '..', '..', '.cache', 'tsc-metadata');

const project = (compiler) => ({
  displayName: compiler,
  rootDir: join(compiled, compiler),
  testEnvironment: 'node',
  testMatch: ['**/*metadata.test.js'],
  transform: {},
  moduleNameMapper: {
    '^@callwright/([a-z-]+)$': '<rootDir>/packages/$1/src',
    '^callwright$': '<rootDir>/packages/callwright/src',
  },
  setupFiles: [require.resolve('reflect-metadata')],
});

module.exports = { projects: [project('tsc'), project('transpile')], maxWorkers: 2 };
