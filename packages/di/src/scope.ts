/**
 * How long an instance lives and who shares it.
 *
 * - `SINGLETON`: one instance for the application. The default.
 * - `CALL`: one instance for each call, torn down with it.
 * - `TRANSIENT`: a new instance for each place that injects it; it lives as long as what it was made for.
 */
export const Scope = { SINGLETON: 'SINGLETON', CALL: 'CALL', TRANSIENT: 'TRANSIENT' } as const;

/** One of the scopes of {@link Scope}. */
export type Scope = (typeof Scope)[keyof typeof Scope];

/** Whether `value` is one of the scopes. */
export function isScope(value: unknown): value is Scope {
  return value === Scope.SINGLETON || value === Scope.CALL || value === Scope.TRANSIENT;
}
