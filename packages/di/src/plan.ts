import { problemsOfFactory } from './checked-factory';
import { checkCaptives, checkLazies, orderProviders } from './checks';
import { allProviders, ContainerPlan, classOf } from './container-plan';
import type { DynamicModule } from './module';
import type { ModuleEntry, ProviderEntry, Report } from './node';
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
    // An agent that is overridden is still the one whose decorators count.
    const seen = new Set<Class>([
      ...[...module.providers.values()].flat().flatMap(classOf),
      ...module.agents,
    ]);
    const waiting = [...seen];
    for (const type of waiting) {
      for (const extra of injectablesOf(type)) {
        // A class that is provided under another token only is not found by itself.
        if (parts.resolution.find(module, extra) !== undefined) continue;
        parts.registration.registerExtra(module, extra);
        if (seen.has(extra)) continue;
        seen.add(extra);
        waiting.push(extra); // the loop goes on over what it adds
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

function isModuleOverride(override: Override): override is ModuleOverride {
  return 'overrideModule' in override;
}

function isProviderOverride(override: Override): override is ProviderOverride {
  return !('overrideModule' in override);
}
