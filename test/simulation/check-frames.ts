import {
  MAX_OUTGOING_MESSAGE_BYTES,
  parseAgentMessage,
  reviewAccept,
  reviewCommand,
  utf8ByteLength,
} from '@callwright/protocol';
import { type CallFile, ofKind, type Placed } from './call-file';
import type { Report } from './check';
import type { EntryOf } from './history';

/** Every frame that leaves obeys the real server's rules, stands where it may stand, and names only its own call. */
export function checkFrames(file: CallFile, report: Report): void {
  for (const { entry, at } of ofKind(file.entries, 'broke a rule')) report('legal frames', entry.rule, at);
  const seqs = new Set<unknown>();
  const ids = new Set<string>();
  const answered = new Set<number>();
  const closed = new Set<number>();
  for (const placed of file.entries) {
    const { at, entry } = placed;
    if (entry.kind === 'read') seqs.add(entry.frame.seq);
    if (entry.kind === 'closed') closed.add(entry.wire);
    if (entry.kind !== 'wrote') continue;
    const bytes = utf8ByteLength(entry.text);
    if (bytes > MAX_OUTGOING_MESSAGE_BYTES) report('legal frames', `a frame of ${bytes} bytes`, at);
    if (closed.has(entry.wire)) report('legal frames', 'a frame behind the end of its link', at);
    checkForm({ at, entry }, answered, report);
    checkCommand(entry, { seqs, ids }, (what) => report('legal frames', what, at));
    checkNames(file, entry, (what) => report('no crossing', what, at));
  }
}

function checkForm({ at, entry }: Placed<EntryOf<'wrote'>>, answered: Set<number>, report: Report): void {
  const isFirst = !answered.has(entry.wire);
  answered.add(entry.wire);
  const isAnswer = entry.frame.type === 'session.accept' || entry.frame.type === 'session.reject';
  if (isFirst !== isAnswer)
    report('legal frames', `${entry.frame.type} ${isFirst ? 'before' : 'after'} the answer`, at);
  try {
    const message = parseAgentMessage(entry.text);
    if (message.type === 'unknown') return report('legal frames', `unknown type ${message.wire_type}`, at);
    if (message.type === 'session.accept') {
      for (const { message: rule } of reviewAccept(message).breaks) report('legal frames', rule, at);
      if (message.version !== 1) report('legal frames', `version ${message.version}`, at);
    } else if (message.type !== 'session.reject' && message.type !== 'tool.result') {
      const rule = reviewCommand(message);
      if (rule) report('legal frames', rule.message, at);
    }
  } catch (error) {
    report('legal frames', error instanceof Error ? error.message : String(error), at);
  }
}

function checkCommand(
  { frame }: EntryOf<'wrote'>,
  known: { readonly seqs: ReadonlySet<unknown>; readonly ids: Set<string> },
  complain: (what: string) => void,
): void {
  const { type, id, re } = frame;
  if (re !== undefined && !known.seqs.has(re)) complain(`re ${String(re)} is no number of this call`);
  if (type === 'tool.result' || typeof id !== 'string') return;
  if (known.ids.has(id) && type !== 'end') complain(`the command id ${id} came twice`);
  known.ids.add(id);
}

/** Texts and results of user code name its instance, and the call it was told of. */
function checkNames(
  file: CallFile,
  { frame, text }: EntryOf<'wrote'>,
  complain: (what: string) => void,
): void {
  if (frame.type === 'session.accept' || frame.type === 'session.reject') return;
  for (const [, number] of text.matchAll(/(?:"i\\?":|\bi)(\d+)\b/g)) {
    if (Number(number) !== file.instance) complain(`instance i${number} wrote on the link of another call`);
  }
  for (const [, tag] of text.matchAll(/\b(c\d+)(?=[" |])(?<!"id":"\1)/g)) {
    if (tag !== file.tag && frame.type === 'tool.result') complain(`the words of ${tag} went to ${file.tag}`);
  }
}
