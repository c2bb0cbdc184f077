import { TestingError, testingErrors } from './errors';
import type { Scenario } from './scenario';
import { ScenarioReader } from './scenario-reader';

/** A scenario file larger than this is a mistake. */
const MAX_CHARACTERS = 1_048_576;

/**
 * Reads a scenario from YAML (or JSON, which is YAML too). Needs the package `yaml`.
 * @param name what it is called where it gives itself no name: the file's name
 * @throws TestingError `CW_SCENARIO_INVALID` with the place and the reason; `CW_SCENARIO_NEEDS_YAML`
 */
export function parseScenario(text: string, name: string): Scenario {
  if (text.length > MAX_CHARACTERS)
    throw invalid(name, 'the file', `it has more than ${MAX_CHARACTERS} characters`);
  const { parse } = yaml();
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw invalid(
      name,
      'the file',
      error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it is no YAML',
    );
  }
  return new ScenarioReader(name).scenario(document);
}

function yaml(): typeof import('yaml') {
  try {
    // Loaded when a scenario is read, so that other tests do not need the package.
    return require('yaml') as typeof import('yaml');
  } catch {
    throw new TestingError('CW_SCENARIO_NEEDS_YAML', testingErrors.CW_SCENARIO_NEEDS_YAML());
  }
}

function invalid(name: string, where: string, reason: string): TestingError {
  return new TestingError('CW_SCENARIO_INVALID', testingErrors.CW_SCENARIO_INVALID({ name, where, reason }));
}
