/**
 * Plays the worlds that its parent names, one after another: `node worker.js FOLDER`. FOLDER is one that `compile.js` made.
 * It answers each `{ seed }` with what it found, and each `{ seed, shrink }` with a smaller world.
 */
const { loadFrom } = require('./load.js');

const SHRINK_LIMIT_MS = 20_000;

const { playSeed, shrinkSeed } = loadFrom(process.argv[2], 'play.js');

process.on('message', ({ seed, shrink }) => {
  const work = shrink === undefined ? playSeed(seed) : shrinkSeed(seed, shrink, SHRINK_LIMIT_MS);
  work.then(
    (answer) => process.send({ answer }),
    (error) => process.send({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
