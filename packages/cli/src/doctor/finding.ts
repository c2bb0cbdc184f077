/** What a check found. `warning` may be meant so; `problem` will not work. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  /** What was found; one line. */
  readonly found: string;
  /** How to mend it; empty when there is nothing to mend. */
  readonly mend: string;
}

/** All is well. */
export function ok(check: string, found: string): Finding {
  return { check, state: 'ok', found, mend: '' };
}

/** It may be meant so. */
export function warning(check: string, found: string, mend: string): Finding {
  return { check, state: 'warning', found, mend };
}

/** It will not work. */
export function problem(check: string, found: string, mend: string): Finding {
  return { check, state: 'problem', found, mend };
}
