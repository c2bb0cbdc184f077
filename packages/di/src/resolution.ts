import { problem } from './errors';
import { builtInOf } from './handles';
import { nearestNames } from './nearest';
import {
  type Binding,
  type InjectionRequest,
  type ModuleEntry,
  type ProviderEntry,
  providerLabel,
  type Report,
} from './node';
import type { Problem } from './problem';
import { isSameToken, type Token, tokenId, tokenName } from './tokens';

/** Where tokens are looked up. */
export interface ResolutionSources {
  readonly modules: readonly ModuleEntry[];
  /** The pseudo-module of the providers that the framework gives to everyone. */
  readonly globals: ModuleEntry;
  /** Tokens whose values come from outside when a scope opens. */
  readonly inputs: readonly Token[];
}

/** Who asks, for messages. */
interface Asker {
  readonly module: ModuleEntry;
  /** `BookingService, parameter 0 of the constructor`. */
  readonly place: string;
}

/** One source of providers a module sees, in the order of precedence. */
interface Sight {
  readonly from: ModuleEntry;
  readonly entries: readonly ProviderEntry[];
}

/** Finds what a token means for a module: its own providers, then its imports in order, then global ones. */
export class Resolution {
  readonly #sources: ResolutionSources;
  readonly #globalModules: readonly ModuleEntry[];

  constructor(sources: ResolutionSources) {
    this.#sources = sources;
    this.#globalModules = sources.modules.filter((module) => module.global);
  }

