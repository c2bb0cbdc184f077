import type { Clock, ToolKind } from '@callwright/core';
import type { ToolStatus } from './brain';

/** One thing that happened in a call. `atMs` counts from the call's start on the server's clock. */
export type TranscriptEntry =
  | UserEntry
  | BotEntry
  | ToolEntry
  | ConfirmationEntry
  | CommandEntry
  | LinkEntry
  | NoteEntry
  | RefusedEntry
  | EndEntry;

/** The user said something. */
export interface UserEntry {
  readonly kind: 'user';
  readonly atMs: number;
  readonly text: string;
  readonly epoch: number;
}

/** The bot says something: an answer of the model, or a line of the agent. */
export interface BotEntry {
  readonly kind: 'bot';
  readonly atMs: number;
  readonly source: 'model' | 'greeting' | 'say' | 'farewell' | 'filler';
  readonly epoch: number;
  text: string;
  /** When the bot fell silent; undefined while it speaks, and when it was interrupted. */
  silentAtMs: number | undefined;
  interrupted: boolean;
}

/** The model called a tool. */
export interface ToolEntry {
  readonly kind: 'tool';
  readonly atMs: number;
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly toolKind: ToolKind | undefined;
  /** The wire's id; undefined when the agent was never asked. */
  id: number | undefined;
  /** True when the user confirmed the call before it ran. */
  readonly confirmed: boolean;
  /** `running` until the model has an outcome. */
  status: ToolStatus | 'running';
  /** What the model read. */
  text: string;
  /** Milliseconds until the model had an outcome. */
  durationMs: number | undefined;
  /** What the agent answered after the model had stopped waiting. */
  lateText: string | undefined;
}

/** The server held a call and the model was told to ask the user. */
export interface ConfirmationEntry {
  readonly kind: 'confirmation';
  readonly atMs: number;
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The agent sent a command. */
export interface CommandEntry {
  readonly kind: 'command';
  readonly atMs: number;
  readonly type: 'say' | 'end' | 'transfer' | 'context.update' | 'tools.set';
  /** The fields of the command without `type`, `id` and `re`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** `waiting`, `ok`, or the error code. */
  outcome: string;
  durationMs: number | undefined;
}

/** The link to the agent changed. */
export interface LinkEntry {
  readonly kind: 'link';
  readonly atMs: number;
  readonly what: 'connected' | 'lost' | 'resumed' | 'gone';
  readonly detail: string;
}

/** Something else worth reading, such as a late note to the model. */
export interface NoteEntry {
  readonly kind: 'note';
  readonly atMs: number;
  readonly text: string;
}

/** The agent sent something that a voice server refuses. */
export interface RefusedEntry {
  readonly kind: 'refused';
  readonly atMs: number;
  readonly reason: string;
}

/** The call ended. */
export interface EndEntry {
  readonly kind: 'end';
  readonly atMs: number;
  readonly reason: string;
}

type WithoutTime<Entry> = Entry extends TranscriptEntry ? Omit<Entry, 'kind' | 'atMs'> : never;

const MAX_ENTRIES = 10_000;

/** What happened in a call, in order. At most 10,000 entries: more is a test that has run away. */
export class Transcript {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #entries: TranscriptEntry[] = [];
  readonly #settledListeners = new Set<(entry: TranscriptEntry) => void>();
  readonly #changeListeners = new Set<(entry: TranscriptEntry) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.nowMs();
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Milliseconds since the call's start. */
  nowMs(): number {
    return this.#clock.nowMs() - this.#startMs;
  }

  add<Kind extends TranscriptEntry['kind']>(
    kind: Kind,
    fields: WithoutTime<Extract<TranscriptEntry, { kind: Kind }>>,
  ): Extract<TranscriptEntry, { kind: Kind }> {
    // The compiler does not see that a kind and its other fields make the entry of that kind.
    const entry = { kind, atMs: this.nowMs(), ...fields } as unknown as Extract<
      TranscriptEntry,
      { kind: Kind }
    >;
    if (this.#entries.length < MAX_ENTRIES) this.#entries.push(entry);
    for (const listener of [...this.#changeListeners]) listener(entry);
    return entry;
  }

  /** Says that an entry will not change any more; the printer prints it then. */
  settle(entry: TranscriptEntry): void {
    for (const listener of [...this.#changeListeners, ...this.#settledListeners]) listener(entry);
  }

  /** Adds an entry that is complete at once. */
  note<Kind extends TranscriptEntry['kind']>(
    kind: Kind,
    fields: WithoutTime<Extract<TranscriptEntry, { kind: Kind }>>,
  ): void {
    this.settle(this.add(kind, fields));
  }

  /** Hears every entry when it is complete. Returns how to stop. */
  onSettled(listener: (entry: TranscriptEntry) => void): () => void {
    this.#settledListeners.add(listener);
    return () => this.#settledListeners.delete(listener);
  }

  /** Hears every entry when it is added and when it is complete. Returns how to stop. */
  onChange(listener: (entry: TranscriptEntry) => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }
}
