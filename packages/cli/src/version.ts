import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this package, whose package.json is beside the sources and beside the compiled files alike. */
export function ownVersion(): string {
  const read: { version: string } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
  return read.version;
}
