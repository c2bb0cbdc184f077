import type { RecordingSink } from '@callwright/gateway';
import {
  formatRecording,
  type JsonObject,
  parseRecording,
  type RecordedEntry,
  type Recording,
} from './recording';
import { compareRecordings, type Difference } from './recording-difference';
import { RecordedValues, type ReplayValues } from './replay-values';
import { ReplayedLink } from './replayed-link';
import type { TestingModuleBuilder } from './testing-module';
import { VirtualClock } from './virtual-clock';

/** Options of {@link replay}. */
export interface ReplayOptions extends ReplayValues {
  /** Called after each entry of the recording. */
  readonly onProgress?: ((played: number, total: number) => void) | undefined;
}

/** How a replay went. */
export interface ReplayReport {
  /** What is not as it was recorded. None: the code does what it did. */
  readonly differences: readonly Difference[];
  /** Tool calls that could not be made, since a value of theirs was not recorded: `pay (call 3): card`. */
  readonly skipped: readonly string[];
  /** What the calls did today, to put in the recording's place; without what was skipped. */
  readonly today: Recording;
  /** The lines of {@link today}. */
  readonly text: string;
}

/**
 * Plays a recorded call against today's code: what the voice server sent then is sent again, at the same times of a virtual clock,
 * each tool call and event after what the agent did before it. What the agent does now is compared with what it did then.
 *
 * @param recording as {@link parseRecording} reads it
 * @param module the application, with what the test wants to replace in it
 * @throws BootError when the application cannot be made.
 *
 * @example
 * ```ts no-run
 * import { readFileSync } from 'node:fs';
 * import { formatDifferences, parseRecording, replay, Test } from '@callwright/testing';
 * import { Module, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'luigi', greeting: "Luigi's, good evening!" })
 * class LuigiAgent {}
 *
 * @Module({ agents: [LuigiAgent] })
 * class AppModule {}
 *
 * async function main(): Promise<void> {
 *   const recording = parseRecording(readFileSync('recordings/last-month.jsonl', 'utf8'));
 *   const report = await replay(recording, Test.createTestingModule({ imports: [AppModule] }));
 *   console.log(formatDifferences(report.differences));
 * }
 * void main();
 * ```
 */
export async function replay(
  recording: Recording,
  module: TestingModuleBuilder,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const lines: string[] = [];
  const clock = new VirtualClock({ startWallMs: Date.parse(recording.startedAt) });
  const app = await module.createApplication({ clock, record: sinkInto(lines) });
  const asking = askingCommands(recording);
  const link = new ReplayedLink(app.application, clock, (type, index) => asking.has(`${type} ${index}`));
  const run = new ReplayRun(recording, link, clock, options);
  try {
    await run.play();
  } finally {
    await clock.runUntil(app.application.close());
  }
  const today = todayOf(recording, lines);
  const skippedIds = run.skippedIds;
  return {
    differences: compareRecordings(without(recording, skippedIds), today),
    skipped: run.skipped,
    today,
    text: formatRecording(today),
  };
}

/** One list for everything: a start that is not taken as the call's own any more makes a second recording, without its head here. */
function sinkInto(lines: string[]): RecordingSink {
  return {
    open() {
      let isHead = lines.length > 0;
      return {
        write(line) {
          if (!isHead) lines.push(line);
          isHead = false;
        },
        close: () => undefined,
      };
    },
  };
}

/** What was recorded now, under the name of what was recorded then. A call that was turned away leaves nothing. */
function todayOf({ callId, agent, startedAt }: Recording, lines: readonly string[]): Recording {
  const entries = lines.length === 0 ? [] : parseRecording(lines.join('\n'), 'the replay').entries;
  return { callId, agent, startedAt, entries };
}

/** The recorded commands that asked for a result, `say 0`: what they got then, which may be nothing, they get today. */
function askingCommands({ entries }: Recording): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const asking = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== 'frame' || entry.from === 'server') continue;
    const type = String(entry.frame.type);
    const index = counts.get(type) ?? 0;
    counts.set(type, index + 1);
    if (entry.frame.id !== undefined) asking.add(`${type} ${index}`);
  }
  return asking;
}

