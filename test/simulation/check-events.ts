import { type CallFile, ofKind } from './call-file';
import type { Report } from './check';
import { ordinalOf } from './tagged-event';

/** The end waits so long for a handler. */
const HANDLER_GRACE_MS = 10_000;

/** One event that the agent read, or a count of lost ones. */
interface ReadItem {
  readonly ordinal: number | undefined;
  readonly count: number;
}

/** Events that were read are heard in order, once, or reported as lost where they are missing; and never twice at a time. */
export function checkEvents(file: CallFile, report: Report): void {
  const heard = ofKind(file.entries, 'heard');
  for (const { at, entry } of heard) {
    if (entry.tag !== undefined && entry.tag !== file.tag)
      report('no crossing', `${file.tag} heard an event of ${entry.tag}`, at);
  }
  checkAccounts(file, report);
  checkOverlaps(file, report);
}

function checkAccounts(file: CallFile, report: Report): void {
  const reads = eventsRead(file);
  let next = 0;
  let reported = 0;
  for (const { at, entry } of ofKind(file.entries, 'heard')) {
    if (entry.type === 'session.resumed') continue;
    if (entry.type === 'events.lost') {
      reported += entry.ordinal;
      continue;
    }
    const found = reads.findIndex((item, index) => index >= next && item.ordinal === entry.ordinal);
    if (found < 0)
      return report('events in order, once', `${entry.type} ${entry.ordinal} is out of order`, at);
    const missing = countOf(reads.slice(next, found));
    if (missing !== reported)
      return report('gaps are reported', `${missing} events are missing, ${reported} were reported`, at);
    next = found + 1;
    reported = 0;
  }
  const end = ofKind(file.entries, 'end began')[0];
  if (!end) return;
  const missing = countOf(reads.slice(next));
  if (missing !== reported)
    report(
      'gaps are reported',
      `${missing} events are missing at the end, ${reported} were reported`,
      end.at,
    );
}

function countOf(items: readonly ReadItem[]): number {
  return items.reduce((sum, { count }) => sum + count, 0);
}

function eventsRead(file: CallFile): readonly ReadItem[] {
  const items: ReadItem[] = [];
  for (const { at, entry } of ofKind(file.entries, 'read')) {
    const wire = file.wires.find((candidate) => candidate.wire === entry.wire);
    if (!wire?.accept || at > wire.endAt) continue;
    const { frame } = entry;
    if (frame.type === 'events.lost') items.push({ ordinal: undefined, count: Number(frame.count) });
    else {
      const ordinal = ordinalOf(frame);
      if (ordinal !== undefined) items.push({ ordinal, count: 1 });
    }
  }
  return items;
}

/** Only a handler that the end waited for in vain may still run when the next begins. */
function checkOverlaps(file: CallFile, report: Report): void {
  const open = new Set<number>();
  const end = ofKind(file.entries, 'end began')[0];
  const said = ofKind(file.entries, 'read').find(({ at, entry }) => {
    const wire = file.wires.find((candidate) => candidate.wire === entry.wire);
    return entry.frame.type === 'session.end' && wire?.endAt === at;
  });
  for (const { at, entry } of file.entries) {
    if (entry.kind === 'handler ended') open.delete(entry.token);
    if ((entry.kind === 'heard' || entry.kind === 'ticked') && end && at > end.at)
      report('the end is last', `${entry.kind === 'heard' ? entry.type : 'a timer'} came later`, at);
    if (entry.kind !== 'handler began') continue;
    const isAtEnd = end !== undefined && Math.abs(entry.atMs - end.entry.atMs) <= 1;
    const isAbandoned = isAtEnd && (!said || entry.atMs >= said.entry.atMs + HANDLER_GRACE_MS - 1);
    if (open.size > 0 && !isAbandoned)
      report('handlers never overlap', 'a handler began while another ran', at);
    open.add(entry.token);
  }
}