  /** Fills `bindings` of a provider. */
  bind(provider: ProviderEntry, report: Report): void {
    provider.bindings = provider.requests.map((request) => this.#bound(provider, request, report));
  }

  /** What the token means for the module; undefined if it sees none. */
  find(module: ModuleEntry, token: Token): Binding | undefined {
    const special = this.#special(module, token);
    if (special !== undefined) return special;
    return bindingOf(this.#sights(module, token, false));
  }

  /** What the token means for `module` or, failing that, for any module. */
  findAnywhere(module: ModuleEntry, token: Token): Binding | undefined {
    const seen = this.find(module, token);
    if (seen !== undefined) return seen;
    for (const candidate of this.#everyModule()) {
      const entries = candidate.providers.get(token);
      if (entries !== undefined) return bindingOf([{ from: candidate, entries }]);
    }
    return undefined;
  }

  /** Why nothing was found: not exported (from where), or missing (with the nearest names). */
  explainMissing(asker: Asker, token: Token): Problem {
    const { module, place } = asker;
    const at = { token: tokenName(token), place, module: module.name };
    const owners = this.#everyModule().filter((candidate) => candidate.providers.has(token));
    const owner = owners.find((candidate) => module.imports.includes(candidate)) ?? owners[0];
    if (owner !== undefined) {
      const imported = module.imports.includes(owner);
      return problem('CW_DI_PROVIDER_NOT_EXPORTED', { ...at, owner: owner.name, imported });
    }
    return problem('CW_DI_PROVIDER_MISSING', { ...at, hints: this.#hints(token) });
  }

  #bound(provider: ProviderEntry, request: InjectionRequest, report: Report): Binding {
    const { module } = provider;
    const place = `${provider.name}, ${request.place}`;
    const special = this.#special(module, request.token);
    if (special !== undefined) return special;
    // A provider `{ provide: T, useExisting: T }`, or a decorating factory of T, means the T of elsewhere.
    const skipOwn = request.token === provider.token && provider.recipe.kind !== 'class';
    const sights = this.#sights(module, request.token, skipOwn);
    this.#reportMixed(sights, report);
    this.#warnOfSecond(sights, { module, place }, report);
    const found = bindingOf(sights);
    if (found !== undefined) return found;
    if (!request.optional) report.problems.push(this.explainMissing({ module, place }, request.token));
    return { kind: 'absent' };
  }

  #special(module: ModuleEntry, token: Token): Binding | undefined {
    const builtIn = builtInOf(token);
    if (builtIn === 'ModuleRef') return { kind: 'moduleRef', module };
    if (builtIn === 'CallScopes') return { kind: 'callScopes' };
    const index = this.#sources.inputs.findIndex((input) => isSameToken(input, token));
    if (index < 0) return undefined;
    const outside = this.#global(token)?.[0];
    return { kind: 'input', index, token, outside };
  }

  /** What the framework provides to everyone, also by the class of another copy of its package. */
  #global(token: Token): readonly ProviderEntry[] | undefined {
    const { providers } = this.#sources.globals;
    const entries = providers.get(token);
    if (entries !== undefined || tokenId(token) === undefined) return entries;
    return [...providers].find(([provided]) => isSameToken(provided, token))?.[1];
  }

  #sights(module: ModuleEntry, token: Token, skipOwn: boolean): readonly Sight[] {
    const sights: Sight[] = [];
    const own = skipOwn ? undefined : module.providers.get(token);
    if (own !== undefined) sights.push({ from: module, entries: own });
    if (own?.[0]?.multi === false) return sights;
    for (const imported of [...module.imports, ...this.#globalModules]) {
      const entries = exportedBy(imported, token, new Set());
      if (entries !== undefined && !sights.some((sight) => sight.entries === entries)) {
        sights.push({ from: imported, entries });
      }
    }
    const global = this.#global(token);
    if (global !== undefined) sights.push({ from: this.#sources.globals, entries: global });
    return sights;
  }

  #reportMixed(sights: readonly Sight[], report: Report): void {
    const [first] = sights;
    if (first?.entries[0]?.multi !== true) return;
    const single = sights.find((sight) => sight.entries[0]?.multi === false);
    if (single === undefined) return;
    const at = {
      token: first.entries[0].name,
      module: ownerName(first),
      other: ownerName(single),
    };
    const mixed = problem('CW_DI_MULTI_MIXED', at);
    if (!report.problems.some((known) => known.message === mixed.message)) report.problems.push(mixed);
  }

  /** Two imports that export different providers of one token: the first is used, which nobody may have meant. */
  #warnOfSecond(sights: readonly Sight[], asker: Asker, report: Report): void {
    const [first, second] = sights;
    if (first === undefined || second === undefined || first.entries[0]?.multi !== false) return;
    const { imports } = asker.module;
    if (!imports.includes(first.from) || !imports.includes(second.from)) return;
    report.warnings.push(
      problem('CW_DI_PROVIDER_AMBIGUOUS', {
        token: first.entries[0].name,
        place: asker.place,
        module: asker.module.name,
        used: first.from.name,
        other: second.from.name,
      }),
    );
  }

  #hints(token: Token): readonly string[] {
    const name = tokenName(token);
    const labels = new Map<string, string>();
    for (const module of this.#everyModule()) {
      for (const [entry] of module.providers.values()) {
        if (entry === undefined || entry.isModuleClass) continue;
        if (entry.name === name) {
          return [
            `Note: ${module.name} provides another ${name}. Two copies of one file or package make two classes.`,
          ];
        }
        labels.set(entry.name, providerLabel(entry));
      }
    }
    const nearest = nearestNames(name, labels.keys()).map((candidate) => labels.get(candidate));
    return nearest.length === 0 ? [] : [`Did you mean: ${nearest.join(', ')}?`];
  }

  #everyModule(): readonly ModuleEntry[] {
    return [...this.#sources.modules, this.#sources.globals];
  }
}

/** What a module shows to those that import it: own exported tokens, and over modules it re-exports. */
function exportedBy(
  module: ModuleEntry,
  token: Token,
  seen: Set<ModuleEntry>,
): readonly ProviderEntry[] | undefined {
  if (seen.has(module)) return undefined;
  seen.add(module);
  if (module.exportedTokens.has(token)) return module.providers.get(token);
  for (const passedOn of module.exportedModules) {
    const entries = exportedBy(passedOn, token, seen);
    if (entries !== undefined) return entries;
  }
  return undefined;
}

function bindingOf(sights: readonly Sight[]): Binding | undefined {
  const provider = sights[0]?.entries[0];
  if (provider === undefined) return undefined;
  if (!provider.multi) return { kind: 'provider', provider };
  const providers = new Set(sights.flatMap((sight) => sight.entries));
  return { kind: 'many', providers: [...providers].filter((entry) => entry.multi) };
}

function ownerName(sight: Sight): string {
  return sight.entries[0]?.module.name ?? sight.from.name;
}
