import { type CallFile, ofKind, type Placed, type WireNoted } from './call-file';
import type { Report } from './check';
import type { Entry, EntryOf, Frame } from './history';

const CLOSED_WINDOW_MS = 15_000;
const SILENT_WINDOW_MS = 60_000;
/** A voice server waits so long for the answer. */
const ANSWER_LIMIT_MS = 2_000;
const AGE_TOLERANCE_MS = 3_000;
const STAMP_TOLERANCE_MS = 10;
/** The result of an `end` is waited for so long. */
const END_WAIT_MS = 45_000;
/** A call that is over here is remembered for a minute; a hook that the end waits for may blur when that began. */
const SURELY_REMEMBERED_MS = 45_000;
const PERHAPS_REMEMBERED_MS = 75_000;

/** What a resuming `session.start` says. */
interface Resumption {
  readonly at: number;
  readonly atMs: number;
  readonly frame: Frame;
  readonly seq: number;
  readonly stampMs: number;
  readonly attempt: number;
  readonly previousSeq: number;
  readonly downMs: number;
}

/** A call that is redialled within the rules is resumed, and only that call; unless nobody can tell which is meant. */
export function checkResumptions(
  files: readonly CallFile[],
  entries: readonly Entry[],
  reportFor: (file: CallFile) => Report,
): void {
  const closesMs = closesAtMs(entries);
  for (const file of files) {
    const report = reportFor(file);
    for (const wire of file.wires) {
      const resumption = readResumption(wire.start);
      if (!resumption || resumption.atMs >= closesMs) continue;
      const others = files.filter((other) => other !== file);
      checkResumption(
        {
          wire,
          resumption,
          // A call that is over here may still be redialled: for a minute nobody can tell which of the two is meant.
          rivals: others.filter((other) => couldMean(other, resumption, files, SURELY_REMEMBERED_MS)),
          looksAlike: others.some((other) => couldMean(other, resumption, files, PERHAPS_REMEMBERED_MS)),
          isMine: couldMean(file, resumption, files, 0),
        },
        report,
      );
    }
    checkHeardResumptions(file, report);
    checkKeptOver(file, report);
  }
}

/** Until the drain is over, resumptions are taken as ever. */
function closesAtMs(entries: readonly Entry[]): number {
  const closing = entries.find((entry): entry is EntryOf<'closing'> => entry.kind === 'closing');
  if (!closing) return Number.POSITIVE_INFINITY;
  return closing.atMs + closing.lameDuckMs + closing.drainMs - 1;
}

function checkResumption(
  {
    wire,
    resumption,
    rivals,
    looksAlike,
    isMine,
  }: {
    readonly wire: WireNoted;
    readonly resumption: Resumption;
    readonly rivals: readonly CallFile[];
    readonly looksAlike: boolean;
    readonly isMine: boolean;
  },
  report: Report,
): void {
  const { accept, reject, closed } = wire;
  if (accept) {
    if (accept.entry.frame.resume !== true)
      report('legal frames', 'a resumption was accepted without resume: true', accept.at);
    for (const part of ['greeting', 'system_prompt', 'context']) {
      if (part in accept.entry.frame) report('legal frames', `a resumption with ${part}`, accept.at);
    }
    if (isMine && rivals.length > 0)
      report('no guessing', `also ${rivals.map(({ tag }) => tag).join(', ')} could be meant`, accept.at);
    if (!isMine) report('no crossing', 'a resumption was taken for a call that cannot be meant', accept.at);
    return;
  }
  if (!isMine || looksAlike) return;
  if (reject) report('resumed within the rules', `rejected: ${String(reject.entry.frame.code)}`, reject.at);
  else if (!closed || closed.entry.by === 'agent' || closed.entry.atMs > resumption.atMs + ANSWER_LIMIT_MS)
    report('resumed within the rules', 'there was no answer', closed?.at ?? resumption.at);
}

