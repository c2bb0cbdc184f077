import type { PropertyRules } from './class-validator';
import type { Reading } from './reading';
import { maxUnits } from './scan';

type Detector = Pick<typeof import('recheck'), 'checkSync'>;
let detector: Detector | undefined | 'absent';

/** Steps that one check may take; about ten milliseconds. */
const maxSteps = 10_000_000;

/**
 * Warns of regular expressions of the user that can take very long on the strings the class lets through. The checker
 * is an optional peer (recheck) and is loaded only where a class has a pattern that repeats. Without it, and in
 * production (`NODE_ENV`), nothing is checked: it is a matter of development, and the checker takes its time.
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
      const bounds = own.flatMap(({ name, constraints }) =>
        name === 'maxLength' ? [constraints[0]] : name === 'isLength' ? [constraints[1]] : [],
      );
      const length = Math.min(maxUnits, ...bounds.filter((bound) => typeof bound === 'number'));
      if (isSlow(pattern, modifiers, length))
        reading.list.warn('CW_SCHEMA_SLOW_PATTERN', `${where}.${property}`, {
          pattern: String(pattern).slice(0, 120),
        });
    }
}

/** Whether the checker finds strings of at most this length that take very long. `false` too where it cannot tell. */
export function isSlow(pattern: unknown, modifiers: unknown, length: number): boolean {
  if (process.env.NODE_ENV === 'production' || !mayRepeat(pattern)) return false;
  const checker = loadDetector();
  if (checker === undefined) return false;
  try {
    const flags = typeof modifiers === 'string' ? modifiers : '';
    const expression = pattern instanceof RegExp ? pattern : new RegExp(String(pattern), flags);
    const found = checker.checkSync(expression.source, expression.flags, { timeout: 1_000 });
    if (found.status !== 'vulnerable') return false;
    const { complexity } = found;
    if (complexity.type === 'exponential') return length > 20;
    return length ** complexity.degree > maxSteps;
  } catch {
    return false;
  }
}

/** Whether the expression repeats something without bound, or twice: only then can it be slow. */
function mayRepeat(pattern: unknown): boolean {
  const source = (pattern instanceof RegExp ? pattern.source : String(pattern)).replace(/\\[\s\S]/g, '');
  return /[*+]|\{\d+,\}/.test(source) || (source.match(/\{\d+(,\d+)?\}/g) ?? []).length > 1;
}

function loadDetector(): Detector | undefined {
  if (detector === undefined)
    try {
      // The build in plain JavaScript: the main entry starts a worker, or a program of the platform.
      detector = require('recheck/lib/browser.js') as Detector;
    } catch {
      detector = 'absent';
    }
  return detector === 'absent' ? undefined : detector;
}
