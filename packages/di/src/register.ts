import { problem } from './errors';
import type { DynamicModule } from './module';
import { nearestNames } from './nearest';
import type { ModuleEntry, ProviderEntry, Recipe, Report } from './node';
import type { ClassShorthand, FactoryDependency, Override, Provider } from './provider';
import { ownRecord, recordedScope } from './record';
import { requestsOfClass, requestsOfFactory } from './requests';
import type { ScannedModules } from './scan';
import { isScope, Scope } from './scope';
import { type Class, isMultiToken, isToken, type Token, tokenName } from './tokens';

/** The overrides that replace providers. */
export type ProviderOverride = Extract<Override, { provide: Token }>;

/** Turns what users write in `providers`, `agents` and `exports` into entries. */
export class Registration {
  readonly #report: Report;
  readonly #overrides: ReadonlyMap<Token, ProviderOverride>;
  readonly #usedOverrides = new Set<Token>();

  constructor(overrides: readonly ProviderOverride[], report: Report) {
    this.#report = report;
    this.#overrides = new Map(overrides.map((override) => [override.provide, override]));
  }

  /** Registers the providers, the agents and the class of a module. */
  registerModule(module: ModuleEntry): void {
    for (const source of module.sources) {
      for (const [index, provider] of (source.providers ?? []).entries()) {
        this.registerProvider(module, provider, `${module.name}, providers[${index}]`);
      }
      for (const [index, agent] of (source.agents ?? []).entries()) {
        this.#registerAgent(module, agent, `${module.name}, agents[${index}]`);
      }
    }
    this.#reportDuplicates(module);
    this.#registerModuleClass(module);
  }

  registerProvider(module: ModuleEntry, provider: unknown, place: string): void {
    const valid = this.#checked(provider, place);
    if (valid === undefined) return;
    const token = typeof valid === 'function' ? valid : valid.provide;
    this.#add(module, token, valid);
  }

  /** Registers a class that decorators of another class name, such as a guard. */
  registerExtra(module: ModuleEntry, type: Class): void {
    this.#add(module, type, type);
  }

  resolveExports(module: ModuleEntry, scanned: ScannedModules): void {
    for (const source of module.sources) {
      for (const exported of source.exports ?? []) this.#resolveExport(module, exported, scanned);
    }
  }

  reportUnusedOverrides(modules: readonly ModuleEntry[]): void {
    const names = modules.flatMap((module) => [...module.providers.keys()].map(tokenName));
    for (const token of this.#overrides.keys()) {
      if (this.#usedOverrides.has(token)) continue;
      const name = tokenName(token);
      const [nearest] = nearestNames(name, names);
      const hint = nearest === undefined ? undefined : `Did you mean ${nearest}?`;
      this.#report.problems.push(problem('CW_DI_OVERRIDE_UNUSED', { name, hint }));
    }
  }

  #registerAgent(module: ModuleEntry, agent: unknown, place: string): void {
    if (typeof agent !== 'function') {
      const reason = `it is ${describe(agent)}, and an agent is a class`;
      this.#report.problems.push(problem('CW_DI_PROVIDER_INVALID', { place, reason }));
      return;
    }
    const type = agent as Class; // a function in `agents` is a class, or its construction fails
    module.agents.push(type);
    this.#add(module, type, { provide: type, useClass: type, scope: Scope.CALL });
  }

  #registerModuleClass(module: ModuleEntry): void {
    const { type } = module;
    if (module.providers.has(type)) return; // the user provides it in itself
    const reading = { type, module: module.name, report: this.#report };
    module.providers.set(type, [
      {
        module,
        token: type,
        name: module.name,
        multi: false,
        scope: Scope.SINGLETON,
        recipe: { kind: 'class', type },
        isModuleClass: true,
        requests: requestsOfClass(reading),
        bindings: [],
      },
    ]);
  }

