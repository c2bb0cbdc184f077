import type { ContainerPlan, ModuleNode } from '@callwright/di';
import type { Class } from './class-types';
import { type AgentContract, agentOptions, type HandlerPlan, readContract, type ToolPlan } from './contract';
import { coreErrors } from './errors';
import { CALL_HOOKS, type CallHooks } from './hooks';
import { EnhancerBinder, type MethodEnhancers, type Owner, type ScopeRoot } from './method-enhancers';
import { handlerMembers, methodName, timerMembers } from './method-members';
import { areDirect, type ParameterSource } from './method-parameters';
import type { MethodPlan } from './method-plan';
import { type FilledParameter, pipeTarget } from './parameter-filling';
import type { Problem } from './problem';
import { reachlessProblems } from './reachless';
import type { TimerRecord } from './records';
import { timerProblems } from './timers';

/** A tool with what is bound around it. */
export interface ToolDraft {
  readonly plan: ToolPlan;
  readonly method: MethodPlan;
}

/** An event handler with what is bound around it. */
export interface HandlerDraft {
  readonly plan: HandlerPlan;
  readonly method: MethodPlan;
}

/** A timer of a call with what is bound around it. */
export interface TimerDraft {
  readonly record: TimerRecord;
  readonly method: MethodPlan;
}

/** The hooks of a class with what is bound around them. */
export type HookDrafts = ReadonlyMap<keyof CallHooks, MethodPlan>;

/** An agent's contract with the module it lives in. */
export interface AgentDraft {
  readonly contract: AgentContract;
  readonly module: ModuleNode;
  /** The agent, its tool sets, the CALL providers that are live in every call, and what is bound around their methods. */
  readonly roots: readonly ScopeRoot[];
  readonly tools: readonly ToolDraft[];
  readonly handlers: readonly HandlerDraft[];
  readonly hooks: ReadonlyMap<Class, HookDrafts>;
  /** Around hooks of instances whose class is not known before they are made. */
  readonly otherHooks: MethodEnhancers;
  readonly timers: readonly TimerDraft[];
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
    const standIns = standInsOf(plan, agentOptions(type)?.toolSets ?? []);
    const callProviders = visible.filter(
      (provider) =>
        provider !== type && !isAgent(provider) && isLive(provider) && !standIns.types.has(provider),
    );
    const reading = readContract(type, { ...settings, callProviders });
    problems.push(...reading.problems);
    warnings.push(...reading.warnings);
    if (!reading.contract) continue;
    const toolSets = reading.contract.options.toolSets ?? [];
    problems.push(...toolSetProblems(type, toolSets, [...visible, ...standIns.toolSets]));
    const owners = [...new Set([type, ...toolSets, ...callProviders])];
    const writer = new DraftWriter(plan, reading.contract, module, owners);
    agents.push(writer.write());
    problems.push(...writer.problems);
  }
  // Without a root there is a problem that says so, and nothing was looked for.
  if (plan.root !== undefined && plan.agents.length === 0) problems.push(noAgent(plan));
  const all = [...problems, ...applicationProblems(agents)];
  return { agents, problems: withoutRepetitions(all), warnings };
}

/** Tool sets that are provided by something else than their own class, in tests above all, and the classes of that. */
function standInsOf(
  plan: ContainerPlan,
  toolSets: readonly Class[],
): { readonly toolSets: readonly Class[]; readonly types: ReadonlySet<Class> } {
  const replaced: Class[] = [];
  const types = new Set<Class>();
  for (const toolSet of toolSets) {
    for (const { type } of plan.providersOf(toolSet as Parameters<ContainerPlan['providersOf']>[0])) {
      if (type === toolSet) continue;
      replaced.push(toolSet);
      if (type !== undefined) types.add(type as Class);
    }
  }
  return { toolSets: replaced, types };
}

/** Something of the provider runs in every call, even if nobody injects it. */
function isLive(provider: Class): boolean {
  return (
    hooksOf(provider).length > 0 || handlerMembers(provider).length > 0 || timerMembers(provider).length > 0
  );
}

function hooksOf(provider: Class): readonly (keyof CallHooks)[] {
  const prototype = provider.prototype as Partial<CallHooks>;
  return CALL_HOOKS.filter((name) => typeof prototype[name] === 'function');
}

function isAgent(provider: Class): boolean {
  return agentOptions(provider) !== undefined;
}

