import { GUARD_MS } from './agents';
import { type CallFile, ofKind, type Placed, type ToolRequestRead } from './call-file';
import type { Report } from './check';
import type { EntryOf } from './history';

/** A read counts as cancelled at its timeout (5 s), a margin (1 s) and a step (250 ms); a side effect after 60 s. */
const READ_LIMIT_MS = 6_000;
const SIDE_EFFECT_LIMIT_MS = 61_000;
const SHUTDOWN_GRACE_MS = 2_500;

/** Tool calls are answered at most once, on the link that asked, with their own result; once and at once when they can be. */
export function checkTools(file: CallFile, report: Report): void {
  const results = ofKind(file.entries, 'wrote').filter(({ entry }) => entry.frame.type === 'tool.result');
  const byId = new Map<unknown, Placed<EntryOf<'wrote'>>>();
  for (const result of results) {
    const { id } = result.entry.frame;
    if (byId.has(id)) report('one result per id', `a second result for ${String(id)}`, result.at);
    else byId.set(id, result);
    const request = file.requests.find((candidate) => candidate.id === id);
    if (!request || request.at > result.at || request.wire !== result.entry.wire) {
      report('results stay on their link', `the result of ${String(id)} was not asked for here`, result.at);
    } else checkResult(file, request, result, report);
  }
  for (const request of file.requests) {
    const result = byId.get(request.id);
    checkAnswered(file, request, result, report);
  }
  checkStops(file, report);
}

function checkResult(
  file: CallFile,
  request: ToolRequestRead,
  { at, entry }: Placed<EntryOf<'wrote'>>,
  report: Report,
): void {
  const { result } = entry.frame;
  if (typeof result === 'object' && result !== null && 'what' in result && result.what !== request.what) {
    report('own result', `the result of ${request.id} is that of another request`, at);
  }
  const cancel = cancelOf(file, request);
  if (cancel && cancel.at < at && !request.isSideEffect) {
    report('no answer after a cancel', `the read ${request.id} was cancelled before`, at);
  }
}

function checkAnswered(
  file: CallFile,
  request: ToolRequestRead,
  result: Placed | undefined,
  report: Report,
): void {
  const wire = file.wires.find((candidate) => candidate.wire === request.wire);
  if (!wire?.accept || request.at > wire.endAt) return;
  const run = file.runs.find((candidate) => candidate.id === request.id);
  const dueMs = run ? run.settled?.entry.atMs : joinedDueMs(file, request);
  if (dueMs === undefined || isExcused(file, request, dueMs)) return;
  if (result === undefined) {
    if (wire.endMs > dueMs + 1)
      report('every call answered', `${request.id} has no result`, run?.settled?.at ?? request.at);
  } else if (run && result.entry.atMs > dueMs + 1) {
    report(
      'answers do not wait',
      `${request.id} was answered ${result.entry.atMs - dueMs} ms late`,
      result.at,
    );
  }
}

/** Without a run of its own it is answered at once, or when an identical one that ran meanwhile has ended. */
function joinedDueMs(file: CallFile, request: ToolRequestRead): number | undefined {
  const running = file.runs.filter(
    (run) =>
      (file.requests.find(({ id }) => id === run.id)?.at ?? run.at) < request.at &&
      (run.likeness === request.likeness || run.key === request.key) &&
      (run.settled?.at ?? Number.POSITIVE_INFINITY) > request.at,
  );
  if (running.length === 0) return request.atMs + (request.name === 'pay' ? GUARD_MS : 0);
  const last = running.find((run) => run.key === request.key) ?? running[running.length - 1];
  return last?.settled?.entry.atMs;
}

/** Nobody waits for it any more: a cancelled read, or one of either kind that took too long. */
function isExcused(file: CallFile, request: ToolRequestRead, dueMs: number): boolean {
  const limitMs = request.isSideEffect ? SIDE_EFFECT_LIMIT_MS : READ_LIMIT_MS;
  if (dueMs >= request.atMs + limitMs) return true;
  return cancelsOf(file, request).some(
    ({ entry }) => entry.atMs <= dueMs && (!request.isSideEffect || entry.frame.reason === 'timeout'),
  );
}

/** A cancelled read is stopped at once; a side effect is not stopped before its grace. */
function checkStops(file: CallFile, report: Report): void {
  const stops = ofKind(file.entries, 'tool stopped');
  for (const run of file.runs) {
    const stop = stops.find(({ entry }) => entry.run === run.run);
    if (run.tool === 'look') {
      const cancel = cancelOf(file, run);
      const isRunning = cancel && cancel.at > run.at && (run.settled?.at ?? cancel.at + 1) > cancel.at;
      const wire = file.wires.find(({ start, endAt }) => start && start.at < run.at && run.at < endAt);
      if (isRunning && wire && cancel.at < wire.endAt && (!stop || stop.entry.atMs > cancel.entry.atMs)) {
        report('a cancel stops a read', `${run.id} went on`, cancel.at);
      }
    } else if (stop && stop.entry.atMs < run.atMs + 29_000 && !wasLostLongBefore(file, run.at, stop)) {
      report('a cancel does not stop a side effect', `${run.id} was stopped`, stop.at);
    }
  }
}

/** The grace of side effects begins when the link was lost or the call ended; it is short when the process ends. */
function wasLostLongBefore(file: CallFile, runAt: number, stop: Placed): boolean {
  const isShutdown = ofKind(file.entries, 'end began').some(
    ({ entry }) => entry.reason === 'shutdown' && entry.atMs <= stop.entry.atMs - SHUTDOWN_GRACE_MS,
  );
  return (
    isShutdown || file.wires.some(({ endAt, endMs }) => endAt > runAt && endMs <= stop.entry.atMs - 29_000)
  );
}

type Requested = { readonly id: number; readonly at: number };

/** The first cancel that came behind the request. */
function cancelOf(file: CallFile, request: Requested): Placed<EntryOf<'read'>> | undefined {
  return cancelsOf(file, request)[0];
}

function cancelsOf(file: CallFile, { id, at: after }: Requested): readonly Placed<EntryOf<'read'>>[] {
  return ofKind(file.entries, 'read').filter(
    ({ at, entry }) => at > after && entry.frame.type === 'tool.cancel' && entry.frame.id === id,
  );
}
