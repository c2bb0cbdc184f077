import type { CallScope } from '@callwright/di';
import type { ToolBinding } from './agent-plan';
import type { Call } from './call';
import { Ledger, type LedgerEntry } from './ledger';
import type { Link, ToolCancelReason, ToolRequest } from './link';
import type { Logger } from './logger';
import { plainWord } from './plain-word';
import type { CallPorts } from './ports';
import { RecentIds } from './recent-ids';
import { isThenable } from './thenable';
import { ToolContext } from './tool-context';
import { failureOutcome, OUTCOME_UNKNOWN, type ToolOutcome } from './tool-outcome';
import { resultText } from './tool-result';
import { ToolRun } from './tool-run';

/** A call runs at most this many tools at once; more are answered with an error. */
export const OPEN_TOOLS_LIMIT = 64;
/** Ids of tool calls are remembered so far back; a repeated frame is then known and not run again. */
export const REMEMBERED_IDS = 1_024;
/** The voice server cancels a timed-out read itself; this much later it counts as cancelled here too. */
const CANCEL_MARGIN_MS = 1_000;
/** The voice server waits at least so long for a side effect. */
const SIDE_EFFECT_WAIT_MS = 60_000;

/** The voice server gives the model about so much of a result. */
const MODEL_READS_CHARACTERS = 4_000;
const warnedOfLength = new WeakSet<ToolBinding['plan']>();

/** What the runner asks of the call it runs tools for. */
export interface ToolHost {
  readonly call: Call;
  /** The call's instances. */
  readonly scope: CallScope;
  /** The link that is open now. */
  readonly link: Link | undefined;
  readonly logger: Logger;
  /** The tool of that name; undefined when this call does not offer it. */
  findTool(name: string): ToolBinding | undefined;
  /** A side effect that the model gave up for lost has ended: {@link ToolRunner.takeUntold} has its outcome. */
  onLateOutcome(): void;
}

/** Runs the tool calls of one call: each at once, on its own, answered at most once. */
export class ToolRunner {
  readonly #host: ToolHost;
  readonly #ports: CallPorts;
  // Made when first needed: an idle call has none of them.
  #running: Map<number, ToolRun> | undefined;
  #seenIds: RecentIds | undefined;
  #ledger: Ledger | undefined;
  #onIdle: (() => void) | undefined;

  constructor(host: ToolHost, ports: CallPorts) {
    this.#host = host;
    this.#ports = ports;
  }

  /** How many tools run. */
  get openCount(): number {
    return this.#running?.size ?? 0;
  }

  handleCall(request: ToolRequest, link: Link): void {
    if (this.#isRepeated(request.id)) {
      this.#host.logger.debug('a tool call came twice and was not run again', { toolId: request.id });
      return;
    }
    const tool = this.#host.findTool(request.name);
    if (!tool) {
      this.#host.logger.warn('an unknown tool was called', { tool: plainWord(request.name) });
      link.sendToolError(request.id, `unknown tool ${JSON.stringify(request.name.slice(0, 64))}`);
      return;
    }
    if (this.openCount >= OPEN_TOOLS_LIMIT) {
      this.#refuseOneMore(request, link);
      return;
    }
    if (tool.plan.declaration.kind === 'side_effect') this.#runOnce(request, tool, link);
    else this.#run(request, tool, link, undefined);
  }

