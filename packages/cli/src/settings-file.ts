import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isObject } from './project';

/** A settings file as tools write them: comments and last commas are allowed. Undefined when it cannot be read. */
export function readSettings(file: string): Readonly<Record<string, unknown>> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(withoutComments(readFileSync(file, 'utf8')));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // the tool that it belongs to says better what is wrong with it
  }
}

const MAX_PARENTS = 10;

/** Compiler options of a tsconfig with those of the files that it extends, as far as they are files beside it. */
export function compilerOptions(file: string, depth = 0): Readonly<Record<string, unknown>> | undefined {
  const settings = readSettings(file);
  if (settings === undefined) return undefined;
  const own = isObject(settings.compilerOptions) ? settings.compilerOptions : {};
  const parents = [settings.extends].flat().filter((parent) => typeof parent === 'string');
  let inherited: Readonly<Record<string, unknown>> = {};
  for (const parent of parents) {
    if (!parent.startsWith('.') || depth >= MAX_PARENTS) continue;
    const path = resolve(dirname(file), parent.endsWith('.json') ? parent : `${parent}.json`);
    inherited = { ...inherited, ...compilerOptions(path, depth + 1) };
  }
  return { ...inherited, ...own };
}

/** Strings stay as they are: one with two slashes in it is no comment. */
function withoutComments(text: string): string {
  return text
    .replaceAll(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_all, string: string | undefined) => string ?? ' ',
    )
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, string: string | undefined) => string ?? '');
}
