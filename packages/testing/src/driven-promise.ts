import type { Clock } from '@callwright/core';
import { TestingError, testingErrors } from './errors';
import { VirtualClock } from './virtual-clock';

/** Gives the same result; who awaits it may move a clock. */
export type WhileAwaited = <T>(promise: Promise<T>) => Promise<T>;

/** @throws TestingError `CW_CALL_NEEDS_VIRTUAL_CLOCK` when a clock is to be moved that cannot be. */
export function whileAwaitedOn(clock: Clock, moves: boolean): WhileAwaited {
  if (!moves) return (promise) => promise;
  if (clock instanceof VirtualClock) return (promise) => whileAwaited(clock, promise);
  throw new TestingError('CW_CALL_NEEDS_VIRTUAL_CLOCK', testingErrors.CW_CALL_NEEDS_VIRTUAL_CLOCK());
}

/**
 * The same result, and somebody who waits for it moves the clock: until then time stands still, and what a test does between
 * the beginning of something and its `await` happens at the time of the beginning.
 */
export function whileAwaited<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let fail: (error: unknown) => void = () => undefined;
  const driven = new DrivenPromise<T>((resolve, reject) => {
    promise.then(resolve, reject);
    fail = reject;
  });
  // What the promise itself rejects with is there already; the clock has reasons of its own.
  DrivenPromise.onAwait(driven, () => void clock.runUntil(promise).catch(fail));
  return driven;
}

class DrivenPromise<T> extends Promise<T> {
  #begin: (() => void) | undefined;

  /** What `then` returns is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static onAwait<T>(promise: DrivenPromise<T>, begin: () => void): void {
    promise.#begin = begin;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise; being awaited is what it has to notice.
  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    const begin = this.#begin;
    this.#begin = undefined;
    begin?.();
    return super.then(onFulfilled, onRejected);
  }
}
