import { textOf } from '../error-text';
import { allCycles } from '../import-cycle';
import { type Inspection, inspectApplication } from '../manifest/inspection';
import type { Project } from '../project';
import { loadRootModule } from '../root-module';
import { isForeign, shortPath } from '../typescript-hook';
import { type Finding, ok, problem, warning } from './finding';

/** Loads the application and boots it without listening: what is wrong with it, and whether files import each other in a circle. */
export async function checkApplication(
  project: Project,
  place: string | undefined,
): Promise<readonly Finding[]> {
  const check = 'application';
  try {
    const loaded = loadRootModule(project, place);
    const cycles = cycleFinding(project);
    return [cycles, ...boot(await inspectApplication(loaded))];
  } catch (error) {
    const [found = '', ...more] = textOf(error).split('\n');
    return [problem(check, found, more.slice(0, 8).join('\n'))];
  }
}

function cycleFinding({ root }: Project): Finding {
  const isOutside = (file: string): boolean => isForeign(file) || !file.startsWith(root);
  const cycles = allCycles(require.cache, isOutside);
  const [first] = cycles;
  if (first === undefined) return ok('import cycles', 'none');
  const shown = first.map((file) => shortPath(file, root)).join(' → ');
  const mend =
    'move what both need to a file of its own: under tsc a circle makes types of parameters undefined';
  return warning('import cycles', `${cycles.length}, such as ${shown}`, mend);
}

function boot({ manifest, problems, warnings }: Inspection): readonly Finding[] {
  const check = 'application';
  const agents = manifest?.agents ?? [];
  const tools = agents.reduce((count, agent) => count + agent.tools.length, 0);
  return [
    ...problems.map(({ code, message }) => problem(check, code, message)),
    ...warnings.map(({ code, message }) => warning(check, code, message)),
    ...(manifest === null ? [] : [ok(check, `boots: agents ${agents.length}, tools ${tools}`)]),
  ];
}
