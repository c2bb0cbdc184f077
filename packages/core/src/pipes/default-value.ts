import type { Pipe } from '../pipe';

/**
 * Gives a value where an argument was left out (`@Arg('day', { optional: true }, new DefaultValuePipe(today))`). An argument
 * that is there stays, also when it is `''`, `0` or `false`. Where the value is fixed, the option `default` of `@Arg` also tells it to
 * the model.
 */
export class DefaultValuePipe<T> implements Pipe<T | undefined, T> {
  readonly #value: T | (() => T);

  /** @param value the value, or a function that makes it anew each time */
  constructor(value: T | (() => T)) {
    this.#value = value;
  }

  transform(value: T | undefined): T {
    if (value !== undefined) return value;
    // A function that were itself the value could not be told apart; arguments are JSON, so none is.
    return typeof this.#value === 'function' ? (this.#value as () => T)() : this.#value;
  }
}
