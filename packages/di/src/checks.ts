import { problem } from './errors';
import { type Binding, type ProviderEntry, providerLabel, type Report } from './node';
import { Scope } from './scope';
import { tokenName } from './tokens';

/** The providers of a binding. */
export function targetsOf(binding: Binding): readonly ProviderEntry[] {
  if (binding.kind === 'provider') return [binding.provider];
  // A singleton gets what stands for the input outside of calls, so that must exist first.
  if (binding.kind === 'input') return binding.outside === undefined ? [] : [binding.outside];
  return binding.kind === 'many' ? binding.providers : [];
}

/** What a binding means in the end, behind all `useExisting`; nothing if these go in a circle (a problem then). */
export function behindAliases(binding: Binding): Binding {
  let current = binding;
  const seen = new Set<ProviderEntry>();
  while (current.kind === 'provider' && current.provider.recipe.kind === 'existing') {
    if (seen.has(current.provider)) return { kind: 'absent' };
    seen.add(current.provider);
    current = current.provider.bindings[0] ?? { kind: 'absent' };
  }
  return current;
}

/** The providers that must exist before this one can be made. */
export function neededFirst(provider: ProviderEntry): readonly ProviderEntry[] {
  return provider.bindings.flatMap((binding, index) =>
    provider.requests[index]?.lazy === true ? [] : targetsOf(binding),
  );
}

/**
 * Reports every circle of providers that need each other first, each once, and returns the providers in an
 * order in which they can be made.
 */
export function orderProviders(
  providers: readonly ProviderEntry[],
  report: Report,
): readonly ProviderEntry[] {
  const ordered: ProviderEntry[] = [];
  const done = new Set<ProviderEntry>();
  const path: ProviderEntry[] = [];
  const reported = new Set<string>();
  const visit = (provider: ProviderEntry): void => {
    if (done.has(provider)) return;
    const start = path.indexOf(provider);
    if (start >= 0) {
      reportCycle(path.slice(start), reported, report);
      return;
    }
    path.push(provider);
    for (const needed of neededFirst(provider)) visit(needed);
    path.pop();
    done.add(provider);
    ordered.push(provider);
  };
  for (const provider of providers) visit(provider);
  return ordered;
}

function reportCycle(members: readonly ProviderEntry[], reported: Set<string>, report: Report): void {
  const labels = members.map((member) => `${member.module.id}/${member.name}`);
  const key = [...labels].sort().join('|');
  if (reported.has(key)) return;
  reported.add(key);
  const names = members.map((member) => member.name);
  report.problems.push(problem('CW_DI_CYCLE', { path: [...names, names[0] ?? ''] }));
}

/** Reports singletons that need, directly or over transient providers, what lives for one call. */
export function checkCaptives(providers: readonly ProviderEntry[], report: Report): void {
  for (const provider of providers) {
    const { kind } = provider.recipe;
    if (provider.scope !== Scope.SINGLETON || kind === 'value' || kind === 'existing') continue;
    for (const [captive, path] of captivesOf(provider)) {
      report.problems.push(problem('CW_DI_CAPTIVE_SCOPE', { singleton: provider.name, captive, path }));
    }
  }
}

/** Names of what a singleton must not hold, each with the first path to it. */
function captivesOf(singleton: ProviderEntry): ReadonlyMap<string, readonly string[]> {
  const captives = new Map<string, readonly string[]>();
  const seen = new Set<ProviderEntry>();
  const add = (name: string, path: readonly string[]): void => {
    if (!captives.has(name)) captives.set(name, [...path, `${name} (CALL)`]);
  };
  const walk = (holder: ProviderEntry, path: readonly string[]): void => {
    if (seen.has(holder)) return;
    seen.add(holder);
    for (const binding of holder.bindings) {
      if (binding.kind === 'input' && binding.outside === undefined) add(tokenName(binding.token), path);
      for (const target of targetsOf(binding)) {
        if (isPassedThrough(target)) walk(target, [...path, `${target.name} (${scopeLabel(target)})`]);
        else if (target.scope === Scope.CALL) add(target.name, path);
      }
    }
  };
  walk(singleton, [`${singleton.name} (SINGLETON)`]);
  return captives;
}

/** A transient instance and an alias live as long as who holds them. */
function isPassedThrough(provider: ProviderEntry): boolean {
  return provider.recipe.kind === 'existing' || provider.scope === Scope.TRANSIENT;
}

function scopeLabel(provider: ProviderEntry): string {
  return provider.recipe.kind === 'existing' ? 'useExisting' : provider.scope;
}

/** Reports every Lazy of a transient provider: it has no shared instance. To be asked when there are no cycles. */
export function checkLazies(providers: readonly ProviderEntry[], report: Report): void {
  for (const provider of providers) {
    for (const [index, request] of provider.requests.entries()) {
      const binding = provider.bindings[index];
      if (!request.lazy || binding === undefined) continue;
      const transient = targetsOf(behindAliases(binding)).some((target) => target.scope === Scope.TRANSIENT);
      if (!transient) continue;
      const place = `${providerLabel(provider)}, ${request.place}`;
      report.problems.push(problem('CW_DI_LAZY_TRANSIENT', { place, token: tokenName(request.token) }));
    }
  }
}
