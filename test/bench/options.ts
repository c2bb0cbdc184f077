import { GOALS } from './goals';

/** How thoroughly to measure. */
export interface Options {
  readonly quick: boolean;
  readonly json: boolean;
  readonly help: boolean;
  /** The ids of the goals to measure. */
  readonly only: ReadonlySet<string>;
  readonly rounds: number;
  /** Each round measures every agent this often, in turns, so that a disturbance hits all of them. */
  readonly slicesPerRound: number;
  readonly sliceMs: number;
  readonly warmUpMs: number;
}

const FULL = { rounds: 7, slicesPerRound: 4, sliceMs: 150, warmUpMs: 1_000 };
const QUICK = { rounds: 5, slicesPerRound: 2, sliceMs: 60, warmUpMs: 700 };

/** Goals that take minutes by their nature; `--quick` leaves them out unless `--only` names them. */
const SLOW = new Set(['P7', 'P11']);

export const HELP = `npm run bench -- [--quick] [--only P1,P10] [--json] [--help]

Measures Callwright beside a hand-written ws agent, the Python SDK, a NestJS gateway and other containers, in one run,
and prints what came out beside the goals. docs/reference/performance.md says what is measured and how.

  --quick      fewer and shorter rounds, without P7 and P11: about a minute
  --only LIST  only these goals, such as P1,P10
  --json       print one JSON object { "goals": [{ "id", "value", "goal", "ok" }] } and no table
  --help       print this text

Progress goes to stderr. The first run installs what is measured against into test/bench/.peers.
The exit code is 0 when the run completed, whatever came out; 1 when it broke; 2 for options that cannot be read.`;

/** An option that cannot be read; the message is for the person who typed it. */
export class OptionError extends Error {}

/** Reads the command line. @throws OptionError */
export function readOptions(argv: readonly string[]): Options {
  let quick = false;
  let json = false;
  let help = false;
  let only: ReadonlySet<string> | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--quick') quick = true;
    else if (word === '--json') json = true;
    else if (word === '--help' || word === '-h') help = true;
    else if (word === '--only') only = goalIds(argv[++at]);
    else if (word.startsWith('--only=')) only = goalIds(word.slice('--only='.length));
    else throw new OptionError(`There is no option "${word}".`);
  }
  const all = new Set(GOALS.map((goal) => goal.id).filter((id) => !quick || !SLOW.has(id)));
  return { quick, json, help, only: only ?? all, ...(quick ? QUICK : FULL) };
}

function goalIds(list: string | undefined): ReadonlySet<string> {
  const known = new Set(GOALS.map((goal) => goal.id));
  const ids = (list ?? '').split(',').map((id) => id.trim().toUpperCase());
  for (const id of ids) {
    if (!known.has(id)) {
      throw new OptionError(
        `--only names "${id}", which is no goal. The goals are ${[...known].join(', ')}.`,
      );
    }
  }
  return new Set(ids);
}
