import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import type { Call } from './call';
import { brandClass } from './class-brand';
import { guardListeners, reportListenersOf } from './guarded-listeners';
import type { ToolCancelReason, ToolKind, ToolRequest } from './link';
import type { Logger } from './logger';

/** Why a tool's `signal` fired: `signal.reason`. */
export class ToolCancelled extends Error {
  override readonly name = 'ToolCancelled';

  constructor(readonly reason: ToolCancelReason) {
    super(`the tool call was cancelled: ${reason}`);
  }
}

/**
 * One running tool call: injected into tools by its type. Passing `signal` to `fetch` is right for both kinds: it fires for
 * a cancelled read, and for a side effect only when its grace is over.
 */
export class ToolContext {
  static {
    brandClass(ToolContext, 'ToolContext');
  }

  readonly call: Call;
  readonly #request: ToolRequest;
  readonly #logger: Logger | undefined;
  #cancelRequested: ToolCancelReason | undefined;
  #stopped: ToolCancelReason | undefined;
  #controller: AbortController | undefined;

  /** @param logger hears of listeners of the signal that throw */
  constructor(call: Call, request: ToolRequest, logger?: Logger) {
    this.call = call;
    this.#request = request;
    this.#logger = logger;
  }

  /** The voice server's own name of this tool call, unique in the call. */
  get toolCallId(): string {
    return this.#request.callId;
  }

  /** The tool's name. */
  get name(): string {
    return this.#request.name;
  }

  get kind(): ToolKind {
    return this.#request.kind;
  }

  /** The turn that asked for it. */
  get epoch(): number {
    return this.#request.epoch;
  }

  /** Unique over all calls and servers, equal for repetitions of one request: safe as a key in outside systems. */
  get idempotencyKey(): string {
    return `${this.call.id}:${this.#request.wireKey}`;
  }

  /** The wire's key; it repeats between voice servers, so never a key in an outside system by itself. */
  get wireKey(): string {
    return this.#request.wireKey;
  }

  /** How long the voice server waits for the result, in milliseconds. */
  get timeoutMs(): number {
    return this.#request.timeoutMs;
  }

  /**
   * Stop now: a cancelled read, or a side effect past its grace. Its `reason` is a {@link ToolCancelled}. What a listener throws is
   * logged, and ends nothing.
   */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = unlimitedController();
      guardListeners(this.#controller.signal);
      if (this.#stopped) this.#abort(this.#stopped);
    }
    return this.#controller.signal;
  }

  /** Advice: nobody waits for this any more, with the reason. A side effect goes on all the same. */
  get cancelRequested(): ToolCancelReason | undefined {
    return this.#cancelRequested;
  }

  #abort(reason: ToolCancelReason): void {
    if (!this.#controller) return;
    const cancelled = new ToolCancelled(reason);
    reportListenersOf(cancelled, (error) =>
      this.#logger?.error('a listener of a signal failed', { tool: this.name, error }),
    );
    this.#controller.abort(cancelled);
  }

  toJSON(): { name: string; kind: ToolKind; toolCallId: string } {
    return { name: this.name, kind: this.kind, toolCallId: this.toolCallId };
  }

  [inspect.custom](): string {
    return `ToolContext { name: '${this.name}', kind: '${this.kind}', toolCallId: '${this.toolCallId}' }`;
  }

  /** @internal */
  static requestCancel(context: ToolContext, reason: ToolCancelReason): void {
    context.#cancelRequested ??= reason;
  }

  /** @internal */
  static isStopped(context: ToolContext): boolean {
    return context.#stopped !== undefined;
  }

  /** @internal */
  static stop(context: ToolContext, reason: ToolCancelReason): void {
    context.#cancelRequested ??= reason;
    if (context.#stopped) return;
    context.#stopped = reason;
    context.#abort(reason);
  }
}

/**
 * A controller whose signal any number of operations may listen to without a warning. The default is set while the signal is
 * made and is back before anybody sees it: Node 20 takes it from there, and setting it on the signal afterwards costs half as much
 * as the signal itself. Later versions warn of no signal.
 */
function unlimitedController(): AbortController {
  const limit = EventEmitter.defaultMaxListeners;
  EventEmitter.defaultMaxListeners = 0;
  try {
    const controller = new AbortController();
    void controller.signal; // made now: it is made when first asked for
    return controller;
  } finally {
    EventEmitter.defaultMaxListeners = limit;
  }
}
