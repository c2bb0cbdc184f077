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

/** A command that was sent, and who waits for its result. */
export interface SentCommand {
  readonly name: string;
  readonly command: Command;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface PendingCommand extends SentCommand {
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

  add(id: string, sent: SentCommand): void {
    const waitMs = RESULT_WAIT_MS[sent.command.type];
    const timer = this.#clock.setTimer(() => {
      this.#pending?.delete(id);
      sent.reject(new CommandTimeout(sent.name, waitMs));
    }, waitMs);
    this.#pending ??= new Map();
    this.#pending.set(id, { ...sent, timer });
  }

  /** @returns the command's type, or undefined when nothing waits under that id (any more). */
  settle(id: string, ok: boolean, code: string, detail: string): Command['type'] | undefined {
    const pending = this.#take(id);
    if (!pending) return undefined;
    if (ok) pending.resolve();
    else pending.reject(new CommandError(pending.name, code, detail));
    return pending.command.type;
  }

  /** Resolves a waiting `end`: the call's end is its answer. */
  settleEnds(): void {
    for (const [id, pending] of [...(this.#pending ?? [])]) {
      if (pending.command.type === 'end') this.#take(id)?.resolve();
    }
  }

  /** Fails what waits, but for those that `keep` wants kept. */
  failAll(errorFor: (name: string) => Error, keep: (command: Command) => boolean = () => false): void {
    for (const [id, pending] of [...(this.#pending ?? [])]) {
      if (!keep(pending.command)) this.#take(id)?.reject(errorFor(pending.name));
    }
  }

  /** What waits for a result. */
  entries(): { readonly id: string; readonly command: Command }[] {
    return [...(this.#pending ?? [])].map(([id, { command }]) => ({ id, command }));
  }

  #take(id: string): PendingCommand | undefined {
    const pending = this.#pending?.get(id);
    if (!pending) return undefined;
    this.#pending?.delete(id);
    pending.timer.cancel();
    return pending;
  }
}
