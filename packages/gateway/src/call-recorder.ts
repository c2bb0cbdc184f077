import type { CallSession, Clock } from '@callwright/core';
import type { ServedAgent } from './agents';
import { CallRecording, ConnectionTap } from './call-recording';
import type { BrisvoxConnection } from './connection';
import type { RecordingSink } from './recording-sink';

/** Records the accepted calls of an application. */
export class CallRecorder {
  readonly #sink: RecordingSink;
  readonly #clock: Clock;
  readonly #taps = new WeakMap<BrisvoxConnection, ConnectionTap>();
  readonly #closing = new Set<Promise<void>>();
  readonly #recordings = new Map<CallSession, CallRecording>();

  constructor(sink: RecordingSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
  }

  /** A connection opened: what passes on it may become part of a recording. */
  watch(connection: BrisvoxConnection): void {
    this.#taps.set(connection, new ConnectionTap(connection, this.#clock));
  }

  /** The call was accepted on this connection. */
  begin(session: CallSession, agent: ServedAgent, connection: BrisvoxConnection): void {
    const tap = this.#taps.get(connection);
    if (tap === undefined) return;
    try {
      const { tools, contract } = agent.plan;
      const parts = {
        session,
        tools,
        agent: contract.options.name,
        tap,
        clock: this.#clock,
        sink: this.#sink,
      };
      this.#recordings.set(session, new CallRecording(parts));
    } catch (error) {
      tap.attach(undefined);
      session.logger.error('a call cannot be recorded', { error });
    }
  }

  /** The call goes on over this connection. */
  resume(session: CallSession, connection: BrisvoxConnection): void {
    const tap = this.#taps.get(connection);
    if (tap !== undefined) this.#recordings.get(session)?.resume(tap);
  }

  /** The call is torn down. */
  end(session: CallSession): void {
    const recording = this.#recordings.get(session);
    if (recording === undefined) return;
    this.#recordings.delete(session);
    recording.end();
    const { closed } = recording;
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
  }

  /** Waits until every recording that ended is written, at most so long. */
  async whenWritten(limitMs: number): Promise<void> {
    if (this.#closing.size === 0) return;
    const written = Promise.all(this.#closing);
    await new Promise<void>((resolve) => {
      const timer = this.#clock.setTimer(resolve, limitMs);
      void written.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }
}
