/** Builds each planted bug as a variant of the packages and looks how many calls it takes to find it. */
const { compile, readSources } = require('./compile.js');
const { playCalls, Worker } = require('./crew.js');
const { planted } = require('./planted.js');

module.exports = { findPlanted };

const CALLS_TO_FIND_IT = 2_000;

async function findPlanted({ seed, workers, only, json }) {
  const bugs = planted.filter(({ name }) => only === undefined || name === only);
  if (bugs.length === 0) throw new Error(`no planted bug is named ${only}`);
  const waiting = [...bugs];
  const results = [];
  const sources = readSources();
  const work = async () => {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const result = await find(bug, seed, sources);
      results.push(result);
      console.error(
        `${result.found ? 'found' : 'NOT FOUND'} ${result.name}: ${result.calls} calls, ${result.by}`,
      );
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const found = results.filter((result) => result.found).length;
  if (json) console.log(JSON.stringify({ planted: bugs.length, found, results }, null, 2));
  else
    console.log(`${found} of ${bugs.length} planted bugs were found within ${CALLS_TO_FIND_IT} calls each`);
  if (found < bugs.length) process.exitCode = 1;
}

async function find({ name, ...mutation }, seed, sources) {
  let calls = 0;
  let world;
  const onWorld = (played, total) => {
    if (world !== undefined) return;
    calls = total;
    if (played.violations.length > 0) world = played;
  };
  try {
    const folder = compile(mutation, sources);
    const isEnough = () => world !== undefined;
    await playCalls({ folder, seed, calls: CALLS_TO_FIND_IT, workers: 1, onWorld, isEnough });
  } catch (error) {
    // A bug that makes the process hang shows itself; any other failure is one of the tool.
    return { name, found: error.message.includes('took more than'), calls, by: error.message };
  }
  if (world === undefined) return { name, found: false, calls, by: 'nothing' };
  const [violation] = world.violations;
  const found = await isCleanWithout(sources, world.seed);
  const by = `${violation.invariant}: ${violation.what}`;
  return { name, found, calls, by: found ? by : `not the bug, as it is so without it: ${by}` };
}

/** Whether the world keeps every promise without the bug. */
async function isCleanWithout(sources, seed) {
  const worker = new Worker(compile(undefined, sources));
  try {
    return (await worker.ask({ seed })).violations.length === 0;
  } finally {
    worker.stop();
  }
}
