import type { CallScope } from '@callwright/di';
import type { AgentPlan, ToolBinding } from './agent-plan';
import { Call, type CallControl, type CallState, type CommandOptions } from './call';
import { CallCommands, type CommandHost } from './call-commands';
import type { CallTimers } from './call-timers';
import type { ClockTimer } from './clock';
import { type DeliveryHost, EventDelivery, type Occurrence } from './event-delivery';
import { CallEnd, type CallEndReason, type CallEvent, type CallResumed } from './events';
import { type Accept, type CallStart, hookName } from './hooks';
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
import { offeredOnly } from './offered-tools';
import { CallParked } from './parked';
import type { CallPorts } from './ports';
import { outcomeNote } from './tool-outcome';
import { type ToolHost, ToolRunner } from './tool-runner';

/** How long the end of a call waits for a handler that is still running. */
export const HANDLER_GRACE_MS = 10_000;
/** How long the hooks of a call's end may take. */
export const END_HOOKS_LIMIT_MS = 30_000;
/** How long side effects may go on after the link was lost or the call has ended. */
export const SIDE_EFFECT_GRACE_MS = 30_000;
/** How long a side effect may take to heed its signal. */
const STOP_GRACE_MS = 2_000;
/** So many notes on outcomes fit into one message, however long they are. */
const NOTES_OF_ONE_UPDATE = 4;
/** How long the disposal of a call's instances may take. */
const DISPOSAL_LIMIT_MS = 10_000;

/** How long the end of a call waits for what still runs, in milliseconds. */
export interface EndLimits {
  /** For an earlier event handler. */
  readonly handlerMs: number;
  /** For the handlers and hooks of the end. */
  readonly hooksMs: number;
  /** For side effects, before their signal fires. */
  readonly sideEffectsMs: number;
}

const STANDARD_LIMITS: EndLimits = {
  handlerMs: HANDLER_GRACE_MS,
  hooksMs: END_HOOKS_LIMIT_MS,
  sideEffectsMs: SIDE_EFFECT_GRACE_MS,
};

/** What a session tells who keeps it. */
export interface SessionObserver {
  /** The call, accepted before, has ended; its hooks are still to run. */
  onEnded(session: CallSession): void;
  /** The call has ended and everything of it is torn down. */
  onTornDown(session: CallSession): void;
}

/**
 * The life of one call: `connecting → live ⇄ parked → ended`. The link feeds it; it feeds the agent's instance. Nothing that
 * user code does reaches the link's reader: exceptions are logged, and nothing here waits for user code while reading.
 */
export class CallSession implements CallControl, CommandHost, DeliveryHost, ToolHost {
  readonly id: string;
  readonly call: Call;
  readonly logger: Logger;
  readonly scope: CallScope;
  readonly #opening: CallOpening;
  readonly #plan: AgentPlan;
  readonly #ports: CallPorts;
  readonly #observer: SessionObserver | undefined;
  // Made when first needed: an idle call has neither.
  #madeMailbox: Mailbox<Occurrence> | undefined;
  #madeCommands: CallCommands | undefined;
  readonly #tools: ToolRunner;
  #state: CallState = 'connecting';
  #resumeCount = 0;
  #startHook: object | undefined;
  #endReason: CallEndReason | undefined;
  #link: Link | undefined;
  /** Names of the tools this call offers; undefined: all of the agent's. */
  #offered: ReadonlySet<string> | undefined;
  /** Runs while the end waits for a handler, or a parked call for its link. */
  #timer: ClockTimer | undefined;
  #endLimits = STANDARD_LIMITS;
  #isEndReached = false;
  #isFinishing = false;
  /** Those of `@Interval` and `@Timeout`. */
  #timers: CallTimers | undefined;
  /** Runs while side effects may go on without a link. */
  #graceTimer: ClockTimer | undefined;

  /** Builds the call's scope. @throws what a provider's constructor throws; nothing is left then. */
  constructor(plan: AgentPlan, opening: CallOpening, ports: CallPorts, observer?: SessionObserver) {
    this.id = ports.newId();
    this.#opening = opening;
    this.#plan = plan;
    this.#ports = ports;
    this.#observer = observer;
    this.logger = ports.logger.forCall(this.id);
    this.call = new Call(this);
    this.#tools = new ToolRunner(this, ports);
    this.scope = plan.openScope(this.call, this.logger, this.id);
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
    return this.#resumeCount;
  }

  get endReason(): CallEndReason | undefined {
    return this.#endReason;
  }

