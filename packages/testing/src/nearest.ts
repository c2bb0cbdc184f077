/** Which of `candidates` looks most like `text`; undefined when there are none. Equal ones: the first. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestLikeness = -1;
  for (const candidate of candidates) {
    const likeness = likenessOf(trigrams(text), trigrams(candidate));
    if (likeness > bestLikeness) [best, bestLikeness] = [candidate, likeness];
  }
  return best;
}

/** Groups of three letters, the words' ends included; everything else in a pattern is left out. */
function trigrams(text: string): ReadonlySet<string> {
  const letters = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const groups = new Set<string>();
  for (let start = 0; start + 3 <= letters.length; start += 1) groups.add(letters.slice(start, start + 3));
  return groups;
}

/** Twice what both have, over what each has: 0 to 1. */
function likenessOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const group of left) if (right.has(group)) shared += 1;
  return (2 * shared) / Math.max(1, left.size + right.size);
}
