/** Builds each planted bug as a variant of the packages and looks how many calls it takes to find it. */
const { compile } = require('./compile.js');
const { playCalls } = require('./crew.js');
const { planted } = require('./planted.js');

module.exports = { findPlanted };

const CALLS_TO_FIND_IT = 2_000;

async function findPlanted({ seed, workers, only, json }) {
  const bugs = planted.filter(({ name }) => only === undefined || name === only);
  if (bugs.length === 0) throw new Error(`no planted bug is named ${only}`);
  const waiting = [...bugs];
  const results = [];
  const work = async () => {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const result = await find(bug, seed);
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

async function find({ name, ...mutation }, seed) {
  const folder = compile(mutation);
  let calls = 0;
  let violation;
  const onWorld = (world, played) => {
    if (violation !== undefined) return;
    calls = played;
    [violation] = world.violations;
  };
  try {
    await playCalls({
      folder,
      seed,
      calls: CALLS_TO_FIND_IT,
      workers: 1,
      onWorld,
      isEnough: () => violation !== undefined,
    });
  } catch (error) {
    // A bug that makes the process hang shows itself; any other failure is one of the tool.
    return { name, found: error.message.includes('took more than'), calls, by: error.message };
  }
  const by = violation ? `${violation.invariant}: ${violation.what}` : 'nothing';
  return { name, found: violation !== undefined, calls, by };
}
