import { problemsOfFactory } from './checked-factory';
import { checkCaptives, checkLazies, orderProviders } from './checks';
import { Container, type InstantiateOptions } from './container';
import { diError } from './errors';
import { type ContainerGraph, graphOf } from './graph';
import type { DynamicModule } from './module';
import type { ModuleEntry, ModuleNode, ProviderEntry, Report } from './node';
import type { Problem } from './problem';
import type { ModuleOverride, Override, Provider } from './provider';
import { type ProviderOverride, Registration } from './register';
import { Resolution } from './resolution';
import { type ScannedModules, scanModules } from './scan';
import { Scope } from './scope';
import type { Class, Token } from './tokens';

/** Options of {@link planContainer}. */
export interface PlanOptions {
  /**
   * Tokens whose values come from outside when a scope opens, in the order of `inputs` of `open`. One that
   * `globals` provides too, such as a logger, is that provider's instance outside of calls.
   */
  callInputs?: readonly Token[] | undefined;
  /** Providers that every module sees. */
  globals?: readonly Provider[] | undefined;
  /** Replacements of providers and modules, for tests. */
  overrides?: readonly Override[] | undefined;
  /**
   * More classes that a provider's decorators name, such as guards: each is registered in the provider's
   * module, unless that module sees it already. Asked for these classes too.
   */
  injectablesOf?: ((type: Class) => readonly Class[]) | undefined;
  /** Makes a value for a token that nobody provides, for tests; undefined leaves it missing. */
  mocker?: ((token: Token) => unknown) | undefined;
}

/** A provider of one module. */
export interface ProviderAddress {
  readonly module: ModuleNode;
  readonly token: Token;
  /** Which of the module's own providers of a multi token; without it, what the token means for the module. */
  readonly index?: number | undefined;
  /** The name of the class that is made, where one is. */
  readonly className?: string | undefined;
}

/** An agent class and the module that has it. */
export interface AgentNode {
  readonly type: Class;
  readonly module: ModuleNode;
}

/**
 * Reads all modules and providers from the root on and finds everything that is wrong with them.
 *
 * It never throws for a mistake of the program: those are in `problems`. It waits only for promises of dynamic
 * modules.
 *
 * @example
 * ```ts
 * import { Injectable, Module, planContainer } from '@callwright/di';
 *
 * @Injectable()
 * export class Bookings {}
 *
 * @Module({ providers: [Bookings] })
 * export class AppModule {}
 *
 * async function main(): Promise<void> {
 *   const plan = await planContainer(AppModule);
 *   if (plan.problems.length > 0) throw new Error(plan.problems.map((found) => found.message).join('\n'));
 *   const container = await plan.instantiate();
 *   container.get(Bookings);
 *   await container.close();
 * }
 * void main();
 * ```
 */
export async function planContainer(
  root: Class | DynamicModule,
  options: PlanOptions = {},
): Promise<ContainerPlan> {
  const report: Report = { problems: [], warnings: [] };
  const overrides = options.overrides ?? [];
  const scanned = await scanModules(root, overrides.filter(isModuleOverride), report);
  const registration = new Registration(overrides.filter(isProviderOverride), report);
  const globals = globalsModule();
  registerAll(scanned, globals, { registration, options, report });
  const inputs = options.callInputs ?? [];
  const resolution = new Resolution({ modules: scanned.modules, globals, inputs });
  registerExtras([globals, ...scanned.modules], { registration, resolution, options });
  registration.reportUnusedOverrides([globals, ...scanned.modules]);
  const providers = allProviders([globals, ...scanned.modules]);
  for (const { recipe } of providers) {
    if (recipe.kind === 'factory') report.problems.push(...problemsOfFactory(recipe.create));
  }
  if (options.mocker !== undefined) addMocks(providers, { resolution, globals, mocker: options.mocker });
  for (const provider of providers) resolution.bind(provider, report);
  const order = checkedOrder(allProviders([globals, ...scanned.modules]), report);
  return new ContainerPlan({ scanned, globals, resolution, order, report, inputs: inputs.length });
}

/** What {@link ContainerPlan} is made of. */
interface PlanParts {
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
        const className = classOf(provider)[0]?.name;
        return { module, token, index, className };
      }),
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

interface RegistrationParts {
  readonly registration: Registration;
  readonly options: PlanOptions;
  readonly report: Report;
}

function registerAll(scanned: ScannedModules, globals: ModuleEntry, parts: RegistrationParts): void {
  for (const [index, provider] of (parts.options.globals ?? []).entries()) {
    parts.registration.registerProvider(globals, provider, `globals[${index}]`);
  }
  for (const module of scanned.modules) parts.registration.registerModule(module);
  for (const module of scanned.modules) parts.registration.resolveExports(module, scanned);
}

/** Guards and the like, named by decorators of classes; and those named by theirs. */
function registerExtras(
  modules: readonly ModuleEntry[],
  parts: { registration: Registration; resolution: Resolution; options: PlanOptions },
): void {
  const { injectablesOf } = parts.options;
  if (injectablesOf === undefined) return;
  for (const module of modules) {
    const waiting = [...module.providers.values()].flat().flatMap(classOf);
    const seen = new Set<Class>(waiting);
    for (const type of waiting) {
      for (const extra of injectablesOf(type)) {
        if (seen.has(extra) || parts.resolution.find(module, extra) !== undefined) continue;
        seen.add(extra);
        waiting.push(extra); // the loop goes on over what it adds
        parts.registration.registerExtra(module, extra);
      }
    }
  }
}

function addMocks(
  providers: readonly ProviderEntry[],
  parts: { resolution: Resolution; globals: ModuleEntry; mocker: (token: Token) => unknown },
): void {
  for (const { module, requests } of providers) {
    for (const { token, optional } of requests) {
      if (optional || parts.resolution.findAnywhere(module, token) !== undefined) continue;
      const value = parts.mocker(token);
      if (value !== undefined) parts.globals.providers.set(token, [mockEntry(parts.globals, token, value)]);
    }
  }
}

function mockEntry(module: ModuleEntry, token: Token, value: unknown): ProviderEntry {
  return {
    module,
    token,
    name: typeof token === 'function' ? token.name : token.description,
    multi: false,
    scope: Scope.SINGLETON,
    recipe: { kind: 'value', value },
    isModuleClass: false,
    requests: [],
    bindings: [],
  };
}

/** Checks what can only be seen when everything is bound. Scopes are looked at only in graphs without circles. */
function checkedOrder(providers: readonly ProviderEntry[], report: Report): readonly ProviderEntry[] {
  const before = report.problems.length;
  const order = orderProviders(providers, report);
  checkCaptives(providers, report);
  if (report.problems.length === before) checkLazies(providers, report);
  return order;
}

class Globals {}

function globalsModule(): ModuleEntry {
  return {
    id: '(globals)',
    name: '(globals)',
    type: Globals,
    global: true,
    sources: [],
    imports: [],
    providers: new Map(),
    exportedTokens: new Set(),
    exportedModules: new Set(),
    agents: [],
  };
}

function allProviders(modules: readonly ModuleEntry[]): readonly ProviderEntry[] {
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

function classOf(provider: ProviderEntry): readonly Class[] {
  return provider.recipe.kind === 'class' ? [provider.recipe.type] : [];
}

function isModuleOverride(override: Override): override is ModuleOverride {
  return 'overrideModule' in override;
}

function isProviderOverride(override: Override): override is ProviderOverride {
  return !('overrideModule' in override);
}
