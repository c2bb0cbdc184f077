import { behindAliases, targetsOf } from './checks';
import type { ModuleEntry, ProviderEntry } from './node';
import type { Scope } from './scope';
import { tokenName } from './tokens';

/** A plan as plain JSON. */
export interface ContainerGraph {
  readonly modules: readonly GraphModule[];
}

/** A module of a {@link ContainerGraph}. */
export interface GraphModule {
  readonly id: string;
  readonly name: string;
  readonly global: boolean;
  /** Ids of modules. */
  readonly imports: readonly string[];
  /** Names of own tokens, and ids of modules that are passed on. */
  readonly exports: readonly string[];
  /** Names of agent classes. */
  readonly agents: readonly string[];
  readonly providers: readonly GraphProvider[];
}

/** A provider of a {@link GraphModule}. */
export interface GraphProvider {
  /** Unique in the graph: the module's id, a slash, the token's name. */
  readonly id: string;
  readonly token: string;
  readonly kind: 'class' | 'value' | 'factory' | 'existing';
  readonly scope: Scope;
  readonly multi: boolean;
  readonly dependencies: readonly GraphDependency[];
}

/** One thing a {@link GraphProvider} asks for. */
export interface GraphDependency {
  readonly token: string;
  /** Ids of the providers it gets: one; more of a multi token; none if it comes from outside or is absent. */
  readonly providers: readonly string[];
  readonly lazy: boolean;
  readonly optional: boolean;
}

/** The graph of the modules; the module's own classes appear only if they ask for something. */
export function graphOf(modules: readonly ModuleEntry[]): ContainerGraph {
  const ids = providerIds(modules);
  return { modules: modules.filter(isWorthShowing).map((module) => graphModule(module, ids)) };
}

/** The framework's own pseudo-module is left out when it is empty. */
function isWorthShowing(module: ModuleEntry): boolean {
  return module.sources.length > 0 || module.providers.size > 0;
}

function shownProviders(module: ModuleEntry): readonly ProviderEntry[] {
  const all = [...module.providers.values()].flat();
  return all.filter((provider) => !provider.isModuleClass || provider.requests.length > 0);
}

function providerIds(modules: readonly ModuleEntry[]): ReadonlyMap<ProviderEntry, string> {
  const ids = new Map<ProviderEntry, string>();
  const counts = new Map<string, number>();
  for (const module of modules) {
    for (const provider of shownProviders(module)) {
      const plain = `${module.id}/${provider.name}`;
      const count = (counts.get(plain) ?? 0) + 1;
      counts.set(plain, count);
      ids.set(provider, count === 1 ? plain : `${plain}#${count}`);
    }
  }
  return ids;
}

function graphModule(module: ModuleEntry, ids: ReadonlyMap<ProviderEntry, string>): GraphModule {
  return {
    id: module.id,
    name: module.name,
    global: module.global,
    imports: module.imports.map((imported) => imported.id),
    exports: [
      ...[...module.exportedTokens].map(tokenName),
      ...[...module.exportedModules].map((passedOn) => passedOn.id),
    ],
    agents: module.agents.map(tokenName),
    providers: shownProviders(module).map((provider) => ({
      id: ids.get(provider) ?? provider.name,
      token: provider.name,
      kind: provider.recipe.kind,
      scope: effectiveScope(provider),
      multi: provider.multi,
      dependencies: provider.requests.map((request, index) => {
        const binding = provider.bindings[index];
        const targets = binding === undefined ? [] : targetsOf(binding);
        return {
          token: tokenName(request.token),
          providers: targets.flatMap((target) => ids.get(target) ?? []),
          lazy: request.lazy,
          optional: request.optional,
        };
      }),
    })),
  };
}

/** Another name has the scope of what it names. */
function effectiveScope(provider: ProviderEntry): Scope {
  const target = behindAliases({ kind: 'provider', provider });
  return target.kind === 'provider' ? target.provider.scope : provider.scope;
}

/**
 * The graph as a Mermaid flowchart: a box for each module with its providers, an arrow for each dependency
 * (dotted if it is lazy). CALL providers have round corners, TRANSIENT ones are hexagons.
 */
export function graphToMermaid(graph: ContainerGraph): string {
  const nodes = new Map<string, string>();
  const lines = ['flowchart LR'];
  for (const [moduleIndex, module] of graph.modules.entries()) {
    lines.push(`  subgraph m${moduleIndex}["${escaped(module.id)}"]`);
    for (const provider of module.providers) {
      const node = `p${nodes.size}`;
      nodes.set(provider.id, node);
      lines.push(`    ${node}${shaped(provider)}`);
    }
    lines.push('  end');
  }
  for (const provider of graph.modules.flatMap((module) => module.providers)) {
    for (const dependency of provider.dependencies) {
      for (const target of dependency.providers) {
        const arrow = dependency.lazy ? '-.->' : '-->';
        lines.push(`  ${nodes.get(provider.id)} ${arrow} ${nodes.get(target)}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

function shaped(provider: GraphProvider): string {
  const label = `"${escaped(provider.token)}"`;
  if (provider.scope === 'CALL') return `(${label})`;
  return provider.scope === 'TRANSIENT' ? `{{${label}}}` : `[${label}]`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\n', ' ');
}
