import { TestingError, testingErrors } from './errors';
import type { JsonObject, RecordedEntry, Recording } from './recording';
import { type Script, script } from './script';
import { type Step, when } from './step';

/** What stands in for a bot's line that the agent was not subscribed to, and so was not recorded. */
const UNRECORDED_LINE = '…';

interface RecordedTurn {
  readonly epoch: number;
  readonly text: string;
  /** In the order in which the agent got them. */
  readonly calls: RecordedCall[];
  readonly lines: string[];
}

interface RecordedCall {
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * A brain that does what the model did in a recorded call: for each turn of the caller the same tools with the same arguments, and the
 * same words where they were recorded. A tool that has to be confirmed is asked for one turn earlier and confirmed in its own, since
 * the wire shows only that. The caller's turns must come in the recorded order; {@link recordedWords} has them.
 *
 * @throws TestingError `CW_RECORDING_UNREADABLE` when the agent was not subscribed to `user.text`.
 *
 * @example
 * ```ts no-run
 * import { readFileSync } from 'node:fs';
 * import { FakeVoiceServer, parseRecording, recordedBrain, recordedWords, webSocketTransport } from '@callwright/testing';
 *
 * async function playAgain(): Promise<void> {
 *   const recording = parseRecording(readFileSync('recordings/last-month.jsonl', 'utf8'));
 *   const transport = webSocketTransport('ws://127.0.0.1:8765');
 *   const call = await new FakeVoiceServer({ transport, brain: recordedBrain(recording) }).call();
 *   for (const words of recordedWords(recording)) await call.user(words);
 * }
 * void playAgain();
 * ```
 */
export function recordedBrain(recording: Recording): Script {
  const turns = turnsOf(recording);
  const confirmed = confirmedTools(recording.entries);
  return script(turns.map((turn, index) => stepOf(turn, turns[index + 1], confirmed)));
}

/** What the caller said in a recorded call, turn by turn. @throws TestingError as {@link recordedBrain}. */
export function recordedWords(recording: Recording): readonly string[] {
  return turnsOf(recording).map(({ text }) => text);
}

function stepOf(turn: RecordedTurn, next: RecordedTurn | undefined, confirmed: ReadonlySet<string>): Step {
  let step = when(turn.text);
  for (const { name, args } of turn.calls)
    step = confirmed.has(name) ? step.confirm() : step.call(name, args);
  for (const { name, args } of next?.calls ?? []) if (confirmed.has(name)) step = step.call(name, args);
  return step.say(turn.lines.join('') || UNRECORDED_LINE);
}

function turnsOf({ callId, entries }: Recording): RecordedTurn[] {
  const frames = entries.flatMap((entry) =>
    entry.kind === 'frame' && entry.from === 'server' ? [entry.frame] : [],
  );
  const turns = frames.flatMap((frame): RecordedTurn[] =>
    frame.type === 'user.text' && typeof frame.text === 'string' && typeof frame.epoch === 'number'
      ? [{ epoch: frame.epoch, text: frame.text, calls: [], lines: [] }]
      : [],
  );
  if (turns.length === 0 && frames.some((frame) => frame.type === 'tool.call')) {
    const reason = 'it has tool calls and no user.text: the agent was not subscribed to it';
    const details = { name: `the recording of ${callId}`, line: 1, reason };
    throw new TestingError('CW_RECORDING_UNREADABLE', testingErrors.CW_RECORDING_UNREADABLE(details));
  }
  const spoken = linesOfAgent(entries);
  for (const frame of frames) {
    // A tool call may overtake the words of its own turn, so turns are known by their epoch.
    const turn = turns.findLast(({ epoch }) => epoch === frame.epoch);
    if (turn === undefined) continue;
    if (frame.type === 'tool.call')
      turn.calls.push({ name: String(frame.name), args: frame.arguments as JsonObject });
    else if (frame.type === 'bot.text' && !spoken.has(String(frame.text)))
      turn.lines.push(String(frame.text));
  }
  return turns;
}

/** Lines that the agent said itself: the model did not. */
function linesOfAgent(entries: readonly RecordedEntry[]): ReadonlySet<string> {
  const lines = agentFrames(entries).flatMap((frame) => [frame.text, frame.say, frame.greeting]);
  return new Set(lines.filter((line) => typeof line === 'string'));
}

function confirmedTools(entries: readonly RecordedEntry[]): ReadonlySet<string> {
  const declared = agentFrames(entries).flatMap(({ tools }) =>
    Array.isArray(tools) ? (tools as JsonObject[]) : [],
  );
  return new Set(declared.filter(({ confirm }) => confirm === true).map(({ name }) => String(name)));
}

function agentFrames(entries: readonly RecordedEntry[]): JsonObject[] {
  return entries.flatMap((entry) => (entry.kind === 'frame' && entry.from === 'agent' ? [entry.frame] : []));
}
