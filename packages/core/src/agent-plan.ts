import type { CallScope, Container, ContainerPlan, ModuleNode, ScopeFactory } from '@callwright/di';
import { Call } from './call';
import type { Class } from './class-types';
import { type AgentContract, agentOptions, type HandlerPlan, readContract, type ToolPlan } from './contract';
import { coreErrors } from './errors';
import type { CallHooks, OnCallEnd, OnCallStart } from './hooks';
import { ArgumentsError, type ToolInvocation } from './invocation';
import { Logger } from './logger';
import { handlerMembers } from './method-members';
import type { Problem } from './problem';

/** What a CALL scope is given from outside, in the order of {@link AgentPlan.openScope}. */
export const CALL_INPUTS = [Call, Logger] as const;

/** A handler and the place of its instance among the scope's roots. */
export interface HandlerBinding {
  readonly plan: HandlerPlan;
  readonly rootIndex: number;
}

/** A tool, ready to run in any call of its agent. */
export interface ToolBinding {
  readonly plan: ToolPlan;
  /** Takes one call through the pipeline; a value or a promise of it. @throws what left the pipeline as an exception. */
  readonly run: (invocation: ToolInvocation) => unknown;
}

/** An agent's contract with the module it lives in. */
export interface AgentDraft {
  readonly contract: AgentContract;
  readonly module: ModuleNode;
  /** The agent, its tool sets, and the CALL providers that handle events. */
  readonly roots: readonly Class[];
}

/** All agents of an application and everything that is wrong with them. */
export interface AgentsReading {
  readonly agents: readonly AgentDraft[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Reads every agent of the planned container. Reports, never throws. */
export function readAgents(
  plan: ContainerPlan,
  settings: { readonly timeZone?: string | undefined },
): AgentsReading {
  const agents: AgentDraft[] = [];
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const { type, module } of plan.agents) {
    const visible = plan.callProviders(module) as readonly Class[];
    const callProviders = visible.filter(
      (provider) => provider !== type && !isAgent(provider) && isLive(provider),
    );
    const reading = readContract(type, { ...settings, callProviders });
    problems.push(...reading.problems);
    warnings.push(...reading.warnings);
    if (!reading.contract) continue;
    const toolSets = reading.contract.options.toolSets ?? [];
    problems.push(...toolSetProblems(type, toolSets, visible));
    agents.push({
      contract: reading.contract,
      module,
      roots: [...new Set([type, ...toolSets, ...callProviders])],
    });
  }
  return { agents, problems: [...problems, ...applicationProblems(agents, plan.agents.length)], warnings };
}

/** Something of the provider runs in every call, even if nobody injects it. */
function isLive(provider: Class): boolean {
  const prototype = provider.prototype as Partial<OnCallStart & OnCallEnd>;
  return (
    typeof prototype.onCallStart === 'function' ||
    typeof prototype.onCallEnd === 'function' ||
    handlerMembers(provider).length > 0
  );
}

function isAgent(provider: Class): boolean {
  return agentOptions(provider) !== undefined;
}

function toolSetProblems(agent: Class, toolSets: readonly Class[], visible: readonly Class[]): Problem[] {
  return toolSets
    .filter((toolSet) => !visible.includes(toolSet))
    .map((toolSet) => ({
      code: 'CW_TOOLSET_NOT_CALL_SCOPED',
      message: coreErrors.CW_TOOLSET_NOT_CALL_SCOPED({ agent: agent.name, toolSet: toolSet.name }),
    }));
}

function applicationProblems(agents: readonly AgentDraft[], declared: number): Problem[] {
  const problems: Problem[] = [];
  if (declared === 0) problems.push({ code: 'CW_AGENT_NONE', message: coreErrors.CW_AGENT_NONE() });
  const byName = new Map<string, string[]>();
  for (const { contract } of agents) {
    const { name } = contract.options;
    byName.set(name, [...(byName.get(name) ?? []), contract.type.name]);
  }
  for (const [name, types] of byName) {
    if (types.length < 2) continue;
    const message = coreErrors.CW_AGENT_NAME_DUPLICATE({ name, agents: types.join(', ') });
    problems.push({ code: 'CW_AGENT_NAME_DUPLICATE', message });
  }
  const defaults = agents
    .filter(({ contract }) => contract.options.default)
    .map(({ contract }) => contract.type.name);
  if (defaults.length > 1) {
    const message = coreErrors.CW_AGENT_DEFAULT_DUPLICATE({ agents: defaults.join(', ') });
    problems.push({ code: 'CW_AGENT_DEFAULT_DUPLICATE', message });
  }
  return problems;
}

/** One agent, compiled: opens a scope for each of its calls. */
export class AgentPlan {
  readonly contract: AgentContract;
  readonly tools: ReadonlyMap<string, ToolBinding>;
  /** By wire name of the event. */
  readonly handlers: ReadonlyMap<string, readonly HandlerBinding[]>;
  readonly #factory: ScopeFactory;

  constructor(draft: AgentDraft, container: Container) {
    const { contract, module, roots } = draft;
    this.contract = contract;
    this.#factory = container.scopeFactory(module, roots);
    this.tools = new Map(
      [...contract.tools].map(([name, plan]) => [name, bindTool(plan, roots.indexOf(plan.type))]),
    );
    this.handlers = bindHandlers(contract.handlers, roots);
  }

  /** Builds the instances of one call. @throws what a constructor throws; what was built is torn down then. */
  openScope(call: Call, logger: Logger, key: string): CallScope {
    return this.#factory.open([call, logger], key);
  }

  /** The instances of a call that have the hook: CALL providers as they were built, the agent last. */
  hooks<K extends keyof CallHooks>(scope: CallScope, name: K): Pick<CallHooks, K>[] {
    return instancesAgentLast(scope).filter(
      (instance): instance is Pick<CallHooks, K> =>
        typeof (instance as Partial<CallHooks>)?.[name] === 'function',
    );
  }
}

function bindTool(plan: ToolPlan, rootIndex: number): ToolBinding {
  const { args, invoke } = plan;
  return {
    plan,
    run(invocation) {
      const bound = args.bind(invocation.args);
      if (!bound.ok) throw new ArgumentsError(bound.message);
      invocation.begin();
      return invoke(invocation.scope.root(rootIndex) as object, bound.value, invocation.context);
    },
  };
}

function instancesAgentLast(scope: CallScope): unknown[] {
  const agent = scope.root(0);
  return [...scope.instances().filter((instance) => instance !== agent), agent];
}

function bindHandlers(
  handlers: readonly HandlerPlan[],
  roots: readonly Class[],
): ReadonlyMap<string, readonly HandlerBinding[]> {
  const byType = new Map<string, HandlerBinding[]>();
  for (const plan of handlers) {
    const binding = { plan, rootIndex: roots.indexOf(plan.type) };
    for (const type of plan.eventTypes) byType.set(type, [...(byType.get(type) ?? []), binding]);
  }
  return byType;
}