  #add(module: ModuleEntry, token: Token, provider: Provider): void {
    const scope = scopeOf(provider);
    const multi = isMultiToken(token) || (typeof provider === 'object' && provider.multi === true);
    // One of many has no token of its own but its class.
    const override = this.#overrides.get(token) ?? (multi ? this.#overrideOfClass(provider) : undefined);
    if (override !== undefined) {
      // Of many providers of one token, one replacement of the token stands for all.
      if (multi && override.provide === token && this.#usedOverrides.has(token)) return;
      this.#usedOverrides.add(override.provide);
    }
    const effective = override ?? provider;
    const entry: ProviderEntry = {
      module,
      token,
      name: tokenName(token),
      multi,
      scope: override === undefined ? scope : overriddenScope(override, scope),
      recipe: recipeOf(effective),
      isModuleClass: false,
      requests: this.#requestsOf(module, token, effective),
      bindings: [],
    };
    if (entry.recipe.kind === 'factory' && entry.scope !== Scope.SINGLETON && isAsync(entry.recipe.create)) {
      const at = { token: entry.name, module: module.name, scope: entry.scope };
      this.#report.problems.push(problem('CW_DI_ASYNC_FACTORY', at));
    }
    const entries = module.providers.get(token);
    if (entries === undefined) module.providers.set(token, [entry]);
    else entries.push(entry);
  }

  #overrideOfClass(provider: Provider): ProviderOverride | undefined {
    return typeof provider === 'object' && 'useClass' in provider
      ? this.#overrides.get(provider.useClass)
      : undefined;
  }

  #requestsOf(module: ModuleEntry, token: Token, provider: Provider): ProviderEntry['requests'] {
    if (typeof provider === 'function' || 'useClass' in provider) {
      const type = typeof provider === 'function' ? provider : provider.useClass;
      this.#checkInjectable(type, module);
      return requestsOfClass({ type, module: module.name, report: this.#report });
    }
    if ('useFactory' in provider) {
      const inject: readonly FactoryDependency[] = provider.inject ?? [];
      return requestsOfFactory(inject, `${tokenName(token)} (${module.name})`, this.#report);
    }
    if ('useValue' in provider) return [];
    const place = 'useExisting';
    return [{ token: provider.useExisting, optional: false, lazy: false, place, property: undefined }];
  }

  #checkInjectable(type: Class, module: ModuleEntry): void {
    const place = `@Injectable() of ${tokenName(type)} (${module.name})`;
    for (const [option, value] of Object.entries(ownRecord(type)?.injectable ?? {})) {
      if (option !== 'scope') {
        const [nearest] = nearestNames(option, ['scope']);
        this.#report.problems.push(problem('CW_DI_OPTION_UNKNOWN', { option, place, nearest }));
      } else if (value !== undefined && !isScope(value)) {
        const reason = 'its scope is none of Scope';
        this.#report.problems.push(problem('CW_DI_PROVIDER_INVALID', { place, reason }));
      }
    }
  }

  #reportDuplicates(module: ModuleEntry): void {
    for (const entries of module.providers.values()) {
      const [first] = entries;
      if (first === undefined || entries.length < 2) continue;
      const at = { token: first.name, module: module.name };
      const singles = entries.filter((entry) => !entry.multi).length;
      if (singles === entries.length) {
        this.#report.problems.push(problem('CW_DI_PROVIDER_DUPLICATE', { ...at, count: singles }));
      } else if (singles > 0) {
        this.#report.problems.push(problem('CW_DI_MULTI_MIXED', { ...at, other: module.name }));
      }
    }
  }

  #resolveExport(module: ModuleEntry, exported: unknown, scanned: ScannedModules): void {
    const type = typeof exported === 'function' ? scanned.effectiveType(exported as Class) : undefined;
    const imported = module.imports.filter((candidate) => candidate.type === type);
    if (imported.length > 0) {
      for (const candidate of imported) module.exportedModules.add(candidate);
      return;
    }
    if (isToken(exported)) {
      const provided = module.providers.get(exported)?.some((entry) => !entry.isModuleClass) ?? false;
      if (provided) module.exportedTokens.add(exported);
      else this.#reportExport(module, tokenName(exported), ownerOf(exported, scanned.modules));
      return;
    }
    const entry = isDynamic(exported) ? scanned.entryOf(exported) : undefined;
    if (entry !== undefined && module.imports.includes(entry)) module.exportedModules.add(entry);
    else this.#reportExport(module, describe(exported), undefined);
  }

  #reportExport(module: ModuleEntry, token: string, owner: string | undefined): void {
    const at = { token, module: module.name, owner };
    this.#report.problems.push(problem('CW_DI_EXPORT_NOT_PROVIDED', at));
  }

  /** The provider, if it is one; else a problem. */
  #checked(provider: unknown, place: string): Provider | undefined {
    const reason = reasonAgainst(provider);
    if (reason !== undefined) {
      this.#report.problems.push(problem('CW_DI_PROVIDER_INVALID', { place, reason }));
      return undefined;
    }
    if (typeof provider === 'object' && provider !== null) this.#checkOptions(provider, place);
    return provider as Provider; // reasonAgainst looked at every member that is read
  }

  #checkOptions(provider: object, place: string): void {
    const way = WAYS.find((candidate) => candidate in provider);
    for (const option of Object.keys(provider)) {
      if (option === way || option === 'provide' || option === 'multi') continue;
      if (option === 'scope' && (way === 'useClass' || way === 'useFactory')) continue;
      if (option === 'inject' && way === 'useFactory') continue;
      if (option === 'scope' || option === 'inject') {
        const reason = `a provider with ${way} has none`;
        this.#report.problems.push(problem('CW_DI_OPTION_UNUSED', { option, place, reason }));
      } else {
        const [nearest] = nearestNames(option, [...WAYS, 'provide', 'multi', 'scope', 'inject']);
        this.#report.problems.push(problem('CW_DI_OPTION_UNKNOWN', { option, place, nearest }));
      }
    }
  }
}