/** Two agents may share a tool set; what is wrong with it is said once. */
function withoutRepetitions(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

/** Writes the draft of one agent: finds what is bound around each of its methods. */
class DraftWriter {
  readonly problems: Problem[] = [];
  readonly #contract: AgentContract;
  readonly #agent: Owner;
  readonly #owners: readonly Owner[];
  readonly #roots: ScopeRoot[];
  readonly #binder: EnhancerBinder;

  constructor(plan: ContainerPlan, contract: AgentContract, module: ModuleNode, owners: readonly Class[]) {
    this.#contract = contract;
    this.#agent = { type: contract.type, module };
    this.#owners = owners.map((type) => {
      const made = type as Parameters<ContainerPlan['moduleOf']>[0]; // a provider's class can be made
      const owner = type === contract.type ? module : plan.moduleOf(made);
      return { type, module: owner ?? module };
    });
    this.#roots = [...owners];
    this.#binder = new EnhancerBinder(plan, this.#roots);
  }

  write(): AgentDraft {
    const tools = [...this.#contract.tools.values()].map((plan) => this.#tool(plan));
    const handlers = this.#contract.handlers.map((plan) => this.#handler(plan));
    const hooks = new Map(this.#owners.map((owner) => [owner.type, this.#hooks(owner)]));
    const timers = this.#owners.flatMap((owner) => this.#timers(owner));
    this.problems.push(...this.#binder.problems);
    for (const { type } of this.#owners) this.problems.push(...reachlessProblems(type, hooksOf(type)));
    return {
      contract: this.#contract,
      module: this.#agent.module,
      roots: this.#roots,
      tools,
      handlers,
      hooks,
      otherHooks: quiet(this.#binder.ofApplication()),
      timers,
    };
  }

  #tool(plan: ToolPlan): ToolDraft {
    const owner = this.#ownerOf(plan.type);
    const enhancers = this.#binder.bind(this.#agent, owner, plan.method);
    const parameters = this.#parameters(plan.parameters, owner, enhancers.pipes);
    return { plan, method: this.#method(owner, plan.method, enhancers, parameters) };
  }

  #handler(plan: HandlerPlan): HandlerDraft {
    const owner = this.#ownerOf(plan.type);
    const enhancers = this.#binder.bind(this.#agent, owner, plan.method);
    const parameters = this.#parameters(plan.parameters, owner, []);
    return { plan, method: this.#method(owner, plan.method, { ...enhancers, pipes: [] }, parameters) };
  }

  #hooks(owner: Owner): HookDrafts {
    return new Map(
      hooksOf(owner.type).map((name) => {
        const enhancers = quiet(this.#binder.bind(this.#agent, owner, name));
        return [name, this.#method(owner, name, enhancers, undefined)];
      }),
    );
  }

  #timers(owner: Owner): readonly TimerDraft[] {
    return timerMembers(owner.type).flatMap(({ key, record, parameterCount }) => {
      const where = methodName(owner.type, key);
      this.problems.push(...timerProblems(where, record, parameterCount));
      const method = this.#method(owner, key, quiet(this.#binder.bind(this.#agent, owner, key)), undefined);
      return record.map((each) => ({ record: each, method }));
    });
  }

  #method(
    owner: Owner,
    method: PropertyKey,
    enhancers: MethodEnhancers,
    parameters: readonly FilledParameter[] | undefined,
  ): MethodPlan {
    return {
      type: owner.type,
      method,
      where: methodName(owner.type, method),
      agent: this.#agent.type,
      rootIndex: this.#roots.indexOf(owner.type),
      enhancers,
      parameters,
    };
  }

  /** Undefined when the bound arguments are passed on as they are. */
  #parameters(
    sources: readonly ParameterSource[],
    owner: Owner,
    pipes: MethodEnhancers['pipes'],
  ): readonly FilledParameter[] | undefined {
    const takesPipes = sources.some((source) => source.from === 'argument' || source.from === 'arguments');
    if (areDirect(sources) && !(takesPipes && pipes.length > 0)) return undefined;
    return sources.map((source) => {
      const own = this.#binder.pipesOf(owner, source.where, source.pipes);
      const isArgument = source.from === 'argument' || source.from === 'arguments';
      return { source, pipes: isArgument ? [...pipes, ...own] : own, target: pipeTarget(source) };
    });
  }

  #ownerOf(type: Class): Owner {
    return this.#owners.find((owner) => owner.type === type) ?? this.#agent;
  }
}

/** Hooks and timers belong to the call's own life: nobody can refuse them, and they take no arguments. */
function quiet(enhancers: MethodEnhancers): MethodEnhancers {
  return { ...enhancers, guards: [], pipes: [] };
}

function toolSetProblems(agent: Class, toolSets: readonly Class[], visible: readonly Class[]): Problem[] {
  return toolSets
    .filter((toolSet) => !visible.includes(toolSet))
    .map((toolSet) => ({
      code: 'CW_TOOLSET_NOT_CALL_SCOPED',
      message: coreErrors.CW_TOOLSET_NOT_CALL_SCOPED({ agent: agent.name, toolSet: toolSet.name }),
    }));
}

/** Agents are most often missing because they stand among the providers. */
function noAgent(plan: ContainerPlan): Problem {
  const providers = plan.modules.flatMap((module) => plan.callProviders(module) as readonly Class[]);
  const misplaced = [...new Set(providers)].filter(isAgent).map((type) => type.name);
  return {
    code: 'CW_AGENT_NONE',
    message: coreErrors.CW_AGENT_NONE({ misplaced: misplaced.slice(0, 3).join(', ') }),
  };
}

function applicationProblems(agents: readonly AgentDraft[]): Problem[] {
  const problems: Problem[] = [];
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