/** A resumption asks for the same events again, and repeats an `end` that may not have been read. */
function checkKeptOver(file: CallFile, report: Report): void {
  const [first, ...later] = file.wires.flatMap(({ accept }) => accept ?? []);
  for (const { at, entry } of later) {
    if (JSON.stringify(entry.frame.events) !== JSON.stringify(first?.entry.frame.events))
      report('the subscription is kept', 'a resumption asks for other events', at);
    const writes = ofKind(file.entries, 'wrote');
    const isAgain = (frame: Frame): boolean =>
      writes.some(({ at: againAt, entry: again }) => {
        const { type, id } = again.frame;
        return againAt > at && again.wire === entry.wire && type === 'end' && id === frame.id;
      });
    const isAnswered = (frame: Frame): boolean =>
      ofKind(file.entries, 'read').some(
        ({ at: readAt, entry: { frame: read } }) =>
          readAt < at && read.type === 'command.result' && read.id === frame.id,
      );
    for (const { at: endAt, entry: end } of writes) {
      const isRecent = end.atMs > entry.atMs - END_WAIT_MS;
      if (end.frame.type !== 'end' || endAt > at || !isRecent) continue;
      if (!isAnswered(end.frame) && !isAgain(end.frame))
        report('an end in doubt is repeated', `${String(end.frame.id)} was not sent again`, at);
    }
  }
}

/** Each resumption is heard as one event of its own call. */
function checkHeardResumptions(file: CallFile, report: Report): void {
  const taken = file.wires.flatMap(({ accept, start }) => (accept ? (readResumption(start) ?? []) : []));
  const heard = ofKind(file.entries, 'heard').filter(({ entry }) => entry.type === 'session.resumed');
  for (const { at, entry } of heard) {
    if (!taken.some(({ previousSeq, at: takenAt }) => previousSeq === entry.ordinal && takenAt < at))
      report('no crossing', 'heard of a resumption that was not its own', at);
  }
  const last = heard[heard.length - 1];
  if (last && heard.length > taken.length) report('resumptions are heard once', 'one too many', last.at);
}

/** By the truth of both sides: whether the resumption can mean this call, also one that ended at most `endedForMs` ago. */
function couldMean(
  file: CallFile,
  resumption: Resumption,
  files: readonly CallFile[],
  endedForMs: number,
): boolean {
  const before = (placed: Placed | undefined): boolean => placed !== undefined && placed.at < resumption.at;
  const first = file.wires.find(({ accept }) => before(accept));
  if (!first?.start || !file.isResumable || isOverForServer(file, resumption.at)) return false;
  const isEnded = isOver(file, resumption, files, endedForMs);
  if (isEnded === 'long ago' || (isEnded === 'lately' && endedForMs === 0)) return false;
  const { frame } = first.start.entry;
  if (frame.session_id !== resumption.frame.session_id || frame.agent !== resumption.frame.agent)
    return false;
  if (carrierOf(frame) !== carrierOf(resumption.frame)) return false;
  const { seq, previousSeq, attempt, stampMs, downMs } = resumption;
  const seen = seenBy(file, resumption.at);
  if (seq <= seen.seq || previousSeq < seen.messageSeq) return false;
  if (seq - previousSeq < 1 || seq - previousSeq > attempt) return false;
  if (Math.abs(resumption.atMs - first.start.entry.atMs - stampMs) > AGE_TOLERANCE_MS) return false;
  const bound = file.wires.filter(({ accept }) => before(accept)).pop();
  if (!bound) return false;
  if (!bound.closed || bound.closed.at > resumption.at)
    return seen.stampMs <= stampMs - downMs + STAMP_TOLERANCE_MS;
  // A handler may hold the end back that the window's end asks for.
  return isEnded === 'lately' || resumption.atMs < windowEndMs(file, bound, bound.closed) + endedForMs - 1;
}

