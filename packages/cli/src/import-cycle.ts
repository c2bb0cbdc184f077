/** A loaded file and what it asked for: the part of Node's modules that is used here. */
export interface LoadedFile {
  readonly filename?: string | null;
  readonly children: readonly LoadedFile[];
}

/** Loaded files by path. */
export type LoadedFiles = Readonly<Record<string, LoadedFile | undefined>>;

/**
 * The shortest circle of imports that leads from a file back to it, the file first and last; empty when there is none. Files for which
 * `isForeign` holds are not looked into.
 */
export function cycleOf(
  file: string,
  loaded: LoadedFiles,
  isForeign: (file: string) => boolean,
): readonly string[] {
  const cameFrom = new Map<string, string>();
  const waiting = [file];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    for (const next of importsOf(loaded[at])) {
      if (next === file) return pathTo(at, file, cameFrom);
      if (isForeign(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      waiting.push(next);
    }
  }
  return [];
}

/** Every circle among the files, each once, the shortest through each of its files that no earlier one had. */
export function allCycles(
  loaded: LoadedFiles,
  isForeign: (file: string) => boolean,
): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const cycles: (readonly string[])[] = [];
  for (const file of Object.keys(loaded).sort()) {
    if (isForeign(file) || seen.has(file)) continue;
    const cycle = cycleOf(file, loaded, isForeign);
    for (const each of cycle) seen.add(each);
    if (cycle.length > 0) cycles.push(cycle);
  }
  return cycles;
}

function importsOf(file: LoadedFile | undefined): readonly string[] {
  return (file?.children ?? []).flatMap(({ filename }) => (filename ? [filename] : []));
}

function pathTo(last: string, first: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [first, last];
  for (let at = last; at !== first; ) {
    at = cameFrom.get(at) ?? first;
    path.push(at);
  }
  // It was walked backwards; a circle of one file imports itself.
  return last === first ? [first, first] : path.reverse();
}
