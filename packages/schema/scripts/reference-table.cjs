/**
 * Writes the table of decorators in docs/reference/schema.md from the code: `node packages/schema/scripts/reference-table.cjs`
 * after a build. A test fails where the page is out of date.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const page = join(__dirname, '../../../docs/reference/schema.md');
const start = '<!-- table of decorators: generated -->';
const end = '<!-- end of the table -->';

/** The rows of the table: one a decorator, with what JSON Schema says of it. */
function tableOf(decoratorImages) {
  const rows = [...decoratorImages]
    .sort((a, b) => a.decorator.localeCompare(b.decorator, 'en'))
    .map((entry) => {
      const image = entry.image(entry.example);
      const types = (image.types ?? ['any'])
        .map((type) => (type === 'date' ? 'string, then `Date`' : type))
        .join(', ');
      const keywords = Object.entries(image.keywords ?? {}).map(
        ([name, value]) => `\`${name}: ${shown(value)}\``,
      );
      const description = image.hint === true ? [`description: ${image.expects}`] : [];
      const said = [...keywords, ...description].join('; ') || '–';
      return `| \`@${entry.decorator}(${entry.example.map(shownExample).join(', ')})\` | ${types} | ${said} | ${image.exact ? '' : 'yes'} |`;
    });
  return ['| Decorator | Type | Keywords | Asked again |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function shown(value) {
  return JSON.stringify(value).replaceAll('|', '\\|');
}

function shownExample(value) {
  if (value instanceof RegExp) return String(value);
  if (value instanceof Date) return `new Date('${value.toISOString().slice(0, 10)}')`;
  return typeof value === 'function' ? value.name : shown(value);
}

/** The page with the table in its place. */
function pageWith(table) {
  const text = readFileSync(page, 'utf8');
  const before = text.slice(0, text.indexOf(start) + start.length);
  return `${before}\n\n${table}\n\n${text.slice(text.indexOf(end))}`;
}

module.exports = { page, pageWith, tableOf };

if (require.main === module) {
  const { decoratorImages } = require('../dist/keywords/table.js');
  writeFileSync(page, pageWith(tableOf(decoratorImages)));
}
