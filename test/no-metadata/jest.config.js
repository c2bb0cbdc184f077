/**
 * The whole suite of `packages/schema` on a build that emits no metadata, as tsx and esbuild make it: types that are given
 * explicitly, by validators or by our decorators, are enough.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const base = require('../../jest.config.js');

const root = join(__dirname, '..', '..');
const swc = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
swc.jsc.transform.decoratorMetadata = false;

/** Tests of what compilers emit, and tests whose classes leave types to the compiler on purpose. Every other one runs. */
const aboutEmittedTypes = [
  'CW_META_UNSUPPORTED says what',
  'CW_META_OPAQUE says what',
  'enums of all kinds give their values',
  'decorators that exclude each other are a problem',
  'gives the same bytes as swc',
  'for every valid object',
  'sensitive values are replaced at any depth',
  'a sensitive value is never shown',
  'arrays, sets and maps of a class arrive as such',
  'a nested class needs no @Type where the compiler emits it',
  'every schema of the corpus compiles in Ajv strict',
  'hold no sensitive value, at any depth',
  'hide what the class has no property for',
];

module.exports = {
  ...base,
  rootDir: root,
  roots: ['<rootDir>/packages/schema', '<rootDir>/test/schema'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  testNamePattern: `^(?!.*(?:${aboutEmittedTypes.map(escaped).join('|')}))`,
};

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
