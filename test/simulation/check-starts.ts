import { type CallFile, ofKind, type ToolRequestRead, type ToolRunNoted } from './call-file';
import type { Report } from './check';

/** How long an undelivered outcome stands for identical requests. */
const UNDELIVERED_FOR_MS = 120_000;
const SIDE_EFFECTS: ReadonlySet<string> = new Set(['book', 'pay', 'ring']);

/** A side effect's method starts once per key, and not again for an identical request whose outcome never arrived. */
export function checkStarts(file: CallFile, report: Report): void {
  const ids = new Set<number>();
  const keys = new Set<string>();
  const began: ToolRunNoted[] = [];
  for (const run of file.runs) {
    if (ids.has(run.id)) report('one start per id', `${run.tool} ${run.id} began twice`, run.at);
    ids.add(run.id);
    const request = file.requests.find(({ id }) => id === run.id);
    if (request && isOverBefore(file, request, run))
      report('no start after a cancel', `${run.tool} ${run.id} began though nobody waited for it`, run.at);
    if (!SIDE_EFFECTS.has(run.tool)) continue;
    if (keys.has(run.key)) report('one start per key', `${run.tool} began twice under ${run.key}`, run.at);
    keys.add(run.key);
    const twin = began.find((earlier) => isUndelivered(file, earlier, run));
    if (twin) report('no start while undelivered', `${run.tool} ${twin.id} began again as ${run.id}`, run.at);
    began.push(run);
  }
  checkNotes(file, report);
}

/** Whether a cancel, or the end of the link, came between the request and the method's start: pipes and guards take time. */
function isOverBefore(file: CallFile, request: ToolRequestRead, run: ToolRunNoted): boolean {
  const wire = file.wires.find((candidate) => candidate.wire === request.wire);
  if (wire && wire.endAt < run.at) return true;
  return ofKind(file.entries, 'read').some(
    ({ at, entry }) =>
      at > request.at && at < run.at && entry.frame.type === 'tool.cancel' && entry.frame.id === request.id,
  );
}

/** Whether the server never heard how `earlier` ended, though `later` asks for the same. */
function isUndelivered(file: CallFile, earlier: ToolRunNoted, later: ToolRunNoted): boolean {
  if (earlier.tool === 'ring' || earlier.likeness !== later.likeness) return false;
  const doubtMs = doubtSinceMs(file, earlier, later);
  if (doubtMs === undefined) return false;
  const settledMs = earlier.settled?.entry.atMs ?? later.atMs;
  return later.atMs < Math.max(doubtMs, settledMs) + UNDELIVERED_FOR_MS - 1 && !wasTold(file, earlier, later);
}

/** When the link that asked was lost, or the server gave up waiting, before it asked for the later one. */
function doubtSinceMs(file: CallFile, earlier: ToolRunNoted, later: ToolRunNoted): number | undefined {
  const askedAt = file.requests.find(({ id }) => id === later.id)?.at ?? later.at;
  const request = file.requests.find(({ id }) => id === earlier.id);
  const wire = file.wires.find((candidate) => candidate.wire === request?.wire);
  if (wire && wire.endAt < askedAt) return wire.endMs;
  const timeout = ofKind(file.entries, 'read').find(
    ({ at, entry }) =>
      entry.frame.type === 'tool.cancel' &&
      entry.frame.id === earlier.id &&
      entry.frame.reason === 'timeout' &&
      at > earlier.at &&
      at < askedAt &&
      at < (earlier.settled?.at ?? later.at),
  );
  return timeout?.entry.atMs;
}

/**
 * Whether the server received an answer to any request of this likeness, or to this key, meanwhile. An answer on the link of
 * the later request counts as well: that it never arrived, nobody can know while that link looks open.
 */
function wasTold(file: CallFile, earlier: ToolRunNoted, later: ToolRunNoted): boolean {
  const link = file.requests.find(({ id }) => id === later.id)?.wire;
  return file.entries.some(({ at, entry }) => {
    if (at < earlier.at || at > later.at) return false;
    const answered =
      entry.kind === 'got a result'
        ? entry.id
        : entry.kind === 'wrote' && entry.wire === link && entry.frame.type === 'tool.result'
          ? entry.frame.id
          : undefined;
    const request = file.requests.find(({ id }) => id === answered);
    return request?.likeness === earlier.likeness || (request !== undefined && request.key === earlier.key);
  });
}

/** The model is told of an outcome it believes lost, once. */
function checkNotes(file: CallFile, report: Report): void {
  for (const tool of SIDE_EFFECTS) {
    const runs = file.runs.filter((run) => run.tool === tool);
    const notes = ofKind(file.entries, 'wrote').flatMap(({ at, entry }) => {
      const { type, append } = entry.frame;
      if (type !== 'context.update' || !Array.isArray(append)) return [];
      return append.filter((note: { text?: unknown }) => isNote(note.text, tool)).map(() => at);
    });
    const last = notes[notes.length - 1];
    if (last !== undefined && notes.length > runs.length)
      report('outcomes are told once', `${notes.length} notes of ${runs.length} runs of ${tool}`, last);
    const untold = runs.find((run) => isOwed(file, run));
    if (untold && last === undefined)
      report('lost outcomes are told', `nobody told how ${tool} ${untold.id} ended`, untold.settled?.at ?? 0);
  }
}

function isNote(text: unknown, tool: string): boolean {
  return typeof text === 'string' && text.startsWith(`The request to ${tool}`);
}

/** It ran when its link was lost, ended, and a later link was up for a second after that. */
function isOwed(file: CallFile, run: ToolRunNoted): boolean {
  const request = file.requests.find(({ id }) => id === run.id);
  const wire = file.wires.find((candidate) => candidate.wire === request?.wire);
  const { settled } = run;
  if (!wire || !settled || wire.endAt > settled.at || wire.endMs === settled.entry.atMs) return false;
  const settledMs = settled.entry.atMs;
  const later = file.wires.find(
    ({ accept, endMs }) =>
      accept && accept.at > wire.endAt && endMs > Math.max(accept.entry.atMs, settledMs) + 1_000,
  );
  if (!later?.accept || later.endAt < settled.at) return false;
  // An identical request that was answered told the model as well.
  return !ofKind(file.entries, 'wrote').some(({ at, entry }) => {
    if (entry.frame.type !== 'tool.result' || at < wire.endAt) return false;
    const answered = file.requests.find(({ id }) => id === entry.frame.id);
    return answered?.likeness === run.likeness || answered?.key === run.key;
  });
}
