import type { CallSession, Clock } from '@callwright/core';
import type { BrisvoxConnection } from './connection';
import { FrameRedactor } from './frame-redactor';
import type { RecordingSink, RecordingTarget } from './recording-sink';

/** What one recording may have, in characters of its lines; then it ends with a line that says so. */
export const MAX_RECORDED_CHARACTERS = 16_777_216;

type Direction = 'server' | 'agent';

/** The recording of one call: lines of JSON, redacted as they are written. */
export class CallRecording {
  readonly #session: CallSession;
  readonly #clock: Clock;
  readonly #redactor: FrameRedactor;
  readonly #target: RecordingTarget;
  readonly #startedMs: number;
  #tap: ConnectionTap;
  #isLinked = true;
  #isOver = false;
  #characters = 0;
  /** Settles when the target has everything. */
  closed: Promise<void> = Promise.resolve();

  constructor(parts: {
    readonly session: CallSession;
    readonly tools: ConstructorParameters<typeof FrameRedactor>[0];
    readonly agent: string;
    readonly tap: ConnectionTap;
    readonly clock: Clock;
    readonly sink: RecordingSink;
  }) {
    const { session, tap, clock } = parts;
    this.#session = session;
    this.#clock = clock;
    this.#redactor = new FrameRedactor(parts.tools);
    this.#startedMs = tap.firstMs;
    this.#tap = tap;
    const startedWallMs = clock.wallMs() - (clock.nowMs() - this.#startedMs);
    const at = new Date(startedWallMs).toISOString();
    const name = `${at.replaceAll(/[-:]/g, '').replace('.', '')}-${session.id}`;
    this.#target = parts.sink.open(name, (error) => this.#failed(error));
    this.#write({ recording: 1, callId: session.id, agent: parts.agent, startedAt: at });
    tap.attach(this);
  }

  frame(from: Direction, text: string, ms: number): void {
    if (this.#isOver) return;
    try {
      this.#write({ atMs: this.#atMs(ms), [from]: this.#redactor.redact(text) });
    } catch (error) {
      // A fault here must not reach the socket that the frame came from.
      this.#failed(error);
    }
  }

  /** The connection is gone: the call's end, or a link that may come back. */
  linkClosed(): void {
    if (this.#session.state === 'parked') this.#lost();
  }

  /** The call goes on over another connection. */
  resume(tap: ConnectionTap): void {
    this.#tap.attach(undefined);
    this.#lost();
    this.#tap = tap;
    this.#isLinked = true;
    this.#write({ atMs: this.#atMs(tap.firstMs), link: 'resumed' });
    tap.attach(this);
  }

  /** The call is over and torn down. */
  end(): void {
    this.#write({ atMs: this.#atMs(this.#clock.nowMs()), end: this.#session.endReason });
    this.#stop();
  }

  #lost(): void {
    if (!this.#isLinked) return;
    this.#isLinked = false;
    this.#write({ atMs: this.#atMs(this.#clock.nowMs()), link: 'lost' });
  }

  #write(line: Readonly<Record<string, unknown>>): void {
    if (this.#isOver) return;
    try {
      const text = JSON.stringify(line);
      this.#characters += text.length;
      if (this.#characters <= MAX_RECORDED_CHARACTERS) return this.#hand(text);
      this.#hand(JSON.stringify({ atMs: line.atMs, cut: 'the recording is too long' }));
      this.#session.logger.warn('a recording was cut', { maxCharacters: MAX_RECORDED_CHARACTERS });
      this.#stop();
    } catch (error) {
      this.#failed(error);
    }
  }

  #hand(text: string): void {
    const written: unknown = this.#target.write(text); // a target may well be written as an async function
    if (written instanceof Promise) written.catch((error) => this.#failed(error));
  }

  #failed(error: unknown): void {
    if (this.#isOver) return;
    this.#session.logger.error('a call could not be recorded any further', { error });
    this.#stop();
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tap.attach(undefined);
    this.closed = this.#close();
  }

  async #close(): Promise<void> {
    try {
      await this.#target.close();
    } catch (error) {
      this.#session.logger.error('a recording could not be closed', { error });
    }
  }

  #atMs(ms: number): number {
    return Math.round((ms - this.#startedMs) * 1_000) / 1_000;
  }
}

/** Hears one connection from its first frame on, and keeps what it hears until the call is known that it belongs to. */
export class ConnectionTap {
  readonly #clock: Clock;
  #held: { readonly from: Direction; readonly text: string; readonly ms: number }[] = [];
  #recording: CallRecording | undefined;
  #isDropped = false;
  #firstMs: number | undefined;

  constructor(connection: BrisvoxConnection, clock: Clock) {
    this.#clock = clock;
    connection.hearFrames({
      received: (text) => this.#hear('server', text),
      sent: (text) => this.#hear('agent', text),
      closed: () => this.#recording?.linkClosed(),
    });
  }

  /** When the first frame came. */
  get firstMs(): number {
    return this.#firstMs ?? this.#clock.nowMs();
  }

  /** From now on the recording gets what is heard, and at once what was heard before; without one, nobody does. */
  attach(recording: CallRecording | undefined): void {
    this.#recording = recording;
    this.#isDropped = recording === undefined;
    for (const { from, text, ms } of this.#held.splice(0)) recording?.frame(from, text, ms);
  }

  #hear(from: Direction, text: string): void {
    const ms = this.#clock.nowMs();
    this.#firstMs ??= ms;
    if (this.#recording !== undefined) this.#recording.frame(from, text, ms);
    // As much as a handshake holds, which closes the connection at its own limits.
    else if (!this.#isDropped) this.#held.push({ from, text, ms });
  }
}
