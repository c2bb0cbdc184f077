import { type CallFile, greetingInstance, ofKind, type Placed } from './call-file';
import type { Report } from './check';
import type { Entry, EntryOf } from './history';

/** A silent link is noticed by then. */
const SILENCE_LIMIT_MS = 20_000;
const CLOSED_WINDOW_MS = 15_000;
const SILENT_WINDOW_MS = 60_000;
/** The end waits so long for a handler, and no longer. */
const HANDLER_GRACE_MS = 10_000;
/** Beside its lame-duck time and its drain, a shutdown takes at most 5 s of hooks and 2 s of closing handshakes. */
const CLOSE_LIMIT_MS = 7_000;
const CLOSE_HANDSHAKE_MS = 2_000;
/** A promise waits at least so long for its result. */
const RESULT_WAIT_MS = 9_900;
/** A resumed link must offer what the agent wants by then. */
const TOOLS_LIMIT_MS = 2_000;

/** One end per accepted call, in time, with the right reason; the wanted tools; links that fall silent. */
export function checkLife(file: CallFile, entries: readonly Entry[], report: Report): void {
  checkEnd(file, entries, report);
  checkWindow(file, entries, report);
  checkSilence(file, report);
  checkOffer(file, report);
  checkPromises(file, entries, report);
  checkTwin(file, entries, report);
}

/** A command's promise settles with its result, and at the latest with its link; only an `end` outlives a lost link. */
function checkPromises(file: CallFile, entries: readonly Entry[], report: Report): void {
  const settled = new Map(ofKind(placed(entries), 'command settled').map((one) => [one.entry.promise, one]));
  for (const { at, entry } of ofKind(file.entries, 'commanded')) {
    const wire = file.wires.find(({ accept, endAt }) => accept && accept.at < at && endAt > at);
    const lateMs = (settled.get(entry.promise)?.entry.atMs ?? Number.POSITIVE_INFINITY) - (wire?.endMs ?? 0);
    if (wire && entry.command !== 'end' && lateMs > 1)
      report('promises settle', `${entry.command} settled ${lateMs} ms after its link was lost`, at);
  }
  const asked = new Map<unknown, EntryOf<'wrote'>>();
  for (const { at, entry } of file.entries) {
    if (entry.kind === 'wrote' && entry.frame.type !== 'tool.result') asked.set(entry.frame.id, entry);
    if (entry.kind !== 'read' || entry.frame.type !== 'command.result') continue;
    const command = asked.get(entry.frame.id);
    asked.delete(entry.frame.id);
    const wire = file.wires.find((candidate) => candidate.wire === entry.wire);
    if (command?.wire !== entry.wire || !wire || at > wire.endAt) continue;
    if (entry.atMs > command.atMs + RESULT_WAIT_MS || wire.endMs <= entry.atMs + 1) continue;
    const isSettled = [...settled.values()].some((one) => one.at > at && one.entry.atMs <= entry.atMs + 1);
    if (!isSettled) report('promises settle', `the result of ${String(entry.frame.id)} settled nothing`, at);
  }
}

/** A carrier gives a name once: the start of a later call with it ends the earlier one. */
function checkTwin(file: CallFile, entries: readonly Entry[], report: Report): void {
  const name = carrierOf(file.wires[0]?.start?.entry);
  const startAt = file.wires[0]?.start?.at ?? 0;
  const acceptAt = file.wires[0]?.accept?.at;
  if (name === undefined || acceptAt === undefined) return;
  const twin = ofKind(placed(entries), 'read').find(
    ({ at, entry }) =>
      at > acceptAt &&
      entry.call !== file.tag &&
      entry.frame.resume === undefined &&
      carrierOf(entry) === name,
  );
  const end = ofKind(file.entries, 'end began')[0];
  const closing = ofKind(placed(entries), 'closing')[0];
  if (!twin || startAt > twin.at || (closing && closing.at < twin.at)) return;
  if (!end || end.entry.atMs > twin.entry.atMs + HANDLER_GRACE_MS + 1)
    report('a carrier name is one call', 'another call of that name came, and this one went on', twin.at);
}

function carrierOf(read: EntryOf<'read'> | undefined): unknown {
  const call = read?.frame.type === 'session.start' ? read.frame.call : undefined;
  return typeof call === 'object' && call !== null && 'carrier_call_id' in call
    ? call.carrier_call_id
    : undefined;
}

