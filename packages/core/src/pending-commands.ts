import type { Clock, ClockTimer } from './clock';
import { CommandError, CommandTimeout } from './failures';
import type { Command } from './link';

/** How long a command's result is waited for; after that its outcome is unknown. */
const RESULT_WAIT_MS: Readonly<Record<Command['type'], number>> = {
  say: 10_000,
  'context.update': 10_000,
  'tools.set': 10_000,
  end: 45_000,
  transfer: 60_000,
};

interface PendingCommand {
  readonly name: string;
  readonly type: Command['type'];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly timer: ClockTimer;
}

/** The commands of one call whose result has not come, by their id on the wire. */
export class PendingCommands {
  readonly #clock: Clock;
  #pending: Map<string, PendingCommand> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many wait. */
  get size(): number {
    return this.#pending?.size ?? 0;
  }

  has(id: string): boolean {
    return this.#pending?.has(id) ?? false;
  }

  add(
    id: string,
    type: Command['type'],
    name: string,
    resolve: () => void,
    reject: (error: unknown) => void,
  ): void {
    const waitMs = RESULT_WAIT_MS[type];
    const timer = this.#clock.setTimer(() => {
      this.#pending?.delete(id);
      reject(new CommandTimeout(name, waitMs));
    }, waitMs);
    this.#pending ??= new Map();
    this.#pending.set(id, { name, type, resolve, reject, timer });
  }

  /** @returns the command's type, or undefined when nothing waits under that id (any more). */
  settle(id: string, ok: boolean, code: string, detail: string): Command['type'] | undefined {
    const pending = this.#take(id);
    if (!pending) return undefined;
    if (ok) pending.resolve();
    else pending.reject(new CommandError(pending.name, code, detail));
    return pending.type;
  }

  /** Resolves a waiting `end`: the call's end is its answer. */
  settleEnds(): void {
    for (const [id, pending] of [...(this.#pending ?? [])]) {
      if (pending.type === 'end') this.#take(id)?.resolve();
    }
  }

  failAll(errorFor: (name: string) => Error): void {
    for (const [id, pending] of [...(this.#pending ?? [])]) this.#take(id)?.reject(errorFor(pending.name));
  }

  #take(id: string): PendingCommand | undefined {
    const pending = this.#pending?.get(id);
    if (!pending) return undefined;
    this.#pending?.delete(id);
    pending.timer.cancel();
    return pending;
  }
}
