import { Container, type InstantiateOptions } from './container';
import { diError } from './errors';
import { type ContainerGraph, graphOf } from './graph';
import type { ModuleEntry, ModuleNode, ProviderEntry, Report } from './node';
import type { Problem } from './problem';
import type { Resolution } from './resolution';
import type { ScannedModules } from './scan';
import { Scope } from './scope';
import type { Class, Token } from './tokens';

/** A provider of one module. */
export interface ProviderAddress {
  readonly module: ModuleNode;
  readonly token: Token;
  /** Which of the module's own providers of a multi token; without it, what the token means for the module. */
  readonly index?: number | undefined;
  /** The class of what it gives, where the plan can tell: not for plain objects and factories. */
  readonly type?: Class | undefined;
  /** What it gives, where that is an object of a value provider. */
  readonly value?: object | undefined;
}

/** An agent class and the module that has it. */
export interface AgentNode {
  readonly type: Class;
  readonly module: ModuleNode;
}

/** What {@link ContainerPlan} is made of. */
export interface PlanParts {
  readonly scanned: ScannedModules;
  readonly globals: ModuleEntry;
  readonly resolution: Resolution;
  readonly order: readonly ProviderEntry[];
  readonly report: Report;
  readonly inputs: number;
}

/** The modules and providers of a program, checked and frozen. */
export class ContainerPlan {
  /** Everything that is wrong; the container cannot be made unless it is empty. */
  readonly problems: readonly Problem[];
  /** What is probably not meant. */
  readonly warnings: readonly Problem[];
  /** Imported modules before those that import them. */
  readonly modules: readonly ModuleNode[];
  /** The agents of all modules. */
  readonly agents: readonly AgentNode[];
  readonly #parts: PlanParts;

  /** Plans are made by {@link planContainer}. */
  constructor(parts: PlanParts) {
    this.#parts = parts;
    this.problems = Object.freeze([...parts.report.problems]);
    this.warnings = Object.freeze([...parts.report.warnings]);
    this.modules = Object.freeze(parts.scanned.modules.map((module) => Object.freeze(module)));
    this.agents = Object.freeze(
      parts.scanned.modules.flatMap((module) => module.agents.map((type) => ({ type, module }))),
    );
    for (const provider of parts.order) Object.freeze(provider);
  }

  /** The root module; undefined if the root given is none (then there is a problem that says so). */
  get root(): ModuleNode | undefined {
    return this.#parts.scanned.root;
  }

  /**
   * The classes with scope `CALL`, but for agents, that are registered in the module, in what it imports over
   * any number of steps, or in global modules. `scopeFactory` of that module takes them as roots even if they
   * are not exported.
   */
  callProviders(module: ModuleNode): readonly Class[] {
    const types = callEntries(this.#parts, moduleEntry(this.#parts, module)).flatMap(classOf);
    return [...new Set(types)];
  }

  /** Every provider of the token, in whichever module, in the order of `modules`. */
  providersOf(token: Token): readonly ProviderAddress[] {
    const modules = [this.#parts.globals, ...this.#parts.scanned.modules];
    return modules.flatMap((module) =>
      (module.providers.get(token) ?? []).map((provider, index) => {
        return { module, token, index, ...given(provider) };
      }),
    );
  }

  /** The first module with a provider that makes instances of the class, under whatever token. */
  moduleOf(type: Class): ModuleNode | undefined {
    return this.#parts.scanned.modules.find((module) =>
      [...module.providers.values()].some((providers) =>
        providers.some((provider) => classOf(provider).includes(type)),
      ),
    );
  }

  /** The modules, providers, scopes and dependencies as plain JSON. */
  graph(): ContainerGraph {
    return graphOf([this.#parts.globals, ...this.#parts.scanned.modules]);
  }

  /**
   * Makes all singletons in the order of their dependencies, waiting for async factories, and calls
   * `onModuleInit` in the same order.
   * @throws DiError `CW_DI_PLAN_HAS_PROBLEMS`; `CW_DI_PROVIDER_FAILED`, with the cause, after what was made
   * has been torn down
   */
  async instantiate(options: InstantiateOptions = {}): Promise<Container> {
    const [first] = this.problems;
    const { root } = this.#parts.scanned;
    if (first !== undefined || root === undefined) {
      const at = { count: this.problems.length, first: first?.message ?? '' };
      throw diError('CW_DI_PLAN_HAS_PROBLEMS', [at]);
    }
    const { order, resolution, inputs } = this.#parts;
    const container = new Container(
      {
        root,
        order,
        resolution,
        inputs,
        entryOf: (module) => moduleEntry(this.#parts, module),
        callEntriesOf: (module) => callEntries(this.#parts, module),
      },
      options,
    );
    await container.start();
    return container;
  }
}

/** The providers of the modules, in order. */
export function allProviders(modules: readonly ModuleEntry[]): readonly ProviderEntry[] {
  return modules.flatMap((module) => [...module.providers.values()].flat());
}

/** The entry behind a node: the same object, unless the node is another plan's. */
function moduleEntry({ scanned, globals }: PlanParts, node: ModuleNode): ModuleEntry {
  const entry = [...scanned.modules, globals].find((module) => module === node);
  if (entry === undefined) throw new TypeError(`Module ${node.name} belongs to another plan.`);
  return entry;
}

/** CALL providers of the module, of all it imports, and of global modules; agents left out. */
function callEntries({ scanned, globals }: PlanParts, module: ModuleEntry): readonly ProviderEntry[] {
  const modules = new Set<ModuleEntry>();
  const visit = (current: ModuleEntry): void => {
    if (modules.has(current)) return;
    modules.add(current);
    for (const imported of current.imports) visit(imported);
  };
  visit(module);
  for (const global of scanned.modules.filter((candidate) => candidate.global)) visit(global);
  visit(globals);
  return allProviders([...modules]).filter(
    (provider) =>
      provider.scope === Scope.CALL && !provider.module.agents.some((agent) => agent === provider.token),
  );
}

/** What can be told of what a provider gives, or of what it is another name for. */
function given(provider: ProviderEntry): Pick<ProviderAddress, 'type' | 'value'> {
  const { recipe } = aliased(provider) ?? {};
  if (recipe?.kind === 'class') return { type: recipe.type };
  if (recipe?.kind !== 'value' || typeof recipe.value !== 'object' || recipe.value === null) return {};
  const { value } = recipe;
  const type: unknown = value.constructor;
  // An object's constructor is its class.
  return typeof type === 'function' && type !== Object ? { type: type as Class, value } : { value };
}

/** The provider behind other names; undefined when these go round in a circle, which is reported as a problem. */
function aliased(provider: ProviderEntry): ProviderEntry | undefined {
  const seen = new Set<ProviderEntry>();
  let current: ProviderEntry | undefined = provider;
  while (current?.recipe.kind === 'existing' && !seen.has(current)) {
    seen.add(current);
    const [binding]: ProviderEntry['bindings'] = current.bindings;
    current = binding?.kind === 'provider' ? binding.provider : undefined;
  }
  return current?.recipe.kind === 'existing' ? undefined : current;
}

/** The class a provider makes an instance of; nothing for other kinds. */
export function classOf(provider: ProviderEntry): readonly Class[] {
  return provider.recipe.kind === 'class' ? [provider.recipe.type] : [];
}