  get link(): Link | undefined {
    return this.#link;
  }

  /** Whether a lost link parks the call instead of ending it. */
  get isResumable(): boolean {
    return this.#plan.contract.options.resume === true && !this.#endIsAgreed;
  }

  /**
   * Runs the start hooks: of every CALL provider, then of the agent.
   * @returns what they change for this call; undefined when they change nothing.
   * @throws what a hook throws; CallwrightError `CW_ACCEPT_INVALID` when one returns no usable `Accept`.
   */
  async start(): Promise<Accept | undefined> {
    const start: CallStart = this.#opening;
    let accept: Accept | undefined;
    for (const hook of this.#plan.hooks(this.scope, 'onCallStart')) {
      this.#startHook = hook;
      accept = mergeAccepts(accept, await hook.onCallStart(start), this.#plan, hook);
      if (this.#state !== 'connecting') return undefined; // given up while the hook waited: the others need not run
    }
    this.#startHook = undefined;
    if (this.#plan.mayHideTools) accept = await this.#plan.withoutHiddenTools(accept, this.scope);
    this.#offered = accept?.tools && new Set(accept.tools);
    return accept;
  }

  /** The start hook that runs, or that failed: `LuigiAgent.onCallStart`. */
  get startHook(): string | undefined {
    return this.#startHook && hookName(this.#startHook, 'onCallStart');
  }

  /** The accept was handed to an open socket: the call is live. Commands given in the start hooks go out now. */
  open(link: Link): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'live';
    this.#link = link;
    this.#madeCommands?.flush();
    this.#timers = this.#plan.startTimers(this.scope);
  }

  /** The call was not accepted: no end hook runs; what was built is torn down. */
  discard(): Promise<void> {
    if (this.#state !== 'connecting') return Promise.resolve();
    this.#state = 'ended';
    this.#madeCommands?.discard();
    return this.#dispose();
  }

  /** Whether anything listens to events of this wire name: if not, none need be built. */
  hears(eventType: string): boolean {
    return this.#plan.handlers.has(eventType);
  }

  /** Something came on a resumed link: what waited for that goes out. */
  noteMessage(): void {
    this.#madeCommands?.noteMessage();
  }

  handleEvent(event: CallEvent, seq: number | undefined): void {
    if (this.#state !== 'live' || !this.#plan.handlers.has(event.type)) return;
    this.#mailbox.push(event, seq);
  }

  handleToolCall(request: ToolRequest): void {
    if (this.#state === 'live' && this.#link) this.#tools.handleCall(request, this.#link);
  }

  /** A tool call came of which nothing but the id could be read. */
  handleUnreadableToolCall(id: number): void {
    if (this.#state === 'live' && this.#link) this.#tools.handleUnreadable(id, this.#link);
  }

  handleToolCancel(id: number, reason: ToolCancelReason): void {
    this.#tools.handleCancel(id, reason);
  }

  handleCommandResult(id: string, ok: boolean, code = '', detail = ''): void {
    this.#commands.settle(id, ok, code, detail);
  }

  /** The voice server says that the call is over. */
  handleSessionEnd(reason: CallEndReason): void {
    this.end(reason, 'call_ended');
  }

  /**
   * The link was lost. With resumption the call waits `windowMs` for it to come back; without, or when an `end` was agreed on,
   * this is the call's end.
   */
  handleLinkLost(windowMs = 0): void {
    if (this.#state !== 'live') return;
    if (!this.isResumable || windowMs <= 0) {
      this.end(this.#endIsAgreed ? 'ended_by_agent' : 'link_closed', 'link_closed');
      return;
    }
    this.#state = 'parked';
    this.#link = undefined;
    this.#madeCommands?.linkLost();
    this.#tools.linkLost();
    const { clock } = this.#ports;
    this.#timer = clock.setTimer(() => this.end('link_closed', 'link_closed'), windowMs);
    this.#graceTimer = clock.setTimer(() => this.#tools.stopAll('link_closed'), SIDE_EFFECT_GRACE_MS);
    this.#mailbox.pushAlways(new CallParked(), undefined);
  }

  /** The link came back: its accept was handed to the socket. */
  resume(link: Link, resumed: CallResumed): void {
    if (this.#state !== 'parked') return;
    this.#timer?.cancel();
    this.#graceTimer?.cancel();
    this.#state = 'live';
    this.#link = link;
    this.#resumeCount++;
    // Before handlers run: what they send now is not in doubt.
    this.#commands.resume(link);
    this.onLateOutcome();
    this.#mailbox.pushAlways(resumed, undefined);
  }

  /** Ends the call, once: `onCallEnd` after all earlier events, then the teardown. */
  end(reason: CallEndReason, cancelReason: ToolCancelReason, limits = STANDARD_LIMITS): void {
    if (this.#state !== 'live' && this.#state !== 'parked') return;
    this.#state = 'ended';
    this.#endLimits = limits;
    this.#endReason = reason;
    this.#link = undefined;
    this.#timer?.cancel();
    this.#graceTimer?.cancel();
    this.#timers?.stop();
    this.#madeCommands?.end();
    this.#tools.cancelAll(cancelReason);
    this.#observer?.onEnded(this);
    const end = new CallEnd(reason);
    if (this.#mailbox.isBusy) this.#limitHandler(end);
    this.#mailbox.pushAlways(end, undefined);
  }

  findTool(name: string): ToolBinding | undefined {
    if (this.#offered && !this.#offered.has(name)) return undefined;
    if (this.#madeCommands?.hidesTool(name)) return undefined;
    return this.#plan.tools.get(name);
  }

  /** A side effect ended that the model believes lost: it is told, once. */
  onLateOutcome(): void {
    if (this.#state !== 'live' || !this.#link?.isOpen) return;
    const untold = this.#tools.takeUntold();
    if (untold.length === 0) return;
    for (let from = 0; from < untold.length; from += NOTES_OF_ONE_UPDATE) {
      const append = untold.slice(from, from + NOTES_OF_ONE_UPDATE).map(({ tool, outcome }) => ({
        role: 'system' as const,
        text: outcomeNote(tool, outcome),
      }));
      void this.command({ type: 'context.update', append }, { wait: false });
    }
  }

  command(command: Command, options: CommandOptions | undefined): Promise<void> {
    return this.#commands.give(offeredOnly(command, this.#plan.tools, this.#offered), options);
  }

  /** No handler is waited for any more; the end's own hooks have a limit too. */
  onEndReached(): void {
    this.#isEndReached = true;
    this.#timer?.cancel();
    const { hooksMs } = this.#endLimits;
    this.#timer = this.#ports.clock.setTimer(() => {
      this.logger.error('the end hooks did not end and were abandoned', { afterMs: hooksMs });
      this.onEndDelivered();
    }, hooksMs);
  }

  /** The end's hooks have run, or were given up: what is left of the call goes, once. */
  onEndDelivered(): void {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    this.#timer?.cancel();
    void this.#finishTools().then(() => this.#dispose());
  }

  get #endIsAgreed(): boolean {
    return this.#madeCommands?.endIsAgreed ?? false;
  }

  get #commands(): CallCommands {
    this.#madeCommands ??= new CallCommands(this, this.#ports.clock);
    return this.#madeCommands;
  }

  get #mailbox(): Mailbox<Occurrence> {
    this.#madeMailbox ??= new Mailbox(new EventDelivery(this, this.#plan));
    return this.#madeMailbox;
  }

  /** The end waits for a running handler so long; then that handler is abandoned. */
  #limitHandler(end: CallEnd): void {
    const { handlerMs } = this.#endLimits;
    this.#timer = this.#ports.clock.setTimer(() => {
      const lost = this.#mailbox.abandon(end);
      this.logger.error('an event handler did not end and was abandoned', { afterMs: handlerMs, lost });
      // Before the end, handlers hear of the lost events, and these may be stuck in turn.
      if (!this.#isEndReached) this.#limitHandler(end);
    }, handlerMs);
  }

  async #finishTools(): Promise<void> {
    const idle = this.#tools.whenIdle();
    if (idle === undefined) return;
    let timer: ClockTimer | undefined;
    const limit = new Promise<void>((resolve) => {
      const { clock } = this.#ports;
      timer = clock.setTimer(() => {
        this.#tools.stopAll('call_ended');
        // What does not even heed its signal is left behind.
        timer = clock.setTimer(resolve, STOP_GRACE_MS);
      }, this.#endLimits.sideEffectsMs);
    });
    await Promise.race([idle, limit]);
    timer?.cancel();
  }

  async #dispose(): Promise<void> {
    const failures = await this.scope.close({
      deadlineMs: DISPOSAL_LIMIT_MS,
      setTimer: (run, delayMs) => this.#ports.clock.setTimer(run, delayMs),
    });
    for (const error of failures) this.logger.error('a provider of the call failed to close', { error });
    this.#observer?.onTornDown(this);
  }
}
