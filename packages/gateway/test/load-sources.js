/** Lets a child process run the packages' TypeScript sources, compiled as the tests compile them. */
const Module = require('node:module');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const root = join(__dirname, '../../..');
const options = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    ...options,
    filename,
    swcrc: false,
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveSource(request, ...rest) {
  const name = /^(?:@callwright\/)?([a-z-]+)$/.exec(request)?.[1];
  const isOurs = request.startsWith('@callwright/') || request === 'callwright';
  return isOurs ? join(root, 'packages', name, 'src/index.ts') : resolve.call(this, request, ...rest);
};
