import { type CallMatchers, callMatchers } from './call-matchers';

/**
 * Adds the matchers of calls to jest's `expect`, with their types. Name `@callwright/testing/jest` in `setupFilesAfterEnv`, or
 * import it in a test file. Vitest with `globals: true` works too; without globals, extend its `expect` with `callMatchers`.
 */

declare global {
  // jest keeps its matcher types in a global namespace; this is how they are extended.
  namespace jest {
    interface Matchers<R> extends CallMatchers<R> {}
  }
}

const runner = globalThis as { readonly expect?: { extend(matchers: object): void } };
if (runner.expect === undefined) {
  throw new Error('@callwright/testing/jest needs the global `expect` of jest, or of vitest with globals.');
}
runner.expect.extend(callMatchers);
