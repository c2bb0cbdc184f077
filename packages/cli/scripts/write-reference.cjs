/** Writes docs/reference/cli.md from the commands: `node packages/cli/scripts/write-reference.cjs` after a build. */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { referencePage } = require('../dist/reference.js');

writeFileSync(join(__dirname, '../../../docs/reference/cli.md'), referencePage());
