import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { checkHistory } from './check';
import { planted } from './planted';
import { playSeed } from './play';
import { schedules } from './schedule';
import { playWorld } from './world';

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..');

/** About ten calls in each world. */
const SEEDS = Array.from({ length: 30 }, (_, index) => index + 1);

test.each(SEEDS)('world %i keeps every promise', async (seed) => {
  expect((await playSeed(seed)).violations).toEqual([]);
});

test('the same schedule plays the same world again', async () => {
  const [schedule] = fc.sample(schedules, { seed: 4, numRuns: 1 });
  if (schedule === undefined) throw new Error('no schedule');
  const [first, second] = [await playWorld(schedule), await playWorld(schedule)];
  expect(second).toEqual(first);
});

test('a history without an end is no good history', () => {
  expect(checkHistory([]).map(({ invariant }) => invariant)).toEqual(['worlds end']);
});

test('the line of every planted bug stands in its file, once', () => {
  const lost = planted.filter(
    ({ file, find }) => readFileSync(join(ROOT, file), 'utf8').split(find).length !== 2,
  );
  // A line that was changed: choose another line for the bug in planted.js.
  expect(lost.map(({ name, file }) => `${name} in ${file}`)).toEqual([]);
});

test('the command plays calls, and finds a planted bug', async () => {
  const command = join(__dirname, 'run.js');
  const { stdout } = await run(process.execPath, [command, '--calls', '50', '--workers', '1', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ seed: 1, violations: 0 });
  const planted = await run(process.execPath, [command, '--planted', '--only', 'silence-is-noticed-late']);
  expect(planted.stdout).toContain('1 of 1 planted bugs were found');
}, 60_000);