function windowEndMs(file: CallFile, wire: WireNoted, closed: Placed<EntryOf<'closed'>>): number {
  if (closed.entry.by !== 'agent') return closed.entry.atMs + CLOSED_WINDOW_MS;
  const signs = file.entries.filter(
    ({ at, entry }) =>
      (entry.kind === 'read' || entry.kind === 'pinged') && entry.wire === wire.wire && at < closed.at,
  );
  const last = signs[signs.length - 1] ?? closed;
  return last.entry.atMs + SILENT_WINDOW_MS;
}

/** Whether both sides know that the call is over: the server said so, or agreed to it. */
function isOverForServer(file: CallFile, at: number): boolean {
  const reads = ofKind(file.entries, 'read').filter((read) => read.at < at);
  const endIds = ofKind(file.entries, 'wrote')
    .filter(({ entry }) => entry.frame.type === 'end')
    .map(({ entry }) => entry.frame.id);
  return reads.some(
    ({ entry: { frame } }) =>
      frame.type === 'session.end' ||
      (frame.type === 'command.result' && frame.ok === true && endIds.includes(frame.id)),
  );
}

/** Whether the call was over for the agent: its window had closed, or the carrier's name came again. */
function isOver(
  file: CallFile,
  { at, atMs }: Resumption,
  files: readonly CallFile[],
  endedForMs: number,
): 'no' | 'lately' | 'long ago' {
  const end = ofKind(file.entries, 'end began').find((placed) => placed.at < at) ?? twinOf(file, at, files);
  if (!end) return 'no';
  return end.entry.atMs > atMs - endedForMs ? 'lately' : 'long ago';
}

/** The start of a later call with the same name of the carrier; one before the accept, or while nothing is taken, ends nothing. */
function twinOf(file: CallFile, at: number, files: readonly CallFile[]): Placed | undefined {
  const start = file.wires[0]?.start;
  const accept = file.wires[0]?.accept;
  const carrier = start && carrierOf(start.entry.frame);
  if (accept === undefined || carrier === undefined) return undefined;
  for (const other of files) {
    const twin = other.wires[0]?.start;
    if (other.wires[0]?.reject?.entry.frame.code === 'unavailable') continue;
    if (other === file || !twin || twin.at < accept.at || twin.at > at) continue;
    if (carrierOf(twin.entry.frame) === carrier) return twin;
  }
  return undefined;
}

function seenBy(file: CallFile, at: number): { seq: number; messageSeq: number; stampMs: number } {
  const seen = { seq: 0, messageSeq: 0, stampMs: 0 };
  for (const read of ofKind(file.entries, 'read')) {
    if (read.at >= at) break;
    const { seq, t_ms: stampMs, resume } = read.entry.frame;
    if (typeof seq !== 'number' || typeof stampMs !== 'number') continue;
    const wire = file.wires.find((candidate) => candidate.wire === read.entry.wire);
    if (!wire?.accept || read.at > wire.endAt) continue;
    seen.seq = Math.max(seen.seq, seq);
    if (resume === undefined) seen.messageSeq = Math.max(seen.messageSeq, seq);
    seen.stampMs = Math.max(seen.stampMs, stampMs);
  }
  return seen;
}

function readResumption(start: Placed<EntryOf<'read'>> | undefined): Resumption | undefined {
  if (!start) return undefined;
  const { frame, atMs } = start.entry;
  const { resume } = frame;
  if (typeof resume !== 'object' || resume === null) return undefined;
  const members: Partial<Record<string, unknown>> = { ...resume };
  return {
    at: start.at,
    atMs,
    frame,
    seq: Number(frame.seq),
    stampMs: Number(frame.t_ms),
    attempt: Number(members.attempt),
    previousSeq: Number(members.previous_seq),
    downMs: Number(members.down_ms),
  };
}

function carrierOf(frame: Frame): unknown {
  const { call } = frame;
  return typeof call === 'object' && call !== null && 'carrier_call_id' in call
    ? call.carrier_call_id
    : undefined;
}
