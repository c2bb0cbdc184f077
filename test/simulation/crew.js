/** Processes that play worlds side by side. */
const { fork } = require('node:child_process');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

/** A world that takes longer than this in real time hangs. */
const WORLD_LIMIT_MS = 120_000;

/** The cores of the machine, at most eight. */
function workerCount() {
  return Math.min(availableParallelism(), 8);
}

/**
 * Plays worlds until so many calls were played.
 * @param options `folder`, `seed`, `calls`; `workers`; `onWorld`, told of each world; `isEnough`, asked after each world.
 */
async function playCalls({ folder, seed, calls, workers, onWorld, isEnough = () => false }) {
  let index = 0;
  let played = 0;
  const run = async () => {
    const worker = new Worker(folder);
    try {
      while (played < calls && !isEnough()) {
        const world = await worker.ask({ seed: worldSeed(seed, index++) });
        played += world.calls;
        onWorld(world, played);
      }
    } finally {
      worker.stop();
    }
  };
  await Promise.all(Array.from({ length: workers }, run));
}

/** Different for every run's seed and every world of it. */
function worldSeed(seed, index) {
  return (Math.imul(seed, 1_000_003) + index) | 0;
}

/** One process. */
class Worker {
  #process;
  #waiting;

  constructor(folder) {
    this.#process = fork(join(__dirname, 'worker.js'), [folder], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process.on('message', ({ answer, error }) => this.#settle(answer, error));
    this.#process.on('exit', (code) => this.#settle(undefined, `the process ended with ${code}`));
  }

  /** Sends one question. @throws Error when it failed, the process died, or it took too long. */
  ask(question) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle(undefined, `a world took more than ${WORLD_LIMIT_MS} ms of real time`);
        this.#process.kill('SIGKILL');
      }, WORLD_LIMIT_MS);
      this.#waiting = { resolve, reject, timer, question };
      this.#process.send(question, (error) => {
        if (error) this.#settle(undefined, error.message);
      });
    });
  }

  stop() {
    this.#process.disconnect();
  }

  #settle(answer, error) {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.resolve(answer);
    else waiting.reject(new Error(`${error} (seed ${waiting.question.seed})`));
  }
}

module.exports = { playCalls, Worker, workerCount };
