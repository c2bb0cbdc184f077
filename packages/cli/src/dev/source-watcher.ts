import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

/** Editors write a file in several steps, and several files at once. */
const GATHER_MS = 100;
/** A tree with more folders is no folder of sources. */
const MAX_FOLDERS = 1_000;

/**
 * Tells of saved source files, together when several are saved at once. Tests do not count: the program does not run them.
 * Folders are watched one by one, since a recursive watcher loses files that editors replace instead of writing.
 */
export class SourceWatcher {
  readonly #root: string;
  readonly #report: (paths: readonly string[]) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param report gets the paths from `folder`. */
  constructor(folder: string, report: (paths: readonly string[]) => void) {
    this.#root = folder;
    this.#report = report;
    this.#watch(folder);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder) || this.#watchers.size >= MAX_FOLDERS) return;
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) this.#touched(folder, name);
    });
    watcher.on('error', () => this.#forget(folder));
    this.#watchers.set(folder, watcher);
    for (const path of foldersIn(folder)) this.#watch(path);
  }

  #touched(folder: string, name: string): void {
    for (const path of foldersIn(folder)) this.#watch(path);
    const path = relative(this.#root, join(folder, name));
    if (!isSource(path)) return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const paths = [...this.#changed].sort();
      this.#changed.clear();
      this.#report(paths);
    }, GATHER_MS);
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map((entry) => join(folder, entry.name));
}

/** Whether a path is a file that a running program may have loaded. */
export function isSource(path: string): boolean {
  return (
    /\.(ts|js|json)$/.test(path) &&
    !/\.(test|spec)\.ts$/.test(path) &&
    !/(^|[\\/])(node_modules|\.)/.test(path)
  );
}
