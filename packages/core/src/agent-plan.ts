import type { CallScope, Container, ScopeFactory } from '@callwright/di';
import type { AgentDraft } from './agents-reading';
import { Call } from './call';
import { CallTimers } from './call-timers';
import type { Class } from './class-types';
import { type Clock, systemClock } from './clock';
import type { AgentContract, HandlerPlan, ToolPlan } from './contract';
import type { CallEvent } from './events';
import { ToolOfferContext } from './executions';
import { type Accept, type CallHooks, HOOK_NAME } from './hooks';
import type { ToolInvocation } from './invocation';
import { Logger } from './logger';
import { type AgentManifest, agentManifest } from './manifest';
import { instanceOf } from './method-enhancers';
import { isBare, type MethodPlan, type RunnableMethod } from './method-plan';
import { bindArguments, EventPassage, HookPassage, ToolPassage } from './passages';

/** What a CALL scope is given from outside, in the order of {@link AgentPlan.openScope}. */
export const CALL_INPUTS = [Call, Logger] as const;

/** A handler, ready to run in any call of its agent. */
export interface HandlerBinding {
  readonly plan: HandlerPlan;
  /** Takes one event through the pipeline; a value or a promise of it. @throws what no filter answered. */
  readonly run: (scope: CallScope, event: CallEvent, call: Call) => unknown;
}

/** A tool, ready to run in any call of its agent. */
export interface ToolBinding {
  readonly plan: ToolPlan;
  /** Takes one call through the pipeline; a value or a promise of it. @throws what left the pipeline as an exception. */
  readonly run: (invocation: ToolInvocation) => unknown;
}

/** One agent, compiled: opens a scope for each of its calls. */
export class AgentPlan {
  readonly contract: AgentContract;
  readonly tools: ReadonlyMap<string, ToolBinding>;
  /** By wire name of the event. */
  readonly handlers: ReadonlyMap<string, readonly HandlerBinding[]>;
  readonly #draft: AgentDraft;
  readonly #clock: Clock;
  readonly #factory: ScopeFactory;
  /** Tools whose guards may hide them. */
  readonly #guardedTools: readonly { readonly plan: ToolPlan; readonly method: RunnableMethod }[];