  /** A call of which the link could read nothing but the id: it is answered, like any other, once. */
  handleUnreadable(id: number, link: Link): void {
    if (this.#isRepeated(id)) return;
    link.sendToolError(id, 'the tool call could not be read');
  }

  handleCancel(id: number, reason: ToolCancelReason): void {
    const running = this.#running?.get(id);
    if (running) this.#cancel(running, reason);
  }

  /** The link is gone, or the call has ended: reads stop, side effects are told and go on. */
  cancelAll(reason: ToolCancelReason): void {
    for (const running of [...(this.#running?.values() ?? [])]) this.#cancel(running, reason);
  }

  /** What runs or was answered just now may never reach the model. */
  linkLost(): void {
    this.cancelAll('link_closed');
    this.#ledger?.linkLost(this.#ports.clock.nowMs());
  }

  /** Stops what still runs: its grace is over. */
  stopAll(reason: ToolCancelReason): void {
    for (const { context } of this.#running?.values() ?? []) ToolContext.stop(context, reason);
  }

  /** Resolves when no tool runs. */
  whenIdle(): Promise<void> | undefined {
    if (this.openCount === 0) return undefined;
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Outcomes that the model was not told of; each is given once. */
  takeUntold(): { readonly tool: string; readonly outcome: ToolOutcome }[] {
    return this.#ledger?.takeUntold(this.#ports.clock.nowMs()) ?? [];
  }

  expire(run: ToolRun): void {
    if (this.#running?.get(run.request.id) === run) this.#cancel(run, 'timeout');
  }

  #refuseOneMore({ id, name }: ToolRequest, link: Link): void {
    this.#host.logger.warn('too many tools are running', { tool: plainWord(name), limit: OPEN_TOOLS_LIMIT });
    link.sendToolError(id, 'too many tools are running, try again later');
  }

  /** An id stands for what still runs under it, however many came since. */
  #isRepeated(id: number): boolean {
    this.#seenIds ??= new RecentIds(REMEMBERED_IDS);
    return this.#seenIds.hasSeen(id) || this.#running?.has(id) === true;
  }

  /** A side effect: at most once per key, and not again while the model was not told how the first one ended. */
  #runOnce(request: ToolRequest, tool: ToolBinding, link: Link): void {
    this.#ledger ??= new Ledger();
    const verdict = this.#ledger.look(request, tool.plan.declaration, this.#ports.clock);
    switch (verdict.kind) {
      case 'run':
        return this.#run(request, tool, link, verdict.entry);
      case 'refuse':
        return link.sendToolError(request.id, verdict.message);
      case 'join': {
        this.#host.logger.info('a side effect is under way already; its outcome answers this request too', {
          tool: tool.plan.where,
        });
        verdict.entry.joined ??= [];
        const { joined } = verdict.entry;
        if (joined.length >= OPEN_TOOLS_LIMIT) return this.#refuseOneMore(request, link);
        joined.push((outcome) => this.#answer(link, request.id, tool, outcome, verdict.entry));
        return;
      }
      case 'known': {
        this.#host.logger.info('a side effect was done before; its outcome answers this request too', {
          tool: tool.plan.where,
        });
        if (verdict.outcome.kind === 'unknown' && tool.plan.reconcile) {
          this.#reconcile(request, tool, link, verdict.entry);
        } else this.#answer(link, request.id, tool, verdict.outcome, verdict.entry);
      }
    }
  }

  #run(request: ToolRequest, tool: ToolBinding, link: Link, entry: LedgerEntry | undefined): void {
    const context = new ToolContext(this.#host.call, request, this.#host.logger);
    const run = new ToolRun(this, { request, tool, scope: this.#host.scope, context, link, entry });
    let returned: unknown;
    try {
      returned = tool.run(run);
    } catch (error) {
      this.#failed(run, error);
      return;
    }
    // What only acts as a promise may settle twice, or at once: the platform's does not.
    if (isThenable(returned)) this.#await(Promise.resolve(returned), run);
    else this.#succeeded(run, returned);
  }

  #await(promise: Promise<unknown>, run: ToolRun): void {
    const { timeoutMs } = run.request;
    const waitMs = run.entry ? Math.max(SIDE_EFFECT_WAIT_MS, timeoutMs) : timeoutMs;
    run.dueMs = this.#ports.clock.nowMs() + waitMs + CANCEL_MARGIN_MS;
    this.#running ??= new Map();
    this.#running.set(run.request.id, run);
    this.#ports.deadlines.watch(run);
    promise.then(
      (value) => {
        this.#leave(run);
        this.#succeeded(run, value);
        this.#tellIdle();
      },
      (error) => {
        this.#leave(run);
        this.#failed(run, error);
        this.#tellIdle();
      },
    );
  }

  #leave(run: ToolRun): void {
    this.#ports.deadlines.forget(run);
    // A read that was cancelled long ago may end while its id stands for another call.
    if (this.#running?.get(run.request.id) === run) this.#running.delete(run.request.id);
  }

  #tellIdle(): void {
    if (this.openCount === 0) this.#onIdle?.();
  }

  #cancel(run: ToolRun, reason: ToolCancelReason): void {
    this.#logCancel(run, reason);
    if (run.entry) {
      ToolContext.requestCancel(run.context, reason);
      // The server waits no longer, and the model was told that the outcome is unknown.
      if (reason === 'timeout') {
        run.isAnswerable = false;
        this.#ledger?.markUndelivered(run.entry, this.#ports.clock.nowMs());
      }
      return;
    }
    run.isAnswerable = false;
    this.#leave(run);
    ToolContext.stop(run.context, reason);
    this.#tellIdle();
  }

