import { readFileSync } from 'node:fs';
import { decoratorImages } from './keywords/table';

const { page, pageWith, tableOf } = require('../scripts/reference-table.cjs') as {
  page: string;
  pageWith: (table: string) => string;
  tableOf: (images: typeof decoratorImages) => string;
};

test('the table of decorators in the reference is what the code says', () => {
  // To write it: npm run build && node packages/schema/scripts/reference-table.cjs
  expect(readFileSync(page, 'utf8')).toBe(pageWith(tableOf(decoratorImages)));
});
