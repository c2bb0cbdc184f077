import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePage } from './reference';

it('docs/reference/cli.md says what the commands are (node packages/cli/scripts/write-reference.cjs writes it)', () => {
  const page = readFileSync(join(__dirname, '../../../docs/reference/cli.md'), 'utf8');
  expect(page).toBe(referencePage());
});
