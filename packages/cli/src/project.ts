import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Gateway from '@callwright/gateway';
import type * as Testing from '@callwright/testing';
import { cliError } from './errors';

/** A folder with a package.json. */
export interface Project {
  /** The folder, absolute. */
  readonly root: string;
  /** What package.json says; an empty object when it cannot be read. */
  readonly packageJson: Readonly<Record<string, unknown>>;
  /** Loads a package as the project itself would. */
  readonly require: NodeJS.Require;
}

/**
 * The project that a folder belongs to: the nearest package.json, here or above.
 * @throws CliError `CW_PROJECT_NOT_FOUND`
 */
export function findProject(folder: string): Project {
  for (let place = folder; ; place = dirname(place)) {
    const file = join(place, 'package.json');
    if (existsSync(file)) {
      return { root: place, packageJson: readObject(file) ?? {}, require: createRequire(file) };
    }
    if (dirname(place) === place) throw cliError('CW_PROJECT_NOT_FOUND', { folder });
  }
}

/** A file of one JSON object; undefined when it is none. */
export function readObject(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // whoever asks decides what a missing or broken file means
  }
}

/** Whether a value has members that can be looked at. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where the project has a package, or undefined. */
export function packagePath(project: Project, name: string): string | undefined {
  try {
    return project.require.resolve(name);
  } catch {
    return undefined; // not installed: the question that was asked
  }
}

/**
 * The `callwright` that the project has installed, not the one of this program.
 * @throws CliError `CW_PACKAGE_NOT_INSTALLED`
 */
export function loadCallwright(project: Project): typeof Gateway {
  // It re-exports the gateway's functions; a project that has installed it has those of its own version.
  return project.require(requiredPath(project, 'callwright')) as typeof Gateway;
}

/**
 * The test kit that the project has installed: what makes applications must know the same classes as the project's own code.
 * @throws CliError `CW_PACKAGE_NOT_INSTALLED`
 */
export function loadProjectTesting(project: Project): typeof Testing {
  return project.require(requiredPath(project, '@callwright/testing')) as typeof Testing;
}

function requiredPath(project: Project, name: string): string {
  const path = packagePath(project, name);
  if (path === undefined) throw cliError('CW_PACKAGE_NOT_INSTALLED', { name, root: project.root });
  return path;
}