function checkEnd(file: CallFile, entries: readonly Entry[], report: Report): void {
  const last = entries.length - 1;
  const ends = ofKind(file.entries, 'end began');
  if (file.instance === undefined) return;
  if (ends.length !== 1)
    return report('one end', `onCallEnd began ${ends.length} times`, ends[1]?.at ?? last);
  const end = ends[0];
  if (!end) return;
  const { reason } = end.entry;
  const [, tag] = reason.split('|');
  if (tag !== undefined && tag !== file.tag) report('no crossing', `${file.tag} ended as ${reason}`, end.at);
  const said = ofKind(file.entries, 'read').find(({ at, entry }) => {
    const wire = file.wires.find((candidate) => candidate.wire === entry.wire);
    return entry.frame.type === 'session.end' && wire?.accept && wire.endAt === at;
  });
  if (said && said.entry.frame.reason !== reason)
    report('the end has its reason', `${reason} instead of ${String(said.entry.frame.reason)}`, end.at);
  const closing = ofKind(placed(entries), 'closing')[0];
  if (reason === 'shutdown' && (!closing || closing.at > end.at))
    report('the end has its reason', 'shutdown, though nothing closed', end.at);
  if (said && end.entry.atMs > said.entry.atMs + HANDLER_GRACE_MS + 1)
    report('the end comes in time', `${end.entry.atMs - said.entry.atMs} ms after session.end`, end.at);
}

/** A call that lost its link for good ends when its window is over: not before, and not much later. */
function checkWindow(file: CallFile, entries: readonly Entry[], report: Report): void {
  const end = ofKind(file.entries, 'end began')[0];
  const bound = file.wires.filter(({ accept }) => accept && end && accept.at < end.at);
  const wire = bound[bound.length - 1];
  const closed = wire?.closed;
  if (!end || !wire || !closed || end.entry.reason !== 'link_closed') return;
  const isOverAnyway = ofKind(placed(entries), 'closing').some(({ at }) => at < end.at);
  const sinceMs = end.entry.atMs - closed.entry.atMs;
  if (!file.isResumable) {
    if (sinceMs > HANDLER_GRACE_MS + 1)
      report('the end comes in time', `${sinceMs} ms after the link was lost`, end.at);
    return;
  }
  if (isOverAnyway) return;
  const byAgent = closed.entry.by === 'agent';
  const signs = signsOn(file, wire.wire).filter(({ at }) => at <= closed.at);
  const lastMs = signs[signs.length - 1]?.entry.atMs ?? closed.entry.atMs;
  const earliestMs = byAgent ? lastMs + SILENT_WINDOW_MS : closed.entry.atMs + CLOSED_WINDOW_MS;
  if (end.entry.atMs < earliestMs - 1)
    report('a parked call waits', `it ended ${earliestMs - end.entry.atMs} ms too early`, end.at);
  const latestMs = closed.entry.atMs + (byAgent ? SILENT_WINDOW_MS : CLOSED_WINDOW_MS) + HANDLER_GRACE_MS + 1;
  if (end.entry.atMs > latestMs)
    report('the end comes in time', `${end.entry.atMs - latestMs} ms after its window`, end.at);
}

function checkSilence(file: CallFile, report: Report): void {
  for (const { wire, accept, endAt, endMs } of file.wires) {
    if (!accept) continue;
    const signs = signsOn(file, wire).filter(({ at }) => at < endAt);
    let lastMs = accept.entry.atMs;
    for (const { at, entry } of [...signs, { at: endAt, entry: { atMs: endMs } }]) {
      if (entry.atMs > lastMs + SILENCE_LIMIT_MS + 1 && at > accept.at)
        report(
          'silence is noticed',
          `the link was silent for ${entry.atMs - lastMs} ms`,
          Math.min(at, endAt),
        );
      lastMs = Math.max(lastMs, entry.atMs);
    }
  }
}

function signsOn(file: CallFile, wire: number): readonly Placed[] {
  return file.entries.filter(
    ({ entry }) => (entry.kind === 'read' || entry.kind === 'pinged') && entry.wire === wire,
  );
}

