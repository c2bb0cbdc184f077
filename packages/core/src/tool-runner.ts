import type { Call } from './call';
import type { ToolPlan } from './contract';
import type { Expiring } from './deadlines';
import { errorName } from './error-description';
import { ToolError } from './failures';
import type { Link, ToolCancelReason, ToolRequest } from './link';
import type { Logger } from './logger';
import type { CallPorts } from './ports';
import { ToolContext } from './tool-context';
import { resultText } from './tool-result';

/** A call runs at most this many tools at once; more are answered with an error. */
export const OPEN_TOOLS_LIMIT = 64;
/** Ids of tool calls are remembered so far back; a repeated frame is then known and not run again. */
export const REMEMBERED_IDS = 1_024;
/** The voice server cancels a timed-out read itself; this much later it counts as cancelled here too. */
const CANCEL_MARGIN_MS = 1_000;
/** The voice server waits at least so long for a side effect. */
const SIDE_EFFECT_WAIT_MS = 60_000;

/** What the runner asks of the call it runs tools for. */
export interface ToolHost {
  readonly call: Call;
  /** The link that is open now. */
  readonly link: Link | undefined;
  readonly logger: Logger;
  /** The tool and the instance it runs on; undefined when this call does not offer it. */
  findTool(name: string): { readonly plan: ToolPlan; readonly instance: object } | undefined;
}

/** A tool call whose promise has not settled. */
interface RunningTool extends Expiring {
  readonly request: ToolRequest;
  readonly plan: ToolPlan;
  readonly context: ToolContext;
  /** The link that asked; a result is never sent on another. */
  readonly link: Link;
  /** A cancelled read is not answered. */
  isAnswerable: boolean;
}

/** Runs the tool calls of one call: each at once, on its own, answered at most once. */
export class ToolRunner {
  readonly #host: ToolHost;
  readonly #ports: CallPorts;
  // Made when first needed: an idle call has neither.
  #running: Map<number, RunningTool> | undefined;
  #remembered: Set<number> | undefined;
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
    const found = this.#host.findTool(request.name);
    if (!found) {
      this.#host.logger.warn('an unknown tool was called', { tool: request.name.slice(0, 64) });
      link.sendToolError(request.id, `unknown tool ${JSON.stringify(request.name.slice(0, 64))}`);
      return;
    }
    if (this.openCount >= OPEN_TOOLS_LIMIT) {
      this.#host.logger.warn('too many tools are running', { tool: request.name, limit: OPEN_TOOLS_LIMIT });
      link.sendToolError(request.id, 'too many tools are running, try again later');
      return;
    }
    this.#run(request, found.plan, found.instance, link);
  }

  handleCancel(id: number, reason: ToolCancelReason): void {
    const running = this.#running?.get(id);
    if (running) this.#cancel(running, reason);
  }

  /** The link is gone, or the call has ended: reads stop, side effects are told and go on. */
  cancelAll(reason: ToolCancelReason): void {
    for (const running of [...(this.#running?.values() ?? [])]) this.#cancel(running, reason);
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

  #isRepeated(id: number): boolean {
    this.#remembered ??= new Set();
    if (this.#remembered.has(id)) return true;
    this.#remembered.add(id);
    if (this.#remembered.size > REMEMBERED_IDS) {
      for (const oldest of this.#remembered) {
        this.#remembered.delete(oldest);
        break;
      }
    }
    return false;
  }

  #run(request: ToolRequest, plan: ToolPlan, instance: object, link: Link): void {
    const context = new ToolContext(this.#host.call, request);
    let returned: unknown;
    try {
      const bound = plan.args.bind(request.args);
      if (!bound.ok) {
        link.sendToolError(request.id, bound.message);
        return;
      }
      returned = plan.invoke(instance, bound.value, context);
    } catch (error) {
      this.#answerFailure(link, request, plan, error);
      return;
    }
    if (!isThenable(returned)) {
      this.#answerResult(link, request, plan, returned);
      return;
    }
    this.#await(returned, {
      request,
      plan,
      context,
      link,
      isAnswerable: true,
      ...this.#limit(request, context),
    });
  }

  #await(promise: PromiseLike<unknown>, running: RunningTool): void {
    this.#running ??= new Map();
    this.#running.set(running.request.id, running);
    this.#ports.deadlines.watch(running);
    promise.then(
      (value) =>
        this.#settle(running, () => this.#answerResult(running.link, running.request, running.plan, value)),
      (error) =>
        this.#settle(running, () => this.#answerFailure(running.link, running.request, running.plan, error)),
    );
  }

  #settle(running: RunningTool, answer: () => void): void {
    this.#ports.deadlines.forget(running);
    this.#running?.delete(running.request.id);
    if (running.isAnswerable && running.link === this.#host.link) answer();
    if (this.openCount === 0) this.#onIdle?.();
  }

  #cancel(running: RunningTool, reason: ToolCancelReason): void {
    if (running.plan.declaration.kind === 'side_effect') {
      ToolContext.requestCancel(running.context, reason);
      return;
    }
    running.isAnswerable = false;
    this.#ports.deadlines.forget(running);
    this.#running?.delete(running.request.id);
    ToolContext.stop(running.context, reason);
    if (this.openCount === 0) this.#onIdle?.();
  }

  /** The limit after which the voice server no longer waits, whether or not its cancel reaches us. */
  #limit(request: ToolRequest, context: ToolContext): Expiring {
    const isRead = request.kind === 'read_only';
    const waitMs = isRead ? request.timeoutMs : Math.max(SIDE_EFFECT_WAIT_MS, request.timeoutMs);
    return {
      dueMs: this.#ports.clock.nowMs() + waitMs + CANCEL_MARGIN_MS,
      expire: () => {
        const running = this.#running?.get(request.id);
        if (running?.context === context) this.#cancel(running, 'timeout');
      },
    };
  }

  #answerResult(link: Link, request: ToolRequest, plan: ToolPlan, value: unknown): void {
    let result: ReturnType<typeof resultText>;
    try {
      result = resultText(plan.serializeResult ? plan.serializeResult(value) : value);
    } catch (error) {
      this.#answerFailure(link, request, plan, error);
      return;
    }
    if ('refusal' in result) {
      this.#host.logger.error('a tool returned what JSON has no form for', {
        tool: plan.where,
        why: result.refusal,
      });
      link.sendToolError(request.id, `the tool ran, but its result cannot be sent: ${result.refusal}`);
      return;
    }
    if (link.sendToolResult(request.id, result.json)) return;
    this.#host.logger.error('a tool result is too large', {
      tool: plan.where,
      bytes: Buffer.byteLength(result.json),
    });
    link.sendToolError(request.id, 'tool result is too large');
  }

  #answerFailure(link: Link, request: ToolRequest, plan: ToolPlan, error: unknown): void {
    if (ToolError.is(error) && typeof error.message === 'string' && error.message.trim() !== '') {
      link.sendToolError(request.id, error.message);
      return;
    }
    this.#host.logger.error('a tool failed', { tool: plan.where, error });
    link.sendToolError(request.id, `tool failed: ${errorName(error)}`);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
