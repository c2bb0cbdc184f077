import type { CallState, CommandOptions } from './call';
import type { Clock } from './clock';
import { CommandPromise, type CommandPromiseOwner } from './command-promise';
import { coreErrors } from './errors';
import { CallClosed, CallwrightError, CommandError } from './failures';
import type { Command, Link } from './link';
import type { Logger } from './logger';
import { PendingCommands } from './pending-commands';
import { plainWord } from './plain-word';
import { reacting } from './reacting';
import { WantedTools } from './wanted-tools';

/** The method of `Call` that gives each command: how errors and logs name it. */
export const COMMAND_NAMES: Readonly<Record<Command['type'], string>> = {
  say: 'say',
  end: 'end',
  transfer: 'transfer',
  'context.update': 'updateContext',
  'tools.set': 'setTools',
};

/** A command on its way to the link. */
interface OutgoingCommand {
  readonly command: Command;
  readonly name: string;
  readonly ownId: string | undefined;
  readonly waits: boolean;
  /** Sequence number of the event that it reacts to. */
  readonly reaction: number | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What commands ask of the call that gives them. */
export interface CommandHost {
  readonly state: CallState;
  readonly link: Link | undefined;
  readonly logger: Logger;
}

/** The commands of one call: checked, sent, and their results waited for. */
export class CallCommands implements CommandPromiseOwner {
  readonly #host: CommandHost;
  readonly #clock: Clock;
  readonly #pending: PendingCommands;
  /** Given before the call was accepted. */
  #early: OutgoingCommand[] | undefined;
  #count = 0;
  /** Made when the agent narrows its tools, or the call is resumed. */
  #wantedTools: WantedTools | undefined;
  #endIsAgreed = false;

  constructor(host: CommandHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
    this.#pending = new PendingCommands(clock);
  }

  /** The agent asked for the end and the server agreed: a lost link is that end. */
  get endIsAgreed(): boolean {
    return this.#endIsAgreed;
  }

  give(command: Command, options: CommandOptions | undefined): Promise<void> {
    const name = COMMAND_NAMES[command.type];
    const waits = options?.wait !== false;
    const reaction = this.#reactionSeq();
    return new CommandPromise(name, this, (resolve, reject) => {
      const outgoing = { command, name, ownId: options?.id, waits, reaction, resolve, reject };
      if (this.#host.state !== 'connecting') this.#send(outgoing);
      else {
        this.#early ??= [];
        this.#early.push(outgoing);
      }
    });
  }

  /** The call is accepted: what was given before goes out. */
  flush(): void {
    const early = this.#early;
    this.#early = undefined;
    for (const outgoing of early ?? []) this.#send(outgoing);
  }

  /** The call was not accepted. */
  discard(): void {
    const early = this.#early;
    this.#early = undefined;
    for (const { name, reject } of early ?? []) reject(new CallClosed(name, 'not accepted'));
  }

  settle(id: string, ok: boolean, code: string, detail: string): void {
    const type = this.#pending.settle(id, ok, code, detail);
    if (!type) this.#host.logger.debug('a command result came for no waiting command');
    else if (type === 'end' && ok) this.#endIsAgreed = true;
  }

  /** The link was lost: what waits fails, but for an `end`: had the server read it, it would not come back. */
  linkLost(): void {
    this.#wantedTools?.cancel();
    this.#pending.failAll(
      (name) => new CallClosed(name, 'parked'),
      (command) => command.type === 'end',
    );
  }

  /** The link came back: an `end` in doubt is sent again under its id, and the wanted tools follow. */
  resume(link: Link): void {
    for (const { id, command } of this.#pending.entries()) link.sendCommand(command, id, undefined);
    // Also without a set: one that is given right now could be overridden by the server.
    this.#wantedTools ??= new WantedTools(this.#clock);
    this.#wantedTools.restore(link);
  }

  /** Something came on the new link. */
  noteMessage(): void {
    this.#wantedTools?.noteMessage();
  }

  /** Whether the tool is unknown until the agent's set of tools came back. */
  hidesTool(name: string): boolean {
    return this.#wantedTools?.hides(name) ?? false;
  }

  /** The call has ended: that answers an `end`, and fails what else waits. */
  end(): void {
    this.#wantedTools?.cancel();
    this.#pending.settleEnds();
    this.#pending.failAll((name) => new CallClosed(name, 'ended'));
  }

  refuseWaiting(command: string): Error | undefined {
    if (this.#host.state !== 'connecting') return undefined;
    return new CallwrightError('CW_CALL_CONNECTING', coreErrors.CW_CALL_CONNECTING({ command }));
  }

  defer(run: () => void): void {
    this.#clock.defer(run);
  }

  reportFailure(command: string, error: unknown): void {
    const level = CallClosed.is(error) ? 'debug' : 'warn';
    const code = CommandError.is(error) ? plainWord(error.code) : undefined;
    this.#host.logger[level]('a command that nobody waits for failed', { command, code, error });
  }

  #send({ command, name, ownId, waits, reaction, resolve, reject }: OutgoingCommand): void {
    const { link, state } = this.#host;
    if (!link?.isOpen) return reject(new CallClosed(name, state));
    const id = ownId ?? (waits || command.type === 'transfer' ? this.#nextId() : undefined);
    if (id !== undefined && this.#pending.has(id)) {
      return reject(new CommandError(name, 'invalid_argument', 'a command of that id is still waiting'));
    }
    try {
      link.sendCommand(command, id, reaction);
    } catch (error) {
      return reject(error);
    }
    if (command.type === 'tools.set') {
      this.#wantedTools ??= new WantedTools(this.#clock);
      this.#wantedTools.set(command.enabled);
    }
    if (waits && id !== undefined) this.#pending.add(id, { command, name, resolve, reject });
    else resolve();
  }

  #nextId(): string {
    let id: string;
    do id = `c${++this.#count}`;
    while (this.#pending.has(id));
    return id;
  }

  #reactionSeq(): number | undefined {
    const reaction = reacting.getStore();
    return reaction?.session === this.#host ? reaction.seq : undefined;
  }
}
