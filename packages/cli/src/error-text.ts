/** An error for people: our own say what to do; of others the stack is what helps. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = 'code' in error && typeof error.code === 'string' && error.code.startsWith('CW_');
  return isOurs ? error.message : (error.stack ?? error.message);
}
