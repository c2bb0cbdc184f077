import { type ExecutionContext, isReadOnlyTool } from '../execution-context';
import { ToolError } from '../failures';
import type { Interceptor, Next } from '../interceptor';
import { ToolContext } from '../tool-context';
import { wholeNumber } from './whole-number';

/** Options of {@link TimeoutInterceptor}. */
export interface TimeoutOptions {
  /** Milliseconds, 1 to 30,000. */
  readonly afterMs: number;
}

/**
 * Answers for a read-only tool that takes too long, and fires its `signal`. Everything else passes through: a side effect
 * that were answered for while it goes on would be done twice.
 */
export class TimeoutInterceptor implements Interceptor {
  readonly #afterMs: number;

  /** @throws RangeError when the time is none. */
  constructor(options: TimeoutOptions) {
    this.#afterMs = wholeNumber('TimeoutInterceptor: afterMs', options.afterMs, 1, 30_000);
  }

  intercept(context: ExecutionContext, next: Next): Promise<unknown> {
    if (!isReadOnlyTool(context)) return next();
    return new Promise((resolve, reject) => {
      const timer = context.clock.setTimer(() => {
        ToolContext.stop(context.tool, 'timeout');
        reject(new ToolError('that took too long'));
      }, this.#afterMs);
      next().then(
        (result) => {
          timer.cancel();
          resolve(result);
        },
        (error) => {
          timer.cancel();
          reject(error);
        },
      );
    });
  }
}
