import type { CallState } from '@callwright/core';

/** A frame of the wire, as JSON. */
export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** One request for a tool, as the simulated model made it. */
export interface ToolArguments {
  readonly tag: string;
  readonly how: string;
  readonly ms: number;
  readonly what: string;
}

/** What can happen, as the history keeps it. `call` is the true call of a frame, `instance` the agent instance that did something. */
export type Happening =
  // The wire: what the agent's end read and wrote, in the order of its own end.
  | { readonly kind: 'dialled'; readonly call: string; readonly wire: number }
  | { readonly kind: 'read'; readonly call: string; readonly wire: number; readonly frame: Frame }
  | { readonly kind: 'pinged'; readonly call: string; readonly wire: number }
  | {
      readonly kind: 'wrote';
      readonly call: string;
      readonly wire: number;
      readonly frame: Frame;
      readonly text: string;
    }
  | {
      readonly kind: 'closed';
      readonly call: string;
      readonly wire: number;
      readonly by: 'peer' | 'agent' | 'reset';
    }
  // The simulated voice server.
  | { readonly kind: 'got a result'; readonly call: string; readonly id: number }
  | { readonly kind: 'accepted'; readonly call: string }
  | { readonly kind: 'refused'; readonly call: string; readonly why: string }
  | { readonly kind: 'lost'; readonly call: string; readonly redials: boolean }
  | { readonly kind: 'resumed'; readonly call: string }
  | { readonly kind: 'gone'; readonly call: string; readonly why: string }
  | { readonly kind: 'hung up'; readonly call: string }
  | { readonly kind: 'broke a rule'; readonly call: string; readonly rule: string }
  | { readonly kind: 'quiet'; readonly call: string; readonly offered: readonly string[] | null }
  // User code.
  | { readonly kind: 'built'; readonly instance: number; readonly role: 'agent' | 'companion' }
  | { readonly kind: 'disposed'; readonly instance: number; readonly role: 'agent' | 'companion' }
  | {
      readonly kind: 'heard';
      readonly instance: number;
      readonly type: string;
      readonly tag: string | undefined;
      readonly ordinal: number;
      readonly state: CallState;
    }
  | { readonly kind: 'handler began'; readonly instance: number; readonly token: number }
  | { readonly kind: 'handler ended'; readonly instance: number; readonly token: number }
  | { readonly kind: 'ticked'; readonly instance: number }
  | { readonly kind: 'end began'; readonly instance: number; readonly reason: string }
  | {
      readonly kind: 'tool began';
      readonly instance: number;
      readonly run: number;
      readonly tool: string;
      readonly callId: string;
      readonly key: string;
      readonly args: ToolArguments;
    }
  | { readonly kind: 'tool settled'; readonly instance: number; readonly run: number }
  | { readonly kind: 'tool stopped'; readonly instance: number; readonly run: number }
  | {
      readonly kind: 'commanded';
      readonly instance: number;
      readonly promise: number;
      readonly command: string;
    }
  | { readonly kind: 'command settled'; readonly promise: number; readonly outcome: string }
  // The application.
  | { readonly kind: 'closing'; readonly lameDuckMs: number; readonly drainMs: number }
  | { readonly kind: 'closed application' }
  | { readonly kind: 'fault'; readonly what: string }
  | {
      readonly kind: 'over';
      readonly timers: number;
      readonly calls: number;
      readonly listeners: number;
    };

/** A happening and its time on the virtual clock. */
export type Entry = Happening & { readonly atMs: number };

/** The entries of one kind. */
export type EntryOf<K extends Happening['kind']> = Extract<Entry, { readonly kind: K }>;

/** Everything that happened in one world, in order. */
export class History {
  readonly entries: Entry[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(happening: Happening): void {
    this.entries.push({ ...happening, atMs: this.#nowMs() });
  }
}
