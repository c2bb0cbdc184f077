import type { CallScope } from '@callwright/di';
import type { AgentPlan, HandlerBinding } from './agent-plan';
import type { Call } from './call';
import type { CallEnd, CallEvent, CallResumed } from './events';
import { CallClosed } from './failures';
import { type CallHooks, hookName } from './hooks';
import type { Logger } from './logger';
import { CallParked } from './parked';
import { reacting } from './reacting';
import { isThenable } from './thenable';

/** What happens inside a call, in order: events of the wire, and the parking of the call. */
export type Occurrence = CallEvent | CallParked;

/** The call whose events are delivered. */
export interface DeliveryHost {
  readonly call: Call;
  readonly scope: CallScope;
  readonly logger: Logger;
  /** The end's handlers and hooks begin to run. */
  onEndReached(): void;
  /** They have run. */
  onEndDelivered(): void;
}

/** Hands one occurrence after another to handlers and hooks. Nothing they throw gets out. */
export class EventDelivery {
  readonly #host: DeliveryHost;
  readonly #plan: AgentPlan;

  constructor(host: DeliveryHost, plan: AgentPlan) {
    this.#host = host;
    this.#plan = plan;
  }

  /** @returns a promise only when a handler or hook waits. */
  deliver(occurrence: Occurrence, seq: number | undefined): Promise<void> | undefined {
    if (occurrence instanceof CallParked)
      return this.#runHooks('onCallParked', (hook) => hook.onCallParked());
    const handlers = this.#plan.handlers.get(occurrence.type) ?? [];
    if (occurrence.type === 'session.end') return this.#deliverEnd(occurrence, handlers);
    if (occurrence.type === 'session.resumed') return this.#deliverResumed(occurrence, handlers);
    if (seq === undefined) return this.#runHandlers(handlers, occurrence, 0);
    return reacting.run({ session: this.#host, seq }, () => this.#runHandlers(handlers, occurrence, 0));
  }

  async #deliverResumed(event: CallResumed, handlers: readonly HandlerBinding[]): Promise<void> {
    await this.#runHandlers(handlers, event, 0);
    await this.#runHooks('onCallResumed', (hook) => hook.onCallResumed(event));
  }

  async #deliverEnd(end: CallEnd, handlers: readonly HandlerBinding[]): Promise<void> {
    this.#host.onEndReached();
    await this.#runHandlers(handlers, end, 0);
    await this.#runHooks('onCallEnd', (hook) => hook.onCallEnd(end));
    this.#host.onEndDelivered();
  }

  /** Runs the handlers of one event one after another, without a promise while none waits. */
  #runHandlers(
    handlers: readonly HandlerBinding[],
    event: CallEvent,
    from: number,
  ): Promise<void> | undefined {
    for (let index = from; index < handlers.length; index++) {
      const binding = handlers[index] as HandlerBinding; // index is within the list
      const waiting = this.#runHandler(binding, event);
      if (waiting !== undefined) return waiting.then(() => this.#runHandlers(handlers, event, index + 1));
    }
    return undefined;
  }

  #runHandler({ plan, run }: HandlerBinding, event: CallEvent): Promise<void> | undefined {
    try {
      const returned = run(this.#host.scope, event, this.#host.call);
      if (!isThenable(returned)) return undefined;
      return Promise.resolve(returned).then(
        () => undefined,
        (error) => this.#failed(plan.where, error),
      );
    } catch (error) {
      this.#failed(plan.where, error);
      return undefined;
    }
  }

  /** The start and the resumption go from CALL providers to the agent; parking and the end go back. */
  async #runHooks<K extends 'onCallParked' | 'onCallResumed' | 'onCallEnd'>(
    name: K,
    run: (hook: Pick<CallHooks, K>) => void | Promise<void>,
  ): Promise<void> {
    const hooks = this.#plan.hooks(this.#host.scope, name);
    for (const hook of name === 'onCallResumed' ? hooks : hooks.reverse()) {
      try {
        await run(hook);
      } catch (error) {
        this.#failed(hookName(hook, name), error);
      }
    }
  }

  #failed(where: string, error: unknown): void {
    // A handler that speaks into a call that just ended is no fault of the program.
    const level = CallClosed.is(error) ? 'debug' : 'error';
    this.#host.logger[level]('an event handler failed', { handler: where, error });
  }
}
