import type { CallScope } from '@callwright/di';
import type { AgentPlan, HandlerBinding } from './agent-plan';
import { Call, type CallControl, type CallState, type CommandOptions } from './call';
import type { ClockTimer } from './clock';
import { CommandPromise, type CommandPromiseOwner } from './command-promise';
import type { ToolPlan } from './contract';
import { coreErrors } from './errors';
import { CallEnd, type CallEndReason, type CallEvent, type EventsLost } from './events';
import { CallClosed, CallwrightError, CommandError } from './failures';
import type { Accept, CallStart } from './hooks';
import type {
  CallerIdentity,
  CallOpening,
  Command,
  Link,
  LinkCapabilities,
  ToolCancelReason,
  ToolRequest,
} from './link';
import type { Logger } from './logger';
import { Mailbox } from './mailbox';
import { mergeAccepts } from './merge-accepts';
import { PendingCommands } from './pending-commands';
import type { CallPorts } from './ports';
import { type Reaction, reacting } from './reacting';
import { type ToolHost, ToolRunner } from './tool-runner';

/** How long the end of a call waits for a handler that is still running. */
export const HANDLER_GRACE_MS = 10_000;
/** How long the teardown waits for side effects that are still running. */
export const SIDE_EFFECT_GRACE_MS = 30_000;
/** How long the disposal of a call's instances may take. */
const DISPOSAL_LIMIT_MS = 10_000;

const COMMAND_NAMES: Readonly<Record<Command['type'], string>> = {
  say: 'say',
  end: 'end',
  transfer: 'transfer',
  'context.update': 'updateContext',
  'tools.set': 'setTools',
};

/** What a session tells who keeps it. */
export interface SessionObserver {
  /** The call has ended and everything of it is torn down. */
  onTornDown(session: CallSession): void;
}

/**
 * The life of one call: `connecting → live → ended`. The link feeds it; it feeds the agent's instance. Nothing that user code does
 * reaches the link's reader: exceptions are logged, and nothing here waits for user code while reading.
 */
export class CallSession implements CallControl, CommandPromiseOwner, ToolHost {
  readonly id: string;
  readonly call: Call;
  readonly logger: Logger;
  readonly #opening: CallOpening;
  readonly #plan: AgentPlan;
  readonly #ports: CallPorts;
  readonly #observer: SessionObserver | undefined;
  readonly #scope: CallScope;
  readonly #mailbox: Mailbox<CallEvent>;
  readonly #tools: ToolRunner;
  readonly #commands: PendingCommands;
  #state: CallState = 'connecting';
  #endReason: CallEndReason | undefined;
  #link: Link | undefined;
  /** Commands given before the call was accepted. */
  #early: (() => void)[] | undefined;
  #commandCount = 0;
  /** Names of the tools this call offers; undefined: all of the agent's. */
  #offered: ReadonlySet<string> | undefined;
  /** The agent asked for the end and the server agreed: a lost link is that end. */
  #endIsAgreed = false;
  /** Runs while the end waits for a handler. */
  #handlerTimer: ClockTimer | undefined;

  /** Builds the call's scope. @throws what a provider's constructor throws; nothing is left then. */
  constructor(plan: AgentPlan, opening: CallOpening, ports: CallPorts, observer?: SessionObserver) {
    this.id = ports.newId();
    this.#opening = opening;
    this.#plan = plan;
    this.#ports = ports;
    this.#observer = observer;
    this.logger = ports.logger.forCall(this.id);
    this.call = new Call(this);
    this.#mailbox = new Mailbox((event, seq) => this.#deliver(event, seq));
    this.#tools = new ToolRunner(this, ports);
    this.#commands = new PendingCommands(ports.clock);
    this.#scope = plan.openScope(this.call, this.logger, this.id);
  }

  get sessionId(): string {
    return this.#opening.sessionId;
  }

  get agentName(): string {
    return this.#opening.agentName;
  }

  get protocolVersion(): number {
    return this.#opening.protocolVersion;
  }

  get capabilities(): LinkCapabilities {
    return this.#opening.capabilities;
  }

  get caller(): CallerIdentity | undefined {
    return this.#opening.caller;
  }

  get state(): CallState {
    return this.#state;
  }

  get resumeCount(): number {
    return 0;
  }

  get endReason(): CallEndReason | undefined {
    return this.#endReason;
  }

  get link(): Link | undefined {
    return this.#link;
  }