/** Two seconds after things fell quiet the model is offered what the agent's last `tools.set` wants. */
function checkOffer(file: CallFile, report: Report): void {
  const sets = ofKind(file.entries, 'wrote').filter(
    ({ entry }) => entry.frame.type === 'tools.set' && entry.frame.id !== undefined,
  );
  const resumptions = ofKind(file.entries, 'resumed');
  for (const { at, entry } of ofKind(file.entries, 'quiet')) {
    const isRecent = (placed: Placed): boolean =>
      placed.at < at && placed.entry.atMs > entry.atMs - TOOLS_LIMIT_MS;
    if (sets.some(isRecent) || resumptions.some(isRecent)) continue;
    const wanted = sets.filter((set) => set.at < at).pop()?.entry.frame.enabled ?? null;
    if (asSet(wanted) !== asSet(entry.offered))
      report('wanted tools are offered', `${asSet(entry.offered)} instead of ${asSet(wanted)}`, at);
  }
}

function asSet(names: unknown): string {
  return Array.isArray(names) ? [...names].sort().join(' ') : 'all';
}

/** What holds over all calls: teardown, promises, the process, what is left. */
export function checkWorld(files: readonly CallFile[], entries: readonly Entry[], report: Report): void {
  const all = placed(entries);
  const last = entries.length - 1;
  for (const { at, entry } of ofKind(all, 'fault')) report('the process survives', entry.what, at);
  checkTeardown(all, files, report);
  const settled = new Set(ofKind(all, 'command settled').map(({ entry }) => entry.promise));
  for (const { at, entry } of ofKind(all, 'commanded')) {
    if (!settled.has(entry.promise))
      report('promises settle', `${entry.command} of i${entry.instance} never did`, at);
  }
  const closing = ofKind(all, 'closing')[0];
  const closed = ofKind(all, 'closed application')[0];
  if (closing && !closed) report('close is bounded', 'it never ended', last);
  else if (closing && closed) {
    const tookMs = closed.entry.atMs - closing.entry.atMs;
    const limitMs = closing.entry.lameDuckMs + closing.entry.drainMs + CLOSE_LIMIT_MS;
    if (tookMs > limitMs + 1) report('close is bounded', `it took ${tookMs} ms, not ${limitMs}`, closed.at);
    for (const { tag, wires } of files) {
      const left = wires.find(({ accept, closed: end }) => {
        const endMs = end?.entry.atMs ?? Number.POSITIVE_INFINITY;
        return accept && accept.at < closed.at && endMs > closed.entry.atMs + CLOSE_HANDSHAKE_MS;
      });
      if (left) report('close is bounded', `a link of ${tag} was left open`, closed.at);
    }
  }
  const over = ofKind(all, 'over')[0];
  if (!over) return report('worlds end', 'the world never ended', last);
  const { timers, calls, listeners } = over.entry;
  if (timers + calls + listeners > 0)
    report('nothing is left', `${timers} timers, ${calls} calls, ${listeners} listeners`, last);
}

function checkTeardown(all: readonly Placed[], files: readonly CallFile[], report: Report): void {
  const disposals = ofKind(all, 'disposed');
  for (const { at, entry } of ofKind(all, 'built')) {
    const count = disposals.filter((disposed) => disposed.entry.instance === entry.instance).length;
    if (count !== 1)
      report('one teardown', `${entry.role} i${entry.instance} was torn down ${count} times`, at);
  }
  const accepted = new Set(files.map(({ instance }) => instance));
  for (const { at, entry } of all) {
    if ((entry.kind === 'end began' || entry.kind === 'heard') && !accepted.has(entry.instance))
      report('one end', `i${entry.instance} was never accepted, yet it heard`, at);
  }
  checkNames(ofKind(all, 'wrote'), report);
}

/** No two calls were accepted by one instance. */
function checkNames(writes: readonly Placed<EntryOf<'wrote'>>[], report: Report): void {
  const callOf = new Map<number, string>();
  for (const { at, entry } of writes) {
    const instance = greetingInstance(entry.frame);
    if (instance === undefined) continue;
    const other = callOf.get(instance);
    if (other !== undefined) report('no crossing', `i${instance} took ${other} and ${entry.call}`, at);
    callOf.set(instance, entry.call);
  }
}

function placed(entries: readonly Entry[]): readonly Placed[] {
  return entries.map((entry, at) => ({ at, entry }));
}
