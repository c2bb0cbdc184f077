module.exports = {
  preset: '@callwright/testing',
  rootDir: '..',
  testMatch: ['<rootDir>/runners/call.jest.ts'],
};
