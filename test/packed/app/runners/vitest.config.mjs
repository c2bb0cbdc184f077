export default { root: '.', test: { include: ['runners/call.vitest.ts'], cache: false } };