/** Leaves out the tool calls that were skipped, and their results. */
function without(recording: Recording, ids: ReadonlySet<unknown>): Recording {
  const entries = recording.entries.filter((entry) => {
    if (entry.kind !== 'frame') return true;
    const { type, id } = entry.frame;
    return !((type === 'tool.call' || type === 'tool.result') && ids.has(id));
  });
  return { ...recording, entries };
}

/** What came at one time, with nothing of the agent in between, comes together: no timer runs in between either. */
function areTogether(previous: RecordedEntry | undefined, entry: RecordedEntry): boolean {
  if (previous?.kind !== 'frame' || entry.kind !== 'frame') return false;
  return previous.from === 'server' && entry.from === 'server' && previous.atMs === entry.atMs;
}

/** A tool may take this much longer than it did, a command may come this much later. */
const RESULT_PATIENCE_MS = 60_000;
const COMMAND_PATIENCE_MS = 1_000;

class ReplayRun {
  readonly skipped: string[] = [];
  readonly skippedIds = new Set<unknown>();
  readonly #recording: Recording;
  readonly #link: ReplayedLink;
  readonly #clock: VirtualClock;
  readonly #values: RecordedValues;
  readonly #onProgress: NonNullable<ReplayOptions['onProgress']>;
  readonly #startMs: number;
  /** How many commands of each type were recorded so far, and which id the recorded ones have today. */
  readonly #commandCounts = new Map<string, number>();
  readonly #todaysIds = new Map<unknown, string>();

  constructor(recording: Recording, link: ReplayedLink, clock: VirtualClock, options: ReplayOptions) {
    this.#recording = recording;
    this.#link = link;
    this.#clock = clock;
    this.#values = new RecordedValues(options);
    this.#onProgress = options.onProgress ?? (() => undefined);
    this.#startMs = clock.nowMs();
  }

  async play(): Promise<void> {
    const { entries } = this.#recording;
    for (const [index, entry] of entries.entries()) {
      if (!areTogether(entries[index - 1], entry)) await this.#reach(entry.atMs);
      if (entry.kind === 'frame') {
        if (entry.from === 'server') await this.#send(entry.frame);
        else await this.#expect(entry.frame);
      } else if (entry.kind === 'link' && entry.link === 'lost') this.#link.cut();
      else if (entry.kind === 'end') this.#link.close();
      this.#onProgress(index + 1, entries.length);
      if (this.#link.isRefused) return;
    }
    await this.#clock.settle();
  }

  /** Lets time pass before the next entry. Timers due at this very moment wait: whatever they did then is an entry too. */
  #reach(atMs: number): Promise<void> {
    const leftMs = this.#startMs + atMs - this.#clock.nowMs();
    return leftMs > 0 ? this.#clock.advance(leftMs) : this.#clock.settle();
  }

  async #send(frame: JsonObject): Promise<void> {
    const filled = this.#values.fill(frame);
    if (filled.missing.length > 0) {
      this.skippedIds.add(frame.id);
      this.skipped.push(`${String(frame.name)} (call ${String(frame.id)}): ${filled.missing.join(', ')}`);
      return;
    }
    switch (frame.type) {
      case 'unreadable':
        return;
      case 'session.start':
        await this.#link.dial(filled.frame);
        return;
      case 'command.result': {
        const id = this.#todaysIds.get(frame.id);
        if (id !== undefined) this.#link.send({ ...filled.frame, id });
        return;
      }
      default:
        this.#link.send(filled.frame);
    }
  }

  /** What the voice server sent next came after this: so it does now, if this comes at all. */
  async #expect(frame: JsonObject): Promise<void> {
    const { type, id } = frame;
    if (type === 'session.accept' || type === 'session.reject' || this.skippedIds.has(id)) return;
    if (type === 'tool.result') {
      await this.#link.until(() => this.#link.hasResult(id), RESULT_PATIENCE_MS);
      return;
    }
    const index = this.#commandCounts.get(String(type)) ?? 0;
    this.#commandCounts.set(String(type), index + 1);
    await this.#link.until(() => this.#link.command(String(type), index) !== undefined, COMMAND_PATIENCE_MS);
    const today = this.#link.command(String(type), index)?.id;
    if (id !== undefined && typeof today === 'string') this.#todaysIds.set(id, today);
  }
}
