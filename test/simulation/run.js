/** `npm run simulate`: see `--help`. */
const { parseArgs } = require('node:util');
const { compile } = require('./compile.js');
const { playCalls, Worker, workerCount } = require('./crew.js');
const { findPlanted } = require('./find-planted.js');

const help = `Plays thousands of calls against a real application on a virtual clock, and holds all that happens against what
Callwright promises.

  npm run simulate -- [--calls N] [--seed S] [--json]
  npm run simulate -- --world SEED          plays one world again and shows its smallest failing form
  npm run simulate -- --planted [--only NAME]  finds each planted bug within 2,000 calls

  --calls N    play at least N calls (default 10000)
  --seed S     the seed of the run (default 1); the same seed plays the same worlds
  --json       print one JSON object on standard output
  --workers W  processes (default: the cores of this machine)

Progress goes to standard error. The exit code is 1 when a promise was broken, or a planted bug was not found.`;

/** Of each broken invariant so many examples are shown. */
const EXAMPLES = 2;

main().catch((error) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});

async function main() {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      world: { type: 'string' },
      planted: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(workerCount()) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const workers = integer('workers', values.workers);
  const seed = integer('seed', values.seed);
  if (values.world !== undefined) return showWorld(integer('world', values.world));
  if (values.planted) return findPlanted({ seed, workers, only: values.only, json: values.json });
  await simulate({ calls: integer('calls', values.calls), seed, workers, json: values.json });
}

function integer(name, text) {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new Error(`--${name} takes an integer, not ${JSON.stringify(text)}`);
  return value;
}

async function simulate({ calls, seed, workers, json }) {
  const folder = compile();
  const startedMs = performance.now();
  const invariants = {};
  const examples = [];
  let worlds = 0;
  let played = 0;
  let violations = 0;
  let toldMs = startedMs;
  const onWorld = (world, total) => {
    worlds += 1;
    played = total;
    violations += world.violations.length;
    for (const violation of world.violations) {
      invariants[violation.invariant] = (invariants[violation.invariant] ?? 0) + 1;
      if (invariants[violation.invariant] <= EXAMPLES) examples.push({ seed: world.seed, ...violation });
    }
    if (performance.now() - toldMs < 5_000) return;
    toldMs = performance.now();
    console.error(`${played} of ${calls} calls, ${violations} violations`);
  };
  await playCalls({ folder, seed, calls, workers, onWorld });
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const report = { calls: played, worlds, seed, seconds, violations, invariants, examples };
  if (json) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
  if (violations > 0) process.exitCode = 1;
}

function printReport({ calls, worlds, seed, seconds, violations, invariants, examples }) {
  console.log(`${calls} calls in ${worlds} worlds of seed ${seed}, ${seconds} s: ${violations} violations`);
  for (const [invariant, count] of Object.entries(invariants)) console.log(`  ${invariant}: ${count}`);
  for (const { seed: world, invariant, call, what, excerpt } of examples) {
    console.log(`\n${invariant}: ${what} (${call ?? 'the world'}, --world ${world})`);
    for (const line of excerpt) console.log(`    ${line}`);
  }
}

async function showWorld(seed) {
  const worker = new Worker(compile());
  try {
    const { calls, violations } = await worker.ask({ seed });
    console.log(`world ${seed}: ${calls} calls, ${violations.length} violations`);
    for (const invariant of new Set(violations.map((violation) => violation.invariant))) {
      const shrunk = await worker.ask({ seed, shrink: invariant });
      const [first] = shrunk?.violations ?? [];
      if (first === undefined) continue;
      console.log(`\n${invariant}: ${first.what} (${first.call ?? 'the world'})`);
      for (const line of first.excerpt) console.log(`    ${line}`);
      console.log(JSON.stringify(shrunk.schedule, undefined, 1));
    }
    if (violations.length > 0) process.exitCode = 1;
  } finally {
    worker.stop();
  }
}
