/** Whether a value is a promise, or acts as one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return typeof (value as { then?: unknown }).then === 'function';
  } catch {
    // A revoked proxy, or a getter that throws: whatever it is, it is no promise.
    return false;
  }
}
