import { type ExecutionContext, isReadOnlyTool, type ToolExecution } from '../execution-context';
import { ToolError } from '../failures';
import type { Interceptor, Next } from '../interceptor';
import { ArgumentsError, ToolNotStarted } from '../invocation';
import { wholeNumber } from './whole-number';

/** Options of {@link RetryInterceptor}. */
export interface RetryOptions {
  /** How often the tool runs at most, 2 to 10. @default 2 */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt, 0 to 10,000; doubled before each later one. @default 100 */
  readonly delayMs?: number | undefined;
}

/**
 * Runs a read-only tool again when it fails. Not after a deliberate answer (`ToolError`, refused arguments), not once it is
 * cancelled. Everything else passes through: what has effects may run only once.
 */
export class RetryInterceptor implements Interceptor {
  readonly #attempts: number;
  readonly #delayMs: number;

  /** @throws RangeError when an option is out of its bounds. */
  constructor(options: RetryOptions = {}) {
    this.#attempts = wholeNumber('RetryInterceptor: attempts', options.attempts ?? 2, 2, 10);
    this.#delayMs = wholeNumber('RetryInterceptor: delayMs', options.delayMs ?? 100, 0, 10_000);
  }

  async intercept(context: ExecutionContext, next: Next): Promise<unknown> {
    if (!isReadOnlyTool(context)) return next();
    for (let attempt = 1; ; attempt++) {
      try {
        return await (attempt === 1 ? next() : next.again());
      } catch (error) {
        if (attempt >= this.#attempts || isFinal(error) || isCancelled(context)) throw error;
        context.logger.debug('a tool failed and runs again', { tool: context.where, attempt, error });
        const delayMs = this.#delayMs * 2 ** (attempt - 1);
        await new Promise<void>((resolve) => context.clock.setTimer(resolve, delayMs));
        if (isCancelled(context)) throw error;
      }
    }
  }
}

function isFinal(error: unknown): boolean {
  return ToolError.is(error) || error instanceof ArgumentsError || error instanceof ToolNotStarted;
}

function isCancelled({ tool }: ToolExecution): boolean {
  return tool.cancelRequested !== undefined;
}
