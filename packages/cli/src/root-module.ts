import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { createApplication } from '@callwright/gateway';
import { cliError } from './errors';
import { isObject, loadCallwright, type Project } from './project';
import { registerTypeScript } from './typescript-hook';

/** What an application is made from. */
export type RootModule = Parameters<typeof createApplication>[0];

/** Where the root module is by convention. */
export const CONVENTION = 'src/app.module.ts#AppModule';

/** The project's own `callwright`, and its root module. */
export interface LoadedProject {
  readonly callwright: ReturnType<typeof loadCallwright>;
  readonly rootModule: RootModule;
}

/**
 * Loads the root module of a project: `path#Export`, from the project's folder; without a name, the export AppModule. TypeScript is
 * compiled in memory. The project's `callwright` is loaded first, so that decorators find metadata.
 *
 * @throws CliError `CW_MODULE_FILE_NOT_FOUND`, `CW_MODULE_EXPORT_NOT_FOUND`, `CW_PACKAGE_NOT_INSTALLED`, `CW_IMPORT_CYCLE`,
 * `CW_COMPILE_FAILED`, `CW_COMPILER_NOT_INSTALLED`, or what the project's files throw.
 */
export function loadRootModule(project: Project, place: string = CONVENTION): LoadedProject {
  const [path = '', name = 'AppModule'] = place.split('#');
  const file = resolve(project.root, path);
  if (!existsSync(file)) {
    throw cliError('CW_MODULE_FILE_NOT_FOUND', { file: path, isConvention: place === CONVENTION });
  }
  const callwright = loadCallwright(project);
  registerTypeScript(project.root);
  const loaded: unknown = project.require(file);
  const exported = isObject(loaded) ? loaded : {};
  const rootModule = exported[name];
  if (!isRootModule(rootModule)) {
    const exports = Object.keys(exported).filter((each) => isRootModule(exported[each]));
    throw cliError('CW_MODULE_EXPORT_NOT_FOUND', { file: path, name, exports });
  }
  return { callwright, rootModule };
}

/** A class; whether it is a module, the application says at boot. */
function isRootModule(value: unknown): value is RootModule {
  return typeof value === 'function';
}