  #logCancel({ tool, request, isAnswerable }: ToolRun, reason: ToolCancelReason): void {
    const { logger } = this.#host;
    if (reason !== 'timeout') {
      logger.debug('a tool call was cancelled', { tool: tool.plan.where, reason });
    } else if (isAnswerable) {
      // Once: the server's word and the limit here may both come for a side effect, which goes on.
      logger.warn('a tool ran out of time', { tool: tool.plan.where, timeoutMs: request.timeoutMs });
    }
  }

  #succeeded(run: ToolRun, value: unknown): void {
    const { plan } = run.tool;
    let text: ReturnType<typeof resultText>;
    try {
      text = resultText(plan.result ? plan.result.serialize(value) : value);
    } catch (error) {
      this.#failed(run, error);
      return;
    }
    if ('json' in text) {
      this.#settle(run, { kind: 'result', json: text.json });
      return;
    }
    this.#host.logger.error('a tool returned what JSON has no form for', {
      tool: plan.where,
      why: text.refusal,
    });
    this.#settle(run, {
      kind: 'error',
      message: `the tool ran, but its result cannot be sent: ${text.refusal}`,
    });
  }

  #failed(run: ToolRun, error: unknown): void {
    const { outcome, isDeliberate } = failureOutcome(error);
    if (!isDeliberate && run.isAnswerable)
      this.#host.logger.error('a tool failed', { tool: run.tool.plan.where, error });
    // Stopped half way by its signal: whether the outside world was changed, nobody knows.
    const isUnknown = run.entry?.begun === true && ToolContext.isStopped(run.context);
    this.#settle(run, isUnknown ? { kind: 'unknown' } : outcome);
  }

  #settle(run: ToolRun, outcome: ToolOutcome): void {
    const { entry, link, request, tool } = run;
    if (run.isAnswerable && link === this.#host.link) {
      const sent = this.#answer(link, request.id, tool, outcome, entry);
      if (entry) this.#ledger?.settle(entry, sent);
      return;
    }
    if (!entry) return;
    this.#ledger?.settle(entry, outcome);
    if (entry.answeredMs !== undefined || !entry.begun) return; // who joined was answered just now
    this.#ledger?.markUndelivered(entry, this.#ports.clock.nowMs());
    this.#host.onLateOutcome();
  }

  /** @returns the outcome as it was sent: a result over the link's limit becomes an error. */
  #answer(
    link: Link,
    id: number,
    tool: ToolBinding,
    outcome: ToolOutcome,
    entry: LedgerEntry | undefined,
  ): ToolOutcome {
    if (link !== this.#host.link) return outcome;
    if (entry) this.#ledger?.answered(entry, this.#ports.clock.nowMs());
    if (outcome.kind === 'result') {
      if (outcome.json.length > MODEL_READS_CHARACTERS) this.#warnOfLength(tool, outcome.json);
      if (link.sendToolResult(id, outcome.json)) return outcome;
      const bytes = Buffer.byteLength(outcome.json);
      this.#host.logger.error('a tool result is too large', { tool: tool.plan.where, bytes });
      link.sendToolError(id, 'tool result is too large');
      return { kind: 'error', message: 'tool result is too large' };
    }
    link.sendToolError(id, outcome.kind === 'error' ? outcome.message : OUTCOME_UNKNOWN);
    return outcome;
  }

  /** Once per tool: its program is what has to be changed. */
  #warnOfLength({ plan }: ToolBinding, json: string): void {
    if (warnedOfLength.has(plan)) return;
    warnedOfLength.add(plan);
    this.#host.logger.warn('the model reads only the first 4,000 bytes or so of this result', {
      tool: plan.where,
      bytes: Buffer.byteLength(json),
    });
  }

  /** Asks the tool's own code how it ended. */
  #reconcile(request: ToolRequest, tool: ToolBinding, link: Link, entry: LedgerEntry): void {
    const first = { ...request, wireKey: entry.wireKey };
    const context = new ToolContext(this.#host.call, first, this.#host.logger);
    const answer = (outcome: ToolOutcome): void => {
      if (outcome.kind !== 'unknown') this.#ledger?.reconcile(entry, outcome);
      this.#answer(link, request.id, tool, outcome, entry);
    };
    const settle = (value: unknown): void => {
      const text = value === undefined ? undefined : resultText(value);
      answer(text && 'json' in text ? { kind: 'result', json: text.json } : { kind: 'unknown' });
    };
    const fail = (error: unknown): void => {
      const { outcome, isDeliberate } = failureOutcome(error);
      if (!isDeliberate) this.#host.logger.error('reconcile failed', { tool: tool.plan.where, error });
      answer(isDeliberate ? outcome : { kind: 'unknown' });
    };
    try {
      const returned = tool.plan.reconcile?.(request.args, context);
      if (isThenable(returned)) Promise.resolve(returned).then(settle, fail);
      else settle(returned);
    } catch (error) {
      fail(error);
    }
  }
}
