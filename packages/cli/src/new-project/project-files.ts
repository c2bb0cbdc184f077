import type { ProjectChoices } from './choices';
import { packageJson } from './package-json';
import { settingsFiles } from './settings-files';
import { sourceFiles } from './source-files';

/** Every file of a new project: its path from the project's folder, and its text. */
export function projectFiles(choices: ProjectChoices): readonly (readonly [path: string, text: string])[] {
  return [['package.json', packageJson(choices)], ...settingsFiles(choices), ...sourceFiles(choices)];
}
