import type { ExecutionContext } from '../execution-context';
import type { Interceptor, Next } from '../interceptor';
import type { LogLevel } from '../logger';

/** Options of {@link TimingInterceptor}. */
export interface TimingOptions {
  /** @default 'info' */
  readonly level?: LogLevel | undefined;
  /** Only what took longer is logged. @default 0: everything */
  readonly slowerThanMs?: number | undefined;
}

/** Logs how long what is inside it took: the method's name, milliseconds, and whether it failed. Nothing of the caller. */
export class TimingInterceptor implements Interceptor {
  readonly #level: LogLevel;
  readonly #slowerThanMs: number;

  constructor(options: TimingOptions = {}) {
    this.#level = options.level ?? 'info';
    this.#slowerThanMs = options.slowerThanMs ?? 0;
  }

  async intercept(context: ExecutionContext, next: Next): Promise<unknown> {
    const startedMs = context.clock.nowMs();
    let ok = false;
    try {
      const result = await next();
      ok = true;
      return result;
    } finally {
      const tookMs = Math.round((context.clock.nowMs() - startedMs) * 1000) / 1000;
      if (tookMs >= this.#slowerThanMs) {
        context.logger[this.#level]('a method ran', { method: context.where, tookMs, ok });
      }
    }
  }
}
