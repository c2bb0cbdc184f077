import type { Token } from './tokens';

/**
 * A reference to an instance that is made later: what breaks a cycle of two providers. Injected by
 * `@Inject(lazy(() => B)) b: Lazy<B>`. Both sides get whole objects; there is nothing half-built to hand out.
 */
export abstract class Lazy<T> {
  /**
   * The instance, always the same one.
   * @throws DiError `CW_DI_TOO_EARLY` when it is not built yet, which can be so in constructors.
   */
  abstract get(): T;
}

const LAZY_BRAND = Symbol.for('callwright:di.lazy');

/** What {@link lazy} returns; give it to `@Inject`, to `inject` of a factory, or (for a module) to `imports`. */
export interface LazyReference<T> {
  /** Reads the referenced class or token; called when the container is planned, when all files are loaded. */
  readonly resolve: () => Token<T>;
}

/**
 * Refers to a class or token that may not be evaluated yet, since its file and this one import each other.
 *
 * @example
 * ```ts
 * import { Inject, Injectable, Lazy, lazy } from '@callwright/di';
 *
 * @Injectable()
 * export class Menu {
 *   constructor(@Inject(lazy(() => Kitchen)) private readonly kitchen: Lazy<Kitchen>) {}
 *   isOpen(): boolean { return this.kitchen.get().open; }
 * }
 *
 * @Injectable()
 * export class Kitchen {
 *   readonly open = true;
 *   constructor(readonly menu: Menu) {}
 * }
 * ```
 */
export function lazy<T>(resolve: () => Token<T>): LazyReference<T> {
  return Object.freeze({ resolve, [LAZY_BRAND]: true });
}

/** Whether `value` was made by {@link lazy}, of any copy of the package. */
export function isLazyReference(value: unknown): value is LazyReference<unknown> {
  return typeof value === 'object' && value !== null && LAZY_BRAND in value;
}
