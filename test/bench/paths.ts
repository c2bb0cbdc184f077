import { join, resolve } from 'node:path';

/** The folder of the bench's sources; the compiled bench runs in `dist` beneath it. */
export const BENCH_FOLDER = resolve(__dirname, '..');

/** Everything the bench installs; git ignores it. */
export const PEERS_FOLDER = join(BENCH_FOLDER, '.peers');

/** The root of the repository. */
export const ROOT_FOLDER = resolve(BENCH_FOLDER, '..', '..');
