import type { PropertyRules } from './class-validator';
import type { Reading } from './reading';

type Detector = typeof import('redos-detector');
let detector: Detector | undefined | 'absent';

/**
 * Warns of regular expressions of the user that can take very long. The checker is an optional peer (redos-detector)
 * and is loaded only where a class has a pattern; without it nothing is checked.
 */
export function warnOfSlowPatterns(
  reading: Reading,
  where: string,
  rules: ReadonlyMap<string, PropertyRules>,
): void {
  for (const [property, { rules: own }] of rules)
    for (const rule of own) {
      if (rule.name !== 'matches') continue;
      const [pattern, modifiers] = rule.constraints;
      if (isSlow(pattern, modifiers))
        reading.list.warn('CW_SCHEMA_SLOW_PATTERN', `${where}.${property}`, {
          pattern: String(pattern).slice(0, 120),
        });
    }
}

/** Whether the checker finds strings that take the expression very long. `false` too where it cannot tell. */
export function isSlow(pattern: unknown, modifiers: unknown): boolean {
  const checker = loadDetector();
  if (checker === undefined) return false;
  try {
    const flags = typeof modifiers === 'string' ? modifiers : '';
    const expression = pattern instanceof RegExp ? pattern : new RegExp(String(pattern), flags);
    // A time limit would make the answer depend on the machine; the number of steps does not.
    return !checker.isSafe(expression, { maxScore: 200, maxSteps: 20_000, timeout: Number.POSITIVE_INFINITY })
      .safe;
  } catch {
    return false;
  }
}

function loadDetector(): Detector | undefined {
  if (detector === undefined)
    try {
      detector = require('redos-detector') as Detector;
    } catch {
      detector = 'absent';
    }
  return detector === 'absent' ? undefined : detector;
}