const WAYS = ['useClass', 'useValue', 'useFactory', 'useExisting'] as const;

/** Why the value is no provider; undefined if it is one. */
function reasonAgainst(provider: unknown): string | undefined {
  if (typeof provider === 'function') return undefined;
  if (typeof provider !== 'object' || provider === null) {
    return `it is ${describe(provider)}`;
  }
  const members = provider as Record<string, unknown>;
  if (!isToken(members.provide)) return `\`provide\` is ${describe(members.provide)}`;
  const ways = WAYS.filter((way) => way in members);
  if (ways.length === 0) return 'it does not say how to make the instance';
  if (ways.length > 1) return `it says it in two ways, ${ways.join(' and ')}`;
  for (const way of ['useClass', 'useFactory'] as const) {
    if (way in members && typeof members[way] !== 'function')
      return `\`${way}\` is ${describe(members[way])}`;
  }
  if ('useExisting' in members && !isToken(members.useExisting)) {
    return `\`useExisting\` is ${describe(members.useExisting)}`;
  }
  if (members.scope !== undefined && !isScope(members.scope)) return 'its scope is none of Scope';
  return undefined;
}

function describe(value: unknown): string {
  if (value === undefined) return 'undefined (do two files import each other?)';
  if (value === null) return 'null';
  return isToken(value) ? tokenName(value) : `a value of type ${typeof value}`;
}

function isDynamic(value: unknown): value is DynamicModule {
  return typeof value === 'object' && value !== null && 'module' in value;
}

function recipeOf(provider: Provider): Recipe {
  if (typeof provider === 'function') return { kind: 'class', type: provider };
  if ('useClass' in provider) return { kind: 'class', type: provider.useClass };
  if ('useValue' in provider) return { kind: 'value', value: provider.useValue };
  if ('useFactory' in provider) return { kind: 'factory', create: provider.useFactory };
  return { kind: 'existing' };
}

function scopeOf(provider: Provider): Scope {
  if (typeof provider === 'function') return classScope(provider);
  if ('useClass' in provider) return provider.scope ?? classScope(provider.useClass);
  if ('useFactory' in provider) return provider.scope ?? Scope.SINGLETON;
  return Scope.SINGLETON;
}

function classScope(type: ClassShorthand): Scope {
  return recordedScope(type) ?? Scope.SINGLETON;
}

function overriddenScope(override: ProviderOverride, scope: Scope): Scope {
  if ('useClass' in override || 'useFactory' in override) return override.scope ?? scope;
  return Scope.SINGLETON;
}

function isAsync(create: object): boolean {
  return Object.prototype.toString.call(create) === '[object AsyncFunction]';
}

function ownerOf(token: Token, modules: readonly ModuleEntry[]): string | undefined {
  return modules.find((module) => module.providers.has(token))?.name;
}
