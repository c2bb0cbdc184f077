import { diError } from './errors';

/** A running timer; the clock of the framework and of tests gives these. */
export interface TeardownTimer {
  cancel(): void;
}

/** How long a teardown is waited for. Without options it is waited for without end. */
export interface CloseOptions {
  /** Milliseconds until what has not ended is no longer waited for; the rest is then started at once. */
  readonly deadlineMs: number;
  /** Calls `run` once, `delayMs` from now. */
  readonly setTimer: (run: () => void, delayMs: number) => TeardownTimer;
}

/** Things that can be torn down, by index. */
export interface Disposables {
  /** Starts the teardown of one; a promise is waited for. */
  disposeSlot(index: number): unknown;
  /** The name of one, for messages. */
  slotName(index: number): string;
}

const NOTHING_WRONG: Promise<readonly unknown[]> = Promise.resolve(Object.freeze([]));

/**
 * Tears down the first `count` things, last first, each after the one before has ended. Gives the errors. As
 * long as nothing waits it makes no promise.
 */
export function tearDown(
  target: Disposables,
  count: number,
  options: CloseOptions | undefined,
): Promise<readonly unknown[]> {
  let errors: unknown[] | undefined;
  for (let index = count - 1; index >= 0; index--) {
    try {
      const result = target.disposeSlot(index);
      if (isThenable(result)) {
        return waitForRest(target, { index, result, errors: errors ?? [] }, options);
      }
    } catch (error) {
      errors ??= [];
      errors.push(error);
    }
  }
  return errors === undefined ? NOTHING_WRONG : Promise.resolve(errors);
}

/** Calls what the language's `await using` would call. */
export function dispose(instance: unknown): unknown {
  if (instance === null || instance === undefined) return undefined;
  // Whether an instance of a user's class has these members is only known at run time.
  const members = instance as { [Symbol.asyncDispose]?: unknown; [Symbol.dispose]?: unknown };
  const asyncDispose = members[Symbol.asyncDispose];
  if (typeof asyncDispose === 'function') return asyncDispose.call(instance);
  const syncDispose = members[Symbol.dispose];
  return typeof syncDispose === 'function' ? syncDispose.call(instance) : undefined;
}

/** Whether `value` must be waited for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' && typeof value !== 'function') return false;
  return value !== null && 'then' in value && typeof value.then === 'function';
}

/** The first thing that made the teardown wait. */
interface Waiting {
  readonly index: number;
  readonly result: PromiseLike<unknown>;
  readonly errors: unknown[];
}

async function waitForRest(
  target: Disposables,
  { index, result, errors }: Waiting,
  options: CloseOptions | undefined,
): Promise<readonly unknown[]> {
  const deadline = startDeadline(options);
  let current = index;
  let pending: PromiseLike<unknown> | undefined = result;
  try {
    for (;;) {
      const settled = settle(pending, errors);
      const expired = await (deadline === undefined ? settled : Promise.race([settled, deadline.expired]));
      if (expired && deadline !== undefined) {
        return abandon(target, current, { errors, deadlineMs: deadline.deadlineMs });
      }
      do {
        current -= 1;
        if (current < 0) return errors;
        pending = start(target, current, errors);
      } while (pending === undefined);
    }
  } finally {
    deadline?.timer.cancel();
  }
}

function startDeadline(options: CloseOptions | undefined) {
  if (options === undefined) return undefined;
  const { deadlineMs, setTimer } = options;
  let expire: (expired: true) => void = () => undefined;
  const expired = new Promise<true>((resolve) => {
    expire = resolve;
  });
  return { deadlineMs, expired, timer: setTimer(() => expire(true), deadlineMs) };
}

/** Waits for one teardown; never rejects. False: the deadline did not expire. */
async function settle(pending: PromiseLike<unknown> | undefined, errors: unknown[]): Promise<false> {
  try {
    await pending;
  } catch (error) {
    errors.push(error);
  }
  return false;
}

/** Starts one teardown; a promise if it must be waited for. */
function start(target: Disposables, index: number, errors: unknown[]): PromiseLike<unknown> | undefined {
  try {
    const result = target.disposeSlot(index);
    return isThenable(result) ? result : undefined;
  } catch (error) {
    errors.push(error);
    return undefined;
  }
}

/** After the deadline everything left is started at once: better out of order than never. */
function abandon(
  target: Disposables,
  stuck: number,
  { errors, deadlineMs }: { errors: unknown[]; deadlineMs: number },
): readonly unknown[] {
  errors.push(
    diError('CW_DI_TEARDOWN_DEADLINE', [{ name: target.slotName(stuck), deadlineMs, behind: stuck }]),
  );
  for (let index = stuck - 1; index >= 0; index--) {
    const pending = start(target, index, errors);
    if (pending !== undefined) void settle(pending, []); // nobody is left to hear of a late failure
  }
  return [...errors]; // a copy: what was given up on may still fail
}
