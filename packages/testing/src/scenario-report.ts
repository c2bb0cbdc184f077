import type { ScenarioResult, ScenarioSummary } from './scenario-runner';

/** One line for a result, and under a failure what was wrong and how the call went. */
export function formatScenario({ name, failure, callMs, timeline }: ScenarioResult): string {
  const seconds = (callMs / 1_000).toFixed(1);
  if (failure === undefined) return `ok    ${name} (a call of ${seconds} s)`;
  const reason = indented(`${failure.where}: ${failure.message}`);
  const call = timeline === '' ? '' : `\n\n${indented(timeline)}`;
  return `FAIL  ${name}\n${reason}${call}`;
}

/** All results, and the count at the end. */
export function formatScenarios(summary: ScenarioSummary): string {
  const lines = summary.results.map(formatScenario);
  return [...lines, formatCount(summary)].join('\n');
}

/** `3 passed, 1 failed, in 0.4 s`. */
export function formatCount({ passed, failed, durationMs }: ScenarioSummary): string {
  return `${passed} passed, ${failed} failed, in ${(durationMs / 1_000).toFixed(1)} s`;
}

/** A report in the XML that JUnit made and build servers read. */
export function junitReport({ results, failed, durationMs }: ScenarioSummary, suite = 'callwright'): string {
  const head = `name="${escaped(suite)}" tests="${results.length}" failures="${failed}" time="${seconds(durationMs)}"`;
  const cases = results.map((result) => testCase(result, suite)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite ${head}>\n${cases}  </testsuite>\n</testsuites>\n`;
}

function testCase({ name, failure, durationMs, timeline }: ScenarioResult, suite: string): string {
  const head = `<testcase classname="${escaped(suite)}" name="${escaped(name)}" time="${seconds(durationMs)}"`;
  if (failure === undefined) return `    ${head}/>\n`;
  const message = `${failure.where}: ${failure.message}`;
  const body = escaped(`${message}\n\n${timeline}`);
  return `    ${head}>\n      <failure message="${escaped(message)}">${body}</failure>\n    </testcase>\n`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function indented(text: string): string {
  return text.replace(/^/gm, '      ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** XML has no form for most control characters, nor for half a surrogate pair. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, (character) =>
      character === '\n' || character === '\t' ? character : '',
    )
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
}
