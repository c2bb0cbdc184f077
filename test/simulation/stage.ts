import type { Clock } from '@callwright/core';
import type { History, ToolArguments } from './history';

/** What the simulated user code shares: where it notes what it does, and how it waits. */
export class Stage {
  readonly history: History;
  readonly clock: Clock;
  #count = 0;

  constructor(history: History, clock: Clock) {
    this.history = history;
    this.clock = clock;
  }

  /** A number that nothing else in this world has. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.setTimer(resolve, ms);
    });
  }

  /** Notes when the promise of a command settles. The command's failure is user code's to handle, as it does here. */
  watch(instance: number, command: string, promise: Promise<void>): Promise<void> {
    const number = this.next();
    this.history.add({ kind: 'commanded', instance, promise: number, command });
    const settled = (outcome: string) => (): void =>
      this.history.add({ kind: 'command settled', promise: number, outcome });
    promise.then(settled('ok'), settled('failed'));
    return promise;
  }

  /** Notes that a tool's method runs, until it settles. */
  began(
    instance: number,
    context: {
      readonly name: string;
      readonly toolCallId: string;
      readonly wireKey: string;
      readonly signal: AbortSignal;
    },
    args: ToolArguments,
  ): number {
    const run = this.next();
    const { name: tool, toolCallId: callId, wireKey: key } = context;
    this.history.add({ kind: 'tool began', instance, run, tool, callId, key, args });
    const stopped = (): void => this.history.add({ kind: 'tool stopped', instance, run });
    if (context.signal.aborted) stopped();
    else context.signal.addEventListener('abort', stopped, { once: true });
    return run;
  }
}

/** A promise that never settles: what hanging user code waits for. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
