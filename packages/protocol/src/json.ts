const DEEPEST_COUNTED = 1_000_000;

/**
 * How deep arrays and objects nest in a value made of plain arrays and objects, counted without recursion; a scalar
 * has depth 0. Counting stops above `limit`: the answer is then `limit + 1`. A cycle counts as too deep.
 * @example
 * import { jsonDepth } from '@callwright/protocol';
 * jsonDepth({ a: [1] }); // 2
 */
export function jsonDepth(value: unknown, limit: number = DEEPEST_COUNTED): number {
  let level: unknown[] = [value];
  let depth = 0;
  for (;;) {
    const next: unknown[] = [];
    let nested = false;
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      nested = true;
      for (const member of Object.values(item)) next.push(member);
    }
    if (!nested) return depth;
    depth += 1;
    if (depth > limit) return depth;
    level = next;
  }
}
