import { type FSWatcher, watch } from 'node:fs';

/** Editors write a file in several steps, and several files at once. */
const GATHER_MS = 100;

/** Tells of saved source files, together when several are saved at once. Tests do not count: the program does not run them. */
export class SourceWatcher {
  readonly #watcher: FSWatcher;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param report gets the paths from `folder`. */
  constructor(folder: string, report: (paths: readonly string[]) => void) {
    this.#watcher = watch(folder, { recursive: true }, (_event, path) => {
      if (path === null || !isSource(path)) return;
      this.#changed.add(path);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        const paths = [...this.#changed].sort();
        this.#changed.clear();
        report(paths);
      }, GATHER_MS);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watcher.close();
  }
}

/** Whether a path is a file that a running program may have loaded. */
export function isSource(path: string): boolean {
  return (
    /\.(ts|js|json)$/.test(path) &&
    !/\.(test|spec)\.ts$/.test(path) &&
    !/(^|[\\/])(node_modules|\.)/.test(path)
  );
}
