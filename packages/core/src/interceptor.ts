import type { Class } from './class-types';
import type { ExecutionContext } from './execution-context';

/** What is inside an interceptor: the interceptors after it, the pipes, the method. */
export interface Next {
  /** Runs it, once: a second call returns the same promise. */
  (): Promise<unknown>;
  /**
   * Runs it anew. Only for read-only tools: nothing else may start twice.
   * @throws CallwrightError `CW_NEXT_AGAIN` (as a rejection) for everything else.
   */
  again(): Promise<unknown>;
}

/**
 * Stands around a method: before it, after it, or in its place. What it returns is the result. Bound by
 * `@UseInterceptors` on a method or a class, or for everything by an `APP_INTERCEPTOR` provider; the first in the list is outermost.
 *
 * @example
 * ```ts
 * import { type ExecutionContext, Injectable, type Interceptor, type Next } from 'callwright';
 *
 * @Injectable()
 * export class CountInterceptor implements Interceptor {
 *   count = 0;
 *
 *   intercept(_context: ExecutionContext, next: Next): Promise<unknown> {
 *     this.count += 1;
 *     return next();
 *   }
 * }
 * ```
 */
export interface Interceptor {
  intercept(context: ExecutionContext, next: Next): unknown;
}

/** What stands in `@UseInterceptors`: a class that the container makes, or an instance made by hand. */
export type InterceptorReference = Class<Interceptor> | Interceptor;