  /**
   * Runs the start hooks: of every CALL provider, then of the agent.
   * @returns what they change for this call; undefined when they change nothing.
   * @throws what a hook throws; TypeError when one returns no usable `Accept`.
   */
  async start(): Promise<Accept | undefined> {
    const start: CallStart = this.#opening;
    let accept: Accept | undefined;
    for (const hook of this.#plan.startHooks(this.#scope)) {
      accept = mergeAccepts(accept, await hook.onCallStart(start), this.#plan);
    }
    this.#offered = accept?.tools && new Set(accept.tools);
    return accept;
  }

  /** The accept was handed to an open socket: the call is live. Commands given in the start hooks go out now. */
  open(link: Link): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'live';
    this.#link = link;
    const early = this.#early;
    this.#early = undefined;
    for (const send of early ?? []) send();
  }

  /** The call was not accepted: no end hook runs; what was built is torn down. */
  discard(): Promise<void> {
    if (this.#state !== 'connecting') return Promise.resolve();
    this.#state = 'ended';
    this.#early = undefined;
    return this.#dispose();
  }

  /** Whether anything listens to events of this wire name: if not, none need be built. */
  hears(eventType: string): boolean {
    return this.#plan.handlers.has(eventType);
  }

  handleEvent(event: CallEvent, seq: number | undefined): void {
    if (this.#state !== 'live' || !this.#plan.handlers.has(event.type)) return;
    this.#mailbox.push(event, seq);
  }

  handleToolCall(request: ToolRequest): void {
    if (this.#state === 'live' && this.#link) this.#tools.handleCall(request, this.#link);
  }

  handleToolCancel(id: number, reason: ToolCancelReason): void {
    this.#tools.handleCancel(id, reason);
  }

  handleCommandResult(id: string, ok: boolean, code = '', detail = ''): void {
    const type = this.#commands.settle(id, ok, code, detail);
    if (!type) this.logger.debug('a command result came for no waiting command');
    else if (type === 'end' && ok) this.#endIsAgreed = true;
  }

  /** The voice server says that the call is over. */
  handleSessionEnd(reason: CallEndReason): void {
    this.end(reason, 'call_ended');
  }

  /** The link was lost: without resumption that is the call's end. */
  handleLinkLost(): void {
    this.end(this.#endIsAgreed ? 'ended_by_agent' : 'link_closed', 'link_closed');
  }

  /** Ends the call, once: `onCallEnd` after all earlier events, then the teardown. */
  end(reason: CallEndReason, cancelReason: ToolCancelReason): void {
    if (this.#state !== 'live') return;
    this.#state = 'ended';
    this.#endReason = reason;
    this.#link = undefined;
    this.#commands.settleEnds();
    this.#commands.failAll((name) => new CallClosed(name, 'ended'));
    this.#tools.cancelAll(cancelReason);
    const end = new CallEnd(reason);
    if (this.#mailbox.isBusy) this.#limitHandler(end);
    this.#mailbox.pushAlways(end, undefined);
  }

  findTool(name: string): { plan: ToolPlan; instance: object } | undefined {
    const tool = this.#plan.tools.get(name);
    if (!tool || (this.#offered && !this.#offered.has(name))) return undefined;
    return { plan: tool.plan, instance: this.#scope.root(tool.rootIndex) as object };
  }

  command(command: Command, options: CommandOptions | undefined): Promise<void> {
    const name = COMMAND_NAMES[command.type];
    const waits = options?.wait !== false;
    const reaction = this.#reactionSeq();
    return new CommandPromise(name, this, (resolve, reject) => {
      if (this.#state === 'connecting') {
        this.#early ??= [];
        this.#early.push(() => this.#send(command, name, options?.id, waits, reaction, resolve, reject));
      } else this.#send(command, name, options?.id, waits, reaction, resolve, reject);
    });
  }

  refuseWaiting(command: string): Error | undefined {
    if (this.#state !== 'connecting') return undefined;
    return new CallwrightError('CW_CALL_CONNECTING', coreErrors.CW_CALL_CONNECTING({ command }));
  }

  reportFailure(command: string, error: unknown): void {
    const level = CallClosed.is(error) ? 'debug' : 'warn';
    const code = CommandError.is(error) ? error.code : undefined;
    this.logger[level]('a command that nobody waits for failed', { command, code, error });
  }

  #send(
    command: Command,
    name: string,
    ownId: string | undefined,
    waits: boolean,
    re: number | undefined,
    resolve: () => void,
    reject: (error: unknown) => void,
  ): void {
    const link = this.#link;
    if (!link?.isOpen) return reject(new CallClosed(name, this.#state));
    if (command.type === 'transfer' && !this.capabilities.transfer) {
      return reject(new CommandError(name, 'unsupported', 'the call has no transfer'));
    }
    const id = ownId ?? (waits || command.type === 'transfer' ? this.#nextCommandId() : undefined);
    if (id !== undefined && this.#commands.has(id)) {
      return reject(new CommandError(name, 'invalid_argument', 'a command of that id is still waiting'));
    }
    try {
      link.sendCommand(command, id, re);
    } catch (error) {
      return reject(error);
    }
    if (waits && id !== undefined) this.#commands.add(id, command.type, name, resolve, reject);
    else resolve();
  }

  #nextCommandId(): string {
    let id: string;
    do id = `c${++this.#commandCount}`;
    while (this.#commands.has(id));
    return id;
  }

  #reactionSeq(): number | undefined {
    const reaction = reacting.getStore();
    return reaction?.session === this ? reaction.seq : undefined;
  }

  #deliver(event: CallEvent | EventsLost, seq: number | undefined): Promise<void> | undefined {
    const handlers = this.#plan.handlers.get(event.type);
    if (event.type === 'session.end') return this.#deliverEnd(event, handlers);
    if (!handlers) return undefined;
    if (seq === undefined) return this.#runHandlers(handlers, event, 0);
    const reaction: Reaction = { session: this, seq };
    return reacting.run(reaction, () => this.#runHandlers(handlers, event, 0));
  }

  /** Runs the handlers of one event one after another, without a promise while none waits. */
  #runHandlers(
    handlers: readonly HandlerBinding[],
    event: CallEvent,
    from: number,
  ): Promise<void> | undefined {
    for (let index = from; index < handlers.length; index++) {
      const binding = handlers[index] as HandlerBinding;
      const waiting = this.#runHandler(binding, event);
      if (waiting) return waiting.then(() => this.#runHandlers(handlers, event, index + 1));
    }
    return undefined;
  }

  #runHandler({ plan, rootIndex }: HandlerBinding, event: CallEvent): Promise<void> | undefined {
    try {
      const returned = plan.invoke(this.#scope.root(rootIndex) as object, event, this.call);
      if (!(returned instanceof Promise)) return undefined;
      return returned.then(undefined, (error) => this.#handlerFailed(plan.where, error));
    } catch (error) {
      this.#handlerFailed(plan.where, error);
      return undefined;
    }
  }

  #handlerFailed(where: string, error: unknown): void {
    // A handler that speaks into a call that just ended is no fault of the program.
    this.logger[CallClosed.is(error) ? 'debug' : 'error']('an event handler failed', {
      handler: where,
      error,
    });
  }

  async #deliverEnd(end: CallEnd, handlers: readonly HandlerBinding[] | undefined): Promise<void> {
    this.#handlerTimer?.cancel();
    if (handlers) await this.#runHandlers(handlers, end, 0);
    for (const hook of this.#plan.endHooks(this.#scope)) {
      try {
        await hook.onCallEnd(end);
      } catch (error) {
        this.#handlerFailed('onCallEnd', error);
      }
    }
    await this.#finishTools();
    await this.#dispose();
  }

  /** The end waits for a running handler so long; then that handler is abandoned. */
  #limitHandler(end: CallEnd): void {
    this.#handlerTimer = this.#ports.clock.setTimer(() => {
      const lost = this.#mailbox.abandon(end);
      this.logger.error('an event handler did not end and was abandoned', {
        afterMs: HANDLER_GRACE_MS,
        lost,
      });
    }, HANDLER_GRACE_MS);
  }

  async #finishTools(): Promise<void> {
    const idle = this.#tools.whenIdle();
    if (!idle) return;
    const timer = this.#ports.clock.setTimer(() => this.#tools.stopAll('call_ended'), SIDE_EFFECT_GRACE_MS);
    await idle;
    timer.cancel();
  }

  async #dispose(): Promise<void> {
    const failures = await this.#scope.close({
      deadlineMs: DISPOSAL_LIMIT_MS,
      setTimer: (run, delayMs) => this.#ports.clock.setTimer(run, delayMs),
    });
    for (const error of failures) this.logger.error('a provider of the call failed to close', { error });
    this.#observer?.onTornDown(this);
  }
}
