import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROBE_BUDGET_MS = 120_000;

/**
 * Runs a script that measures something inside one Node process of its own and prints the result as one line of JSON.
 * The caller says of which type that is; both sides belong to this bench.
 */
export async function runProbe<T>(script: string, args: readonly string[] = []): Promise<T> {
  const nodeArgs = ['--expose-gc', script, ...args];
  const { stdout } = await run(process.execPath, nodeArgs, {
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: PROBE_BUDGET_MS,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}
