const MOST_SUGGESTIONS = 3;

/** The names most like `name`, nearest first, at most three; only those that could be a slip of it. */
export function nearestNames(name: string, candidates: Iterable<string>): readonly string[] {
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const distance = likeness(name, candidate);
    if (distance !== undefined) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, MOST_SUGGESTIONS).map((entry) => entry.candidate);
}

/** ` (did you mean host?)`, to be put behind a message on a name that does not exist; empty where none is near. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const [nearest] = nearestNames(name, candidates);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/** The distance, or undefined if the two have too little in common. */
function likeness(name: string, candidate: string): number | undefined {
  if (candidate === name) return undefined;
  const [short, long] = [name.toLowerCase(), candidate.toLowerCase()].sort((a, b) => a.length - b.length);
  if (short === undefined || long === undefined) return undefined;
  // "Calendar" for "CalendarService": one is the start of the other.
  if (short.length >= 4 && long.startsWith(short)) return 1;
  const allowed = Math.max(1, Math.floor(long.length / 3));
  if (long.length - short.length > allowed) return undefined;
  const distance = editDistance(short, long);
  return distance <= allowed ? distance : undefined;
}

/** Levenshtein's distance, a row at a time; two letters that changed places count as one slip. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const least = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      const changedPlaces = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(changedPlaces && i > 1 && j > 1 ? Math.min(least, (before[j - 2] ?? 0) + 1) : least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
