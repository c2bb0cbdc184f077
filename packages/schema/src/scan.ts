/** Levels that arguments may be nested: what the voice server itself can parse. */
export const maxDepth = 128;
/** Values that arguments may hold, each object, array and scalar counted. */
export const maxValues = 20_000;

/** UTF-16 units that one string may have. */
export const maxUnits = 65_536;

/** Keys that change what an object is, refused at any depth. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype', 'then']);

/**
 * What is wrong with the arguments as a whole, or `undefined`. It walks without recursion, so it may come before
 * anything that recurses. Arguments whose schema is closed and does not contain itself need it only after a refusal:
 * a validator never goes deeper than its schema.
 */
export function whatIsTooMuch(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  let level: object[] = [args];
  let values = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return `must be nested at most ${maxDepth} levels deep`;
    const next: object[] = [];
    for (const node of level) {
      if (Array.isArray(node)) values += node.length;
      else
        for (const key of Object.keys(node)) {
          if (refusedKeys.has(key)) return `must not have the key "${key}"`;
          values++;
        }
      if (values > maxValues) return `must hold at most ${maxValues} values`;
      for (const value of Object.values(node)) {
        if (typeof value === 'object' && value !== null) next.push(value);
        else if (typeof value === 'string' && value.length > maxUnits)
          return `must not hold a string of more than ${maxUnits} characters`;
      }
    }
    level = next;
  }
  return undefined;
}