  constructor(draft: AgentDraft, container: Container, clock: Clock = systemClock) {
    const { contract, module, roots } = draft;
    this.contract = contract;
    this.#draft = draft;
    this.#clock = clock;
    // The classes among the roots are those that the container makes.
    this.#factory = container.scopeFactory(module, roots as Parameters<Container['scopeFactory']>[1]);
    this.tools = new Map(
      draft.tools.map(({ plan, method }) => [plan.declaration.name, bindTool(plan, this.#runnable(method))]),
    );
    this.handlers = this.#bindHandlers();
    this.#guardedTools = draft.tools
      .filter(({ method }) => method.enhancers.guards.length > 0)
      .map(({ plan, method }) => ({ plan, method: this.#runnable(method) }));
  }

  /** Builds the instances of one call. @throws what a constructor throws; what was built is torn down then. */
  openScope(call: Call, logger: Logger, key: string): CallScope {
    return this.#factory.open([call, logger], key);
  }

  /**
   * The instances of a call that have the hook: CALL providers as they were built, the agent last. Where something is
   * bound around a hook, what runs it through that stands in for the instance.
   */
  hooks<K extends keyof CallHooks>(scope: CallScope, name: K): Pick<CallHooks, K>[] {
    const { interceptors, filters } = this.#draft.otherHooks;
    const isAlwaysBare = interceptors.length + filters.length === 0;
    return instancesAgentLast(scope)
      .filter(
        (instance): instance is Pick<CallHooks, K> =>
          typeof (instance as Partial<CallHooks>)?.[name] === 'function',
      )
      .map((instance) => {
        const method = this.#draft.hooks.get(instance.constructor as Class)?.get(name);
        if (method ? isBare(method) : isAlwaysBare) return instance;
        return this.#throughPipeline(scope, name, instance, method);
      });
  }

  /** Whether {@link AgentPlan.withoutHiddenTools} has guards to ask. */
  get mayHideTools(): boolean {
    return this.#guardedTools.length > 0;
  }

  /**
   * Takes out of an accept what guards hide in this call.
   * @returns the accept as it was when nothing is hidden.
   */
  async withoutHiddenTools(accept: Accept | undefined, scope: CallScope): Promise<Accept | undefined> {
    const hidden = new Set<string>();
    for (const { plan, method } of this.#guardedTools) {
      const { name } = plan.declaration;
      if (accept?.tools && !accept.tools.includes(name)) continue;
      if (!(await isOffered(plan, method, scope))) hidden.add(name);
    }
    if (hidden.size === 0) return accept;
    const tools = (accept?.tools ?? [...this.tools.keys()]).filter((name) => !hidden.has(name));
    return { ...accept, tools };
  }

  /** Starts the timers of a call that was accepted; undefined when the agent has none. */
  startTimers(scope: CallScope): CallTimers | undefined {
    const timers = this.#draft.timers.map(({ record, method }) => ({
      record,
      method: this.#runnable(method),
    }));
    return timers.length > 0 ? new CallTimers(timers, scope, this.#clock) : undefined;
  }

  /** The agent as plain data. */
  manifest(): AgentManifest {
    return agentManifest(this.#draft);
  }

  #runnable(method: MethodPlan): RunnableMethod {
    return { ...method, clock: this.#clock };
  }

  #bindHandlers(): ReadonlyMap<string, readonly HandlerBinding[]> {
    const byType = new Map<string, HandlerBinding[]>();
    for (const { plan, method } of this.#draft.handlers) {
      const binding = bindHandler(plan, this.#runnable(method));
      for (const type of plan.eventTypes) byType.set(type, [...(byType.get(type) ?? []), binding]);
    }
    return byType;
  }

  #throughPipeline<K extends keyof CallHooks>(
    scope: CallScope,
    name: K,
    instance: Pick<CallHooks, K>,
    known: MethodPlan | undefined,
  ): Pick<CallHooks, K> {
    const type = instance.constructor as Class; // an instance of a provider has a class
    const method = known ?? {
      type,
      method: name,
      where: `${type.name}.${name}`,
      agent: this.contract.type,
      rootIndex: -1, // the instance is at hand
      enhancers: this.#draft.otherHooks,
      parameters: undefined,
    };
    const run = (input: unknown): unknown =>
      new HookPassage(this.#runnable(method), scope, {
        name,
        input,
        run: () => (instance[name] as (input: unknown) => unknown)(input),
      }).run();
    return { [name]: run, [HOOK_NAME]: method.where } as unknown as Pick<CallHooks, K>; // it takes and gives what the hook does
  }
}

/** Nothing bound: the method is called directly, without a promise or an object for it. */
function bindTool(plan: ToolPlan, method: RunnableMethod): ToolBinding {
  if (!isBare(method)) {
    return { plan, run: (invocation) => new ToolPassage(method, plan, invocation).run() };
  }
  const { invoke } = plan;
  const { rootIndex } = method;
  return {
    plan,
    run(invocation) {
      const bound = bindArguments(plan, invocation);
      invocation.begin();
      return invoke(invocation.scope.root(rootIndex) as object, bound, invocation.context);
    },
  };
}

function bindHandler(plan: HandlerPlan, method: RunnableMethod): HandlerBinding {
  if (!isBare(method)) {
    return { plan, run: (scope, event) => new EventPassage(method, plan, scope, event).run() };
  }
  const { rootIndex } = method;
  return { plan, run: (scope, event, call) => plan.invoke(scope.root(rootIndex) as object, event, call) };
}

async function isOffered(plan: ToolPlan, method: RunnableMethod, scope: CallScope): Promise<boolean> {
  for (const enhancer of method.enhancers.guards) {
    const guard = instanceOf(enhancer, scope);
    if (typeof guard.offers !== 'function') continue;
    const context = new ToolOfferContext(method, scope, plan.declaration);
    try {
      if ((await guard.offers(context)) !== true) return false;
    } catch (error) {
      context.logger.error('a guard failed, so its tool is not offered', {
        tool: plan.where,
        guard: enhancer.name,
        error,
      });
      return false;
    }
  }
  return true;
}

/** Each instance once: a factory may give one that has another provider a second name. */
function instancesAgentLast(scope: CallScope): unknown[] {
  const agent = scope.root(0);
  const instances = new Set(scope.instances());
  instances.delete(agent);
  return [...instances, agent];
}
