/** Lets `@callwright/x` mean the package in a folder that `compile.js` made. */
const Module = require('node:module');
const { join } = require('node:path');

module.exports = { loadFrom };

/** @returns the simulation's own module of that name, in the folder. */
function loadFrom(folder, name) {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function resolveFilename(request, ...rest) {
    const [, packageName] = /^@callwright\/([a-z-]+)$/.exec(request) ?? [];
    return resolve.call(
      this,
      packageName ? join(folder, 'packages', packageName, 'src', 'index.js') : request,
      ...rest,
    );
  };
  require('reflect-metadata');
  return require(join(folder, 'test', 'simulation', name));
}
