import type { ScopeLayout } from './call-scope';
import { behindAliases, targetsOf } from './checks';
import type { ProviderAddress } from './container-plan';
import { DiError, diError } from './errors';
import { type GetOptions, ModuleRef } from './handles';
import { callHook, type LifecycleHook } from './lifecycle';
import type { Binding, ModuleEntry, ModuleNode, ProviderEntry } from './node';
import { type Operand, type ScopeProgram, writeProgram } from './program';
import type { Resolution } from './resolution';
import { Scope } from './scope';
import { compileScopes } from './scope-compiler';
import { OpenScopes, ScopeFactory } from './scope-factory';
import { Singletons } from './singletons';
import { type CloseOptions, dispose, tearDown } from './teardown';
import { type Token, tokenName } from './tokens';

/** Options of `instantiate`. */
export interface InstantiateOptions {
  /** Told of errors in the teardown of a scope that could not be opened. By default they are not kept. */
  reportTeardown?: ((errors: readonly unknown[]) => void) | undefined;
  /** How long what was made may take to end when something else could not be made. @default without limit */
  teardown?: CloseOptions | undefined;
}

/** What the container takes from its plan. */
export interface ContainerParts {
  readonly root: ModuleEntry;
  /** All providers, each after what it needs. */
  readonly order: readonly ProviderEntry[];
  readonly resolution: Resolution;
  readonly inputs: number;
  entryOf(module: ModuleNode): ModuleEntry;
  callEntriesOf(module: ModuleEntry): readonly ProviderEntry[];
}

/** The singletons of an application, and what opens the scopes of its calls. */
export class Container {
  readonly #parts: ContainerParts;
  readonly #singletons: Singletons;
  readonly #scopes: OpenScopes;
  readonly #reportTeardown: (errors: readonly unknown[]) => void;
  readonly #teardown: CloseOptions | undefined;
  #closing: Promise<readonly unknown[]> | undefined;
  /** How many of the made instances have begun their `onModuleInit`: only these get the hooks of the end. */
  #initialised = 0;

