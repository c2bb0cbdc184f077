import { inspect } from 'node:util';
import { brandClass } from './class-brand';
import type { CallEndReason } from './events';
import type { CallerIdentity, Command, ContextMessage, Link, LinkCapabilities } from './link';

/** Where a call stands: `connecting → live ⇄ parked → ended`. */
export type CallState = 'connecting' | 'live' | 'parked' | 'ended';

/** What every command takes. */
export interface CommandOptions {
  /** The command's id on the wire, 1 to 64 bytes of UTF-8. @default generated */
  readonly id?: string | undefined;
  /**
   * False: do not ask for a result; the promise settles when the command was sent, and is already handled.
   * @default true
   */
  readonly wait?: boolean | undefined;
}

/** Options of {@link Call.say}. */
export interface SayOptions extends CommandOptions {
  /** Cuts a running response of the bot, never the caller. @default false */
  readonly interrupt?: boolean | undefined;
}

/** Options of {@link Call.end}. */
export interface EndOptions extends CommandOptions {
  /** A farewell, spoken before the call ends; not blank, at most 4,096 bytes of UTF-8. */
  readonly say?: string | undefined;
  /** For the voice server's records; at most 512 bytes of UTF-8. */
  readonly reason?: string | undefined;
}

/** Options of {@link Call.updateContext}; one of them is given. */
export interface ContextUpdate extends CommandOptions {
  /** Replaces the system prompt; at most 65,536 bytes of UTF-8. */
  readonly systemPrompt?: string | undefined;
  /** Messages to append, at most 32; all or nothing. */
  readonly append?: readonly ContextMessage[] | undefined;
}

/** Options of {@link TransferableCall.transfer}. */
export interface TransferOptions extends CommandOptions {
  /** `warm`: the caller is announced first. @default the voice server's */
  readonly mode?: 'cold' | 'warm' | undefined;
  /** For who takes the call; at most 512 bytes of UTF-8. */
  readonly summary?: string | undefined;
  /** For the voice server's records; at most 512 bytes of UTF-8. */
  readonly reason?: string | undefined;
}

/** What a {@link Call} reads from and sends through: the session that runs it. */
export interface CallControl {
  readonly id: string;
  readonly sessionId: string;
  readonly agentName: string;
  readonly protocolVersion: number;
  readonly capabilities: LinkCapabilities;
  readonly caller: CallerIdentity | undefined;
  readonly state: CallState;
  readonly resumeCount: number;
  readonly endReason: CallEndReason | undefined;
  /** Undefined while the call has none. */
  readonly link: Link | undefined;
  command(command: Command, options: CommandOptions | undefined): Promise<void>;
}

declare const transferable: unique symbol;

/** A call that can be handed to another number; `call.can('transfer')` narrows to it. */
export interface TransferableCall extends Call {
  readonly [transferable]: true;
  /**
   * Hands the call to another number. It may take 20 s and more; it always carries an id, which is the carrier's
   * idempotency key.
   * @param destination E.164: `+` and 8 to 15 digits, the first not 0.
   * @throws CommandError `rejected`, `unavailable`, `unsupported`, `invalid_argument`, `queue_full`; CommandTimeout after 60 s; CallClosed.
   */
  transfer(destination: string, options?: TransferOptions): Promise<void>;
}

/**
 * The live call: injected into agents, CALL providers and tools. Each command returns the promise of its result; a failure
 * nobody awaits is logged and never an unhandled rejection. In an event handler commands name the event they react to.
 */
export class Call {
  readonly #control: CallControl;

  constructor(control: CallControl) {
    this.#control = control;
  }

  static {
    brandClass(Call, 'Call');
    // The compiler sees it only behind `can('transfer')`: if it stood in the class, the other branch would be `never`.
    Object.defineProperty(Call.prototype, 'transfer', {
      value(this: Call, destination: string, options?: TransferOptions): Promise<void> {
        const { mode, summary, reason } = options ?? {};
        return this.#control.command({ type: 'transfer', destination, mode, summary, reason }, options);
      },
    });
    // For conformance tests that speak past our checks. No declaration names it, so nobody uses it by accident.
    Object.defineProperty(Call.prototype, Symbol.for('callwright:core:link'), {
      get(this: Call): Link | undefined {
        return this.#control.link;
      },
    });
  }

  /** Ours, unique for ever; the one in logs. */
  get id(): string {
    return this.#control.id;
  }

  /** The wire's counter; not unique. */
  get sessionId(): string {
    return this.#control.sessionId;
  }

  /** The agent definition's name on the voice server. */
  get agentName(): string {
    return this.#control.agentName;
  }

  get protocolVersion(): number {
    return this.#control.protocolVersion;
  }

  get capabilities(): LinkCapabilities {
    return this.#control.capabilities;
  }

  /** Who calls; its numbers are personal data. */
  get caller(): CallerIdentity | undefined {
    return this.#control.caller;
  }

  get state(): CallState {
    return this.#control.state;
  }

  /** How often the link was lost and came back. */
  get resumeCount(): number {
    return this.#control.resumeCount;
  }

  /** Set once the call has ended. */
  get endReason(): CallEndReason | undefined {
    return this.#control.endReason;
  }

  /** Whether the call can do it; narrows to {@link TransferableCall} in both branches. */
  can(_capability: 'transfer'): this is TransferableCall {
    return this.#control.capabilities.transfer;
  }

  /**
   * Queues a line for the bot to speak. The result says that it is queued, not that it was spoken: while the bot or the caller
   * speaks, the voice server holds at most 8 lines.
   * @param text Not blank, at most 4,096 bytes of UTF-8.
   * @throws CommandError `invalid_argument`, `queue_full`, `call_ended`; CommandTimeout after 10 s; CallClosed.
   */
  say(text: string, options?: SayOptions): Promise<void> {
    return this.#control.command(
      options?.interrupt === true ? { type: 'say', text, interrupt: true } : { type: 'say', text },
      options,
    );
  }

  /**
   * Ends the call, after a farewell if one is given. The result comes when the bot is silent, at most 30 s later.
   * @throws CommandError `invalid_argument`, `queue_full`; CommandTimeout after 45 s; CallClosed.
   */
  end(options?: EndOptions): Promise<void> {
    return this.#control.command({ type: 'end', say: options?.say, reason: options?.reason }, options);
  }

  /**
   * Changes what the model knows, from its next response on.
   * @throws CommandError `invalid_argument`, `too_large`, `queue_full`, `call_ended`; CommandTimeout after 10 s; CallClosed.
   */
  updateContext(update: ContextUpdate): Promise<void> {
    const { systemPrompt, append } = update;
    return this.#control.command({ type: 'context.update', systemPrompt, append }, update);
  }

  /**
   * Offers only these tools to the model, from its next response on; the voice server's own tools are named here too.
   * `'all'` offers every one.
   * @throws CommandError `too_large` (over 256 names), `queue_full`, `call_ended`; CommandTimeout after 10 s; CallClosed.
   */
  setTools(names: readonly string[] | 'all', options?: CommandOptions): Promise<void> {
    return this.#control.command(
      { type: 'tools.set', enabled: names === 'all' ? null : [...names] },
      options,
    );
  }

  /** Nothing of the caller. */
  toJSON(): { id: string; agentName: string; state: CallState } {
    return { id: this.id, agentName: this.agentName, state: this.state };
  }

  [inspect.custom](): string {
    return `Call { id: '${this.id}', agentName: '${this.agentName}', state: '${this.state}' }`;
  }
}
