import type { Transcript } from './played-call';
import type { Sequence } from './sequence';

type Message = Readonly<Record<string, unknown>>;

/** One thing in which the two agents differ; `difference` names its section on the page, if it has one. */
export interface Finding {
  readonly sequence: number;
  readonly difference: string | undefined;
  readonly what: string;
}

const longestShown = 300;
/** What one of them reads and the other does not. */
const readings = ['missing number', 'whole floats', 'damaged'];

/** Everything in which the transcripts of one sequence differ. */
export function compare(sequence: Sequence, ours: Transcript, theirs: Transcript): Finding[] {
  const findings: Finding[] = [];
  const { number, expected, expectedOfAll } = sequence;
  const note = (difference: string | undefined, what: string, left: unknown, right: unknown): void => {
    findings.push({
      sequence: number,
      difference,
      what: `${what}: ours ${shown(left)}, theirs ${shown(right)}`,
    });
  };
  const ofAll = (...names: readonly string[]): string | undefined =>
    names.find((name) => expectedOfAll.has(name));
  if (ours.opening !== theirs.opening) {
    note(ofAll('start without numbers'), `opening after ${sequence.first}`, ours.opening, theirs.opening);
    return findings;
  }
  if (!same(acceptOf(ours), acceptOf(theirs))) note(undefined, 'accept', acceptOf(ours), acceptOf(theirs));
  if (ours.closeCode !== theirs.closeCode) {
    note(ofAll('deep JSON', 'damaged'), 'close code', ours.closeCode, theirs.closeCode);
  }
  // Of a link that one of them lost, with or without a return, there is nothing more to compare.
  if (expectedOfAll.has('deep JSON')) return findings;
  for (const id of new Set([...ours.results.keys(), ...theirs.results.keys()])) {
    const [left, right] = [answersOf(ours, id), answersOf(theirs, id)].map((answers) =>
      expectedOfAll.has('counts') ? answers.map(withoutCount) : answers,
    );
    if (same(left, right)) continue;
    note(expected.get(id) ?? wordsAlone(left, right), `tool call ${id}`, left, right);
  }
  const [said, heard] = [ours, theirs].map(({ commands }) => commands.map(({ id: _id, ...rest }) => rest));
  if (!same(said, heard)) {
    const others = said?.filter(({ type }) => type !== 'context.update');
    const isNote = ours.resumptions.length > 0 && same(others, heard);
    note(isNote ? 'outcomes told again' : ofAll(...readings), 'commands', said, heard);
  }
  if (!same(ours.resumptions, theirs.resumptions))
    note(ofAll('damaged'), 'resumptions', ours.resumptions, theirs.resumptions);
  const [left, right] = [ours.state, theirs.state].map((state) =>
    stateOf(state, expectedOfAll.has('counts')),
  );
  if (!same(left, right)) {
    const isCancelAlone = same({ ...left, cancelled: 0 }, { ...right, cancelled: 0 });
    note(isCancelAlone ? 'cancelled before it began' : ofAll(...readings), 'state', left, right);
  }
  return findings;
}

/** Schemas and descriptions are made by other means, and are compared elsewhere. */
function acceptOf({ accept }: Transcript): unknown {
  if (!accept) return undefined;
  const { tools, ...rest } = accept;
  const list = Array.isArray(tools) ? tools : [];
  return {
    ...rest,
    tools: list
      .map(({ parameters: _parameters, ...tool }) => tool)
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function answersOf({ results }: Transcript, id: number): string[] {
  return (results.get(id) ?? []).map(({ result, error }) =>
    error === undefined ? `result ${JSON.stringify(result)}` : `error ${String(error)}`,
  );
}

/** Both refuse, in other words. */
function wordsAlone(ours: readonly string[] = [], theirs: readonly string[] = []): string | undefined {
  const isRefusal = (answers: readonly string[]): boolean =>
    answers.length === 1 && answers[0]?.startsWith('error ') === true;
  return isRefusal(ours) && isRefusal(theirs) ? 'words' : undefined;
}

function withoutCount(answer: string): string {
  return answer.replace(/#\d+/, '#');
}

function stateOf(state: Message | undefined, withoutCounts: boolean): Message | undefined {
  if (!state) return undefined;
  return withoutCounts ? { ...state, booked: 0, pressed: 0 } : state;
}

export function same(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'undefined'
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, longestShown);
}
