module.exports = { transform: { '^.+\\.ts$': '@swc/jest' }, setupFiles: ['reflect-metadata'] };
