import type { Problem } from './problem';

const CHECK = Symbol.for('callwright:di.check');

/**
 * Adds a check to a factory of a provider: it runs while the modules are planned, unless the provider is overridden, and
 * what it finds is reported together with everything else that is wrong.
 *
 * @example
 * ```ts
 * import { checkedFactory, InjectionToken, Module } from '@callwright/di';
 *
 * const OPENING_HOUR = new InjectionToken<number>('OPENING_HOUR');
 * const hour = Number(process.env.OPENING_HOUR ?? '9');
 * const problems = hour < 24 ? [] : [{ code: 'HOUR', message: 'OPENING_HOUR is no hour.' }];
 *
 * @Module({ providers: [{ provide: OPENING_HOUR, useFactory: checkedFactory(() => hour, () => problems) }] })
 * export class HoursModule {}
 * ```
 */
export function checkedFactory<F extends (...args: never[]) => unknown>(
  create: F,
  check: () => readonly Problem[],
): F {
  Object.defineProperty(create, CHECK, { value: check });
  return create;
}

/** What the check of a factory finds; nothing for a factory without one. */
export function problemsOfFactory(create: (...args: never[]) => unknown): readonly Problem[] {
  const check: unknown = Object.getOwnPropertyDescriptor(create, CHECK)?.value;
  return typeof check === 'function' ? check() : [];
}
