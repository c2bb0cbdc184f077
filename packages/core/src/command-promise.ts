/** What a {@link CommandPromise} asks of its owner. */
export interface CommandPromiseOwner {
  /** An error for who waits now, when waiting cannot work; undefined when it can. */
  refuseWaiting(command: string): Error | undefined;
  /** Runs it after everything that is queued now. */
  defer(run: () => void): void;
  /** A failure that nobody waits for. */
  reportFailure(command: string, error: unknown): void;
}

/**
 * The promise of a command's result. A failure that nobody waits for goes to its owner's log and is never an
 * unhandled rejection; the promises that `then`, `catch` and `finally` make of it behave alike.
 */
export class CommandPromise<T = void> extends Promise<T> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #command: string;
  readonly #owner: CommandPromiseOwner;
  #observed = false;

  constructor(
    command: string,
    owner: CommandPromiseOwner,
    executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (error: unknown) => void) => void,
  ) {
    super(executor);
    this.#command = command;
    this.#owner = owner;
    super.then(undefined, (error) => {
      // `await` calls `then` some microtasks later, so a promise that failed at once may be waited for all the same.
      owner.defer(() => {
        if (!this.#observed) owner.reportFailure(command, error);
      });
    });
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise; `await` calls this, which is how waiting is noticed
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const refusal = onFulfilled ? this.#owner.refuseWaiting(this.#command) : undefined;
    this.#observed = true;
    const derived: Promise<A | B> = refusal
      ? Promise.reject(refusal).then(undefined, onRejected)
      : super.then(onFulfilled, onRejected);
    return new CommandPromise<A | B>(this.#command, this.#owner, (resolve) => resolve(derived));
  }
}
