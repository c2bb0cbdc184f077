import type { CallScope } from '@callwright/di';
import { coreErrors } from './errors';
import { type ExecutionContext, isReadOnlyTool } from './execution-context';
import { CallwrightError, ToolError } from './failures';
import { type ExceptionFilter, takes } from './filter';
import { type CanActivate, GuardRefused } from './guard';
import type { Interceptor, Next } from './interceptor';
import { ToolNotStarted } from './invocation';
import { type Enhancer, instanceOf, type MethodEnhancers } from './method-enhancers';
import { isThenable } from './thenable';

/**
 * One way of one method through what is bound around it: guards, interceptors from the outside in, whatever `enter` does,
 * interceptors from the inside out, and filters for what is thrown anywhere in between. Nothing here makes a promise while
 * neither an interceptor is bound nor anything waits.
 */
export abstract class Passage {
  protected readonly scope: CallScope;
  protected readonly context: ExecutionContext;
  readonly #enhancers: MethodEnhancers;
  /** What a guard refused it with: not a failure. */
  #refusal: unknown;
  /** The answer is given: an interceptor that kept its `next` must not start anything any more. */
  #isOver = false;

  constructor(scope: CallScope, context: ExecutionContext, enhancers: MethodEnhancers) {
    this.scope = scope;
    this.context = context;
    this.#enhancers = enhancers;
  }

  /** @returns what leaves the pipeline, or a promise of it. @throws what no filter answered. */
  run(): unknown {
    let returned: unknown;
    try {
      returned = this.#guard(0);
    } catch (error) {
      return this.#fail(error, 0);
    }
    if (!isThenable(returned)) {
      this.#isOver = true;
      return returned;
    }
    if (!this.#watchesItsEnd()) return returned;
    return this.#settle(returned);
  }

  async #settle(returned: PromiseLike<unknown>): Promise<unknown> {
    try {
      return await returned;
    } catch (error) {
      return await this.#fail(error, 0);
    } finally {
      this.#isOver = true;
    }
  }

  /** Past guards and interceptors: fills the parameters and calls the method. */
  protected abstract enter(): unknown;

  /** A guard said no, and no filter has another answer. */
  protected abstract refused(refusal: unknown): unknown;

  /** A filter answered an exception with a text for the model. */
  protected abstract answered(text: string, error: unknown): unknown;

  #watchesItsEnd(): boolean {
    const { guards, interceptors, filters } = this.#enhancers;
    return (
      interceptors.length > 0 || filters.length > 0 || (guards.length > 0 && this.context.kind !== 'tool')
    );
  }

  #guard(from: number): unknown {
    const { guards } = this.#enhancers;
    for (let index = from; index < guards.length; index++) {
      const guard = guards[index] as Enhancer<CanActivate>; // the index is within the list
      let verdict: unknown;
      try {
        verdict = instanceOf(guard, this.scope).canActivate(this.context);
      } catch (error) {
        throw this.#thrownByGuard(error);
      }
      if (isThenable(verdict)) return this.#awaitGuard(Promise.resolve(verdict), guard, index);
      if (verdict !== true) throw this.#refuse(guard);
    }
    return this.#intercept(0);
  }

  async #awaitGuard(
    verdict: Promise<unknown>,
    guard: Enhancer<CanActivate>,
    index: number,
  ): Promise<unknown> {
    let settled: unknown;
    try {
      settled = await verdict;
    } catch (error) {
      throw this.#thrownByGuard(error);
    }
    if (settled !== true) throw this.#refuse(guard);
    return this.#guard(index + 1);
  }

  #refuse(guard: Enhancer<CanActivate>): GuardRefused {
    const { context } = this;
    const refusal = new GuardRefused(context.kind === 'tool' ? context.tool.name : context.where);
    context.logger.debug('a guard refused', { method: context.where, guard: guard.name });
    this.#refusal = refusal;
    return refusal;
  }

  /** A `ToolError` is a refusal with a text of its own; anything else is a failure. */
  #thrownByGuard(error: unknown): unknown {
    if (ToolError.is(error)) this.#refusal = error;
    return error;
  }

  #intercept(index: number): unknown {
    const interceptor = this.#enhancers.interceptors[index];
    if (!interceptor) return this.enter();
    return instanceOf<Interceptor>(interceptor, this.scope).intercept(this.context, this.#next(index + 1));
  }

  #next(index: number): Next {
    let first: Promise<unknown> | undefined;
    const next = (): Promise<unknown> => {
      first ??= handled(this.#attempt(index));
      return first;
    };
    const again = (): Promise<unknown> => {
      if (isReadOnlyTool(this.context)) return handled(this.#attempt(index));
      const { where } = this.context;
      return handled(
        Promise.reject(new CallwrightError('CW_NEXT_AGAIN', coreErrors.CW_NEXT_AGAIN({ where }))),
      );
    };
    return Object.assign(next, { again });
  }

  /** As a promise, whatever it does: an interceptor awaits it. */
  async #attempt(index: number): Promise<unknown> {
    if (this.#isOver) throw new ToolNotStarted();
    return this.#intercept(index);
  }

  /** Asks the filters from `from` on. */
  #fail(error: unknown, from: number): unknown {
    const { filters } = this.#enhancers;
    if (!(error instanceof ToolNotStarted)) {
      for (let index = from; index < filters.length; index++) {
        const filter = filters[index] as Enhancer<ExceptionFilter>; // the index is within the list
        const instance = instanceOf(filter, this.scope);
        if (!takes(instance, filter.type, error)) continue;
        let text: unknown;
        try {
          text = instance.catch(error, this.context);
        } catch (thrown) {
          return this.#fail(thrown, index + 1);
        }
        if (isThenable(text)) return this.#awaitFilter(Promise.resolve(text), error, filter, index);
        if (typeof text === 'string') return this.#answer(text, error, filter);
      }
    }
    if (error === this.#refusal) return this.refused(error);
    throw error;
  }

  async #awaitFilter(
    answer: Promise<unknown>,
    error: unknown,
    filter: Enhancer<ExceptionFilter>,
    index: number,
  ): Promise<unknown> {
    let text: unknown;
    try {
      text = await answer;
    } catch (thrown) {
      return this.#fail(thrown, index + 1);
    }
    return typeof text === 'string' ? this.#answer(text, error, filter) : this.#fail(error, index + 1);
  }

  /** The log is the exception's other audience. */
  #answer(text: string, error: unknown, filter: Enhancer<ExceptionFilter>): unknown {
    const { where, logger } = this.context;
    logger.error('a filter answered an exception', { method: where, filter: filter.name, error });
    return this.answered(text, error);
  }
}

/** A promise that an interceptor may leave lying must not end the process when it fails. */
function handled(promise: Promise<unknown>): Promise<unknown> {
  promise.then(undefined, () => {});
  return promise;
}