  /** Containers are made by `instantiate` of a plan. */
  constructor(parts: ContainerParts, options: InstantiateOptions) {
    this.#parts = parts;
    this.#scopes = new OpenScopes();
    this.#reportTeardown = options.reportTeardown ?? (() => undefined);
    this.#teardown = options.teardown;
    this.#singletons = new Singletons({
      moduleRef: (module) => new ContainerModuleRef(this, module),
      callScopes: this.#scopes,
    });
  }

  /** Makes the singletons and calls `onModuleInit`; used by `instantiate` alone. */
  async start(): Promise<void> {
    try {
      await this.#singletons.make(this.#parts.order);
      for (const { instance, provider } of this.#singletons.owned) {
        this.#initialised += 1;
        await startHook(instance, 'onModuleInit', provider);
      }
    } catch (error) {
      await this.close(undefined, this.#teardown); // errors of the teardown are less than the one that is thrown
      throw error;
    }
  }

  /** Calls `onApplicationBootstrap` of all singletons, in the order of their dependencies. */
  async bootstrap(): Promise<void> {
    for (const { instance, provider } of this.#singletons.owned) {
      await startHook(instance, 'onApplicationBootstrap', provider);
    }
  }

  /**
   * The instance of a token: as `module` sees it (the root module by default) or, unless `strict`, of any
   * module.
   * @throws DiError `CW_DI_PROVIDER_MISSING`, `CW_DI_PROVIDER_NOT_EXPORTED`, `CW_DI_GET_CALL_SCOPED`
   */
  get<T>(token: Token<T>, options: GetOptions & { module?: ModuleNode | undefined } = {}): T {
    const module = options.module === undefined ? this.#parts.root : this.#parts.entryOf(options.module);
    const { resolution } = this.#parts;
    const binding =
      options.strict === true ? resolution.find(module, token) : resolution.findAnywhere(module, token);
    if (binding === undefined) throw this.#missing(module, token, 'get');
    if (needsCall(binding)) throw diError('CW_DI_GET_CALL_SCOPED', [{ token: tokenName(token) }]);
    return this.#singletons.value(binding) as T; // the binding is what provides T
  }

  /**
   * Compiles what opening a scope does. To be made once at boot for each set of roots.
   * @param module whose view counts: for the roots, and for `get` of the scopes
   * @param roots tokens as the module sees them, classes of `callProviders(module)`, or addresses of providers
   * @throws DiError `CW_DI_PROVIDER_MISSING` or `CW_DI_PROVIDER_NOT_EXPORTED` for a root
   */
  scopeFactory(module: ModuleNode, roots: readonly (Token | ProviderAddress)[]): ScopeFactory {
    const entry = this.#parts.entryOf(module);
    const program = writeProgram(
      roots.map((root) => this.#rootBinding(entry, root)),
      { inputs: this.#parts.inputs, constant: (binding) => this.#singletons.value(binding) },
    );
    const found = new Map<Token, Operand>();
    const layout: ScopeLayout = {
      program,
      release: (key) => this.#scopes.release(key),
      reportTeardown: this.#reportTeardown,
      operandOf: (token) => {
        let operand = found.get(token);
        if (operand === undefined) {
          operand = this.#scopeOperand(entry, token, program);
          found.set(token, operand);
        }
        return operand;
      },
    };
    return new ScopeFactory(compileScopes(layout), this.#parts.inputs, this.#scopes);
  }

  /**
   * Ends the singletons, in the reverse of the order they were made in: `onModuleDestroy` of all, then
   * `beforeApplicationShutdown`, then `onApplicationShutdown`, then `Symbol.asyncDispose` or `Symbol.dispose`.
   * Open scopes are not closed. Happens once; never rejects; gives the errors.
   * @param signal passed to the hooks of the shutdown
   */
  close(signal?: string, options?: CloseOptions): Promise<readonly unknown[]> {
    this.#closing ??= this.#close(signal, options);
    return this.#closing;
  }

  #close(signal: string | undefined, options: CloseOptions | undefined): Promise<readonly unknown[]> {
    const owned = [...this.#singletons.owned];
    const initialised = owned.slice(0, this.#initialised);
    const hooks = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;
    // tearDown goes from the last to the first.
    const steps = [
      ...owned.map(({ instance, provider }) => ({ provider, run: () => dispose(instance) })),
      ...[...hooks].reverse().flatMap((hook) =>
        initialised.map(({ instance, provider }) => ({
          provider,
          run: () => callHook(instance, hook, hook === 'onModuleDestroy' ? undefined : signal),
        })),
      ),
    ];
    const target = {
      disposeSlot: (index: number) => steps[index]?.run(),
      slotName: (index: number) => steps[index]?.provider.name ?? '',
    };
    return tearDown(target, steps.length, options);
  }

  #rootBinding(module: ModuleEntry, root: Token | ProviderAddress): Binding {
    if (typeof root === 'object' && 'module' in root) {
      const owner = this.#parts.entryOf(root.module);
      const provider = root.index === undefined ? undefined : owner.providers.get(root.token)?.[root.index];
      if (provider !== undefined) return { kind: 'provider', provider };
      const binding = this.#parts.resolution.find(owner, root.token);
      if (binding === undefined) throw this.#missing(owner, root.token, 'a scope');
      return binding;
    }
    const seen = this.#parts.resolution.find(module, root);
    if (seen !== undefined) return seen;
    const provider = this.#parts
      .callEntriesOf(module)
      .find((entry) => entry.recipe.kind === 'class' && entry.recipe.type === root);
    if (provider === undefined) throw this.#missing(module, root, 'a scope');
    return { kind: 'provider', provider };
  }

  /** The binding of a token that a scope is asked for. */
  #scopeOperand(module: ModuleEntry, token: Token, program: ScopeProgram): Operand {
    const refusal = { token: tokenName(token), module: module.name };
    const operandOf = (requested: Binding): Operand => {
      const binding = behindAliases(requested);
      if (binding.kind === 'input') return binding;
      if (binding.kind === 'many') {
        const items = binding.providers.map((provider) => operandOf({ kind: 'provider', provider }));
        return { kind: 'list', items };
      }
      if (binding.kind !== 'provider' || binding.provider.scope === Scope.SINGLETON) {
        return { kind: 'constant', value: this.#singletons.value(binding) };
      }
      const slot = program.slotOf.get(binding.provider);
      if (slot === undefined) throw diError('CW_DI_NOT_IN_SCOPE', [refusal]);
      return { kind: 'slot', slot };
    };
    return operandOf(this.#rootBinding(module, token));
  }

  #missing(module: ModuleEntry, token: Token, place: string): Error {
    const { code, message } = this.#parts.resolution.explainMissing({ module, place }, token);
    return new DiError(code, message);
  }
}

class ContainerModuleRef extends ModuleRef {
  readonly #container: Container;
  readonly #module: ModuleEntry;

  constructor(container: Container, module: ModuleEntry) {
    super();
    this.#container = container;
    this.#module = module;
  }

  override get<T>(token: Token<T>, options?: GetOptions): T {
    return this.#container.get(token, { module: this.#module, strict: options?.strict ?? true });
  }
}

/** Whether a value of the binding only exists in a call: a CALL provider, or a transient one that needs one. */
function needsCall(requested: Binding): boolean {
  const binding = behindAliases(requested);
  if (binding.kind === 'input') return binding.outside === undefined;
  return targetsOf(binding).some(
    ({ scope, bindings }) => scope === Scope.CALL || (scope === Scope.TRANSIENT && bindings.some(needsCall)),
  );
}

async function startHook(instance: unknown, hook: LifecycleHook, provider: ProviderEntry): Promise<void> {
  try {
    await callHook(instance, hook);
  } catch (cause) {
    const at = { token: provider.name, module: provider.module.name, step: hook };
    throw diError('CW_DI_PROVIDER_FAILED', [at], { cause });
  }
}
