import type { Token } from '.';

/** A provider of the naive container: all it needs to know, and nothing that is compiled. */
export interface NaiveProvider {
  readonly scope: 'SINGLETON' | 'CALL' | 'TRANSIENT';
  readonly needs: readonly { readonly token: Token; readonly lazy: boolean }[];
  readonly create: (...args: readonly unknown[]) => unknown;
}

/** A scope of the naive container. */
export interface NaiveScope {
  readonly roots: readonly unknown[];
  readonly made: readonly unknown[];
}

/**
 * The container in its plainest form: maps and recursion, at the time something is asked for. The compiled
 * container has to agree with it on instances, sharing, order and errors.
 */
export class NaiveContainer {
  readonly singletons = new Map<Token, unknown>();
  readonly #providers: ReadonlyMap<Token, NaiveProvider>;

  constructor(providers: ReadonlyMap<Token, NaiveProvider>) {
    this.#providers = providers;
    for (const [token, { scope }] of providers) {
      if (scope === 'SINGLETON') this.#get(token, this.singletons, [], []);
    }
  }

  open(roots: readonly Token[]): NaiveScope {
    const shared = new Map<Token, unknown>();
    const made: unknown[] = [];
    const late: (() => void)[] = [];
    const instances = roots.map((root) => this.#get(root, shared, made, late));
    for (const makeLater of late) makeLater();
    return { roots: instances, made };
  }

  /** `shared` holds what is shared where we are: the singletons themselves, or one call's instances. */
  #get(token: Token, shared: Map<Token, unknown>, made: unknown[], late: (() => void)[]): unknown {
    const provider = this.#providers.get(token);
    if (provider === undefined) throw new Error('missing');
    const home = provider.scope === 'SINGLETON' ? this.singletons : shared;
    if (provider.scope !== 'TRANSIENT' && home.has(token)) return home.get(token);
    const args = provider.needs.map((need) => {
      if (!need.lazy) return this.#get(need.token, shared, made, late);
      late.push(() => this.#get(need.token, shared, made, late));
      return { get: () => this.#get(need.token, shared, made, late) };
    });
    const instance = provider.create(...args);
    if (provider.scope !== 'TRANSIENT') home.set(token, instance);
    if (provider.scope !== 'SINGLETON') made.push(instance);
    return instance;
  }
}

/** Whether some providers need each other first, in a circle. */
export function hasCycle(providers: ReadonlyMap<Token, NaiveProvider>): boolean {
  const reaches = (token: Token, goal: Token, seen: Set<Token>): boolean =>
    (providers.get(token)?.needs ?? []).some((need) => {
      if (need.lazy || seen.has(need.token)) return false;
      seen.add(need.token);
      return need.token === goal || reaches(need.token, goal, seen);
    });
  return [...providers.keys()].some((token) => reaches(token, token, new Set()));
}

/** The singletons that reach something of a call, directly or over transient providers. */
export function captives(providers: ReadonlyMap<Token, NaiveProvider>): readonly Token[] {
  const holdsCall = (token: Token, seen: Set<Token>): boolean =>
    (providers.get(token)?.needs ?? []).some((need) => {
      const scope = providers.get(need.token)?.scope;
      if (scope !== 'TRANSIENT' || seen.has(need.token)) return scope === 'CALL';
      seen.add(need.token);
      return holdsCall(need.token, seen);
    });
  return [...providers]
    .filter(([token, { scope }]) => scope === 'SINGLETON' && holdsCall(token, new Set()))
    .map(([token]) => token);
}
