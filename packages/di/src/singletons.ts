import { behindAliases } from './checks';
import { diError } from './errors';
import type { CallScopes, ModuleRef } from './handles';
import { Lazy } from './lazy';
import type { Binding, ModuleEntry, ProviderEntry } from './node';
import { Scope } from './scope';
import { makeInstance, refuseAsync } from './scope-interpreter';
import { isThenable } from './teardown';

/** An instance the container made, and so ends. */
export interface OwnedInstance {
  readonly instance: unknown;
  readonly provider: ProviderEntry;
}

/** What is injected and made by nobody's provider. */
export interface Handles {
  moduleRef(module: ModuleEntry): ModuleRef;
  readonly callScopes: CallScopes;
}

/** Makes and keeps the instances that live as long as the application. */
export class Singletons {
  /** In the order of making: singletons, and the transient instances made for them. */
  readonly owned: OwnedInstance[] = [];
  readonly #handles: Handles;
  readonly #instances = new Map<ProviderEntry, unknown>();

  constructor(handles: Handles) {
    this.#handles = handles;
  }

  /** Makes all singletons of the list, in its order, waiting for factories that return a promise. */
  async make(order: readonly ProviderEntry[]): Promise<void> {
    for (const provider of order) {
      const { recipe } = provider;
      if (provider.scope !== Scope.SINGLETON || recipe.kind === 'existing') continue;
      if (recipe.kind === 'value') this.#instances.set(provider, recipe.value);
      else this.#instances.set(provider, await this.#made(provider));
    }
  }

  /** The value of a binding outside of any call. A transient provider gives a new instance each time. */
  value(requested: Binding): unknown {
    return this.#value(requested, undefined);
  }

  async #made(provider: ProviderEntry): Promise<unknown> {
    try {
      const { instance, args } = this.#instance(provider, this.owned);
      const settled = provider.recipe.kind === 'factory' && isThenable(instance) ? await instance : instance;
      this.#own(provider, settled, args);
      return settled;
    } catch (cause) {
      const step = provider.recipe.kind === 'class' ? 'its constructor' : 'its factory';
      const at = { token: provider.name, module: provider.module.name, step };
      throw diError('CW_DI_PROVIDER_FAILED', [at], { cause });
    }
  }

  /** A new instance and what it was made with; `owned` takes up the transient ones made for it. */
  #instance(
    provider: ProviderEntry,
    owned: OwnedInstance[] | undefined,
  ): { instance: unknown; args: readonly unknown[] } {
    const { recipe, requests, bindings } = provider;
    // A value is set before it is asked for, and an alias stands for its target.
    if (recipe.kind !== 'class' && recipe.kind !== 'factory') throw new TypeError(provider.name);
    const values = bindings.map((binding, index) =>
      requests[index]?.lazy === true ? this.#lazy(binding) : this.#value(binding, owned),
    );
    const args = values.filter((_, index) => requests[index]?.property === undefined);
    const instance = makeInstance(recipe, args);
    for (const [index, request] of requests.entries()) {
      if (request.property === undefined) continue;
      // Only classes have properties to set, and an instance of a class is an object.
      (instance as Record<string | symbol, unknown>)[request.property] = values[index];
    }
    return { instance, args };
  }

  /** A factory that returns what it was given made nothing of its own. */
  #own(provider: ProviderEntry, instance: unknown, args: readonly unknown[]): void {
    if (provider.recipe.kind === 'factory' && args.includes(instance)) return;
    this.owned.push({ instance, provider });
  }

  #value(requested: Binding, owned: OwnedInstance[] | undefined): unknown {
    const binding = behindAliases(requested);
    switch (binding.kind) {
      case 'provider':
        return this.#valueOf(binding.provider, owned);
      case 'many':
        return binding.providers.map((provider) => this.#value({ kind: 'provider', provider }, owned));
      case 'moduleRef':
        return this.#handles.moduleRef(binding.module);
      case 'callScopes':
        return this.#handles.callScopes;
      case 'absent':
        return undefined;
      case 'input':
        // Without a provider that stands for it this is refused, at boot and by `get`.
        if (binding.outside === undefined) throw new TypeError('An input exists in calls only.');
        return this.#value({ kind: 'provider', provider: binding.outside }, owned);
    }
  }

  #valueOf(provider: ProviderEntry, owned: OwnedInstance[] | undefined): unknown {
    if (provider.scope !== Scope.TRANSIENT) {
      // What is injected is made before; only a Lazy or a ModuleRef can ask for what is not.
      if (!this.#instances.has(provider)) throw diError('CW_DI_TOO_EARLY', [{ token: provider.name }]);
      return this.#instances.get(provider);
    }
    const { instance, args } = this.#instance(provider, owned);
    if (provider.recipe.kind === 'factory' && isThenable(instance)) return refuseAsync(instance, provider);
    if (owned !== undefined) this.#own(provider, instance, args);
    return instance;
  }

  #lazy(binding: Binding): Lazy<unknown> | undefined {
    if (binding.kind === 'absent') return undefined;
    return new SingletonLazy(() => this.#value(binding, undefined));
  }
}

/** A Lazy outside of calls. */
class SingletonLazy extends Lazy<unknown> {
  readonly #read: () => unknown;

  constructor(read: () => unknown) {
    super();
    this.#read = read;
  }

  override get(): unknown {
    return this.#read();
  }
}
