import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cliError } from './errors';

/** A file to write: its path from a folder, and its text. */
export type FileToWrite = readonly [path: string, text: string];

/**
 * Writes all files, or none when one of them is there already.
 * @throws CliError `CW_FILE_EXISTS`
 */
export function writeNewFiles(folder: string, files: readonly FileToWrite[]): void {
  const there = files.map(([path]) => path).filter((path) => existsSync(join(folder, path)));
  if (there.length > 0) throw cliError('CW_FILE_EXISTS', { files: there });
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    // `wx`: a file that appeared since is not overwritten either.
    writeFileSync(file, text, { flag: 'wx' });
  }
}
