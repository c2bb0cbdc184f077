import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cliError } from './errors';
import { isObject } from './project';

/**
 * The text of a file that the command line names.
 * @throws CliError `CW_FILE_UNREADABLE`
 */
export function readText(folder: string, file: string): string {
  try {
    return readFileSync(resolve(folder, file), 'utf8');
  } catch (error) {
    const reason = isObject(error) && typeof error.code === 'string' ? error.code : 'unknown error';
    throw cliError('CW_FILE_UNREADABLE', { file, reason }, { cause: error });
  }
}
