import { behindAliases } from './checks';
import type { Binding, ProviderEntry } from './node';
import { Scope } from './scope';
import type { Class } from './tokens';

/** Where the program of a scope takes a value from. */
export type Operand =
  /** An instance the scope has made. */
  | { readonly kind: 'slot'; readonly slot: number }
  /** A value given when the scope was opened. */
  | { readonly kind: 'input'; readonly index: number }
  /** A singleton, a handle, or undefined. */
  | { readonly kind: 'constant'; readonly value: unknown }
  /** All providers of a multi token. */
  | { readonly kind: 'list'; readonly items: readonly Operand[] }
  /** A Lazy that reads the operand when it is asked. */
  | { readonly kind: 'lazy'; readonly of: Operand; readonly name: string };

/** A property to set on a new instance. */
export interface PropertyStep {
  readonly property: string | symbol;
  readonly operand: Operand;
}

/** Makes the instance of one slot. Slots are numbered in the order of making. */
export interface ScopeStep {
  readonly provider: ProviderEntry;
  readonly make:
    | { readonly kind: 'class'; readonly type: Class }
    | { readonly kind: 'factory'; readonly create: (...args: never[]) => unknown };
  readonly arguments: readonly Operand[];
  readonly properties: readonly PropertyStep[];
}

/** What opening a scope does, as data: the steps in order, and where each root is then found. */
export interface ScopeProgram {
  /** How many values are given from outside. */
  readonly inputs: number;
  readonly steps: readonly ScopeStep[];
  readonly roots: readonly Operand[];
  /** Slots that a Lazy may ask for before they are made. */
  readonly lazySlots: ReadonlySet<number>;
  readonly slotOf: ReadonlyMap<ProviderEntry, number>;
}

/** What a program takes from the container. */
export interface ProgramContext {
  readonly inputs: number;
  /** The value of a singleton or of a handle. */
  constant(binding: Binding): unknown;
}

/**
 * Writes the program of a scope: depth first from the roots, each thing after all it needs. What is only
 * needed by a Lazy is made at the end, so that its `get` never has to make anything.
 */
export function writeProgram(roots: readonly Binding[], context: ProgramContext): ScopeProgram {
  const writer = new ProgramWriter(context);
  const rootOperands = roots.map((root) => writer.operand(root));
  writer.writeLazies();
  return Object.freeze({
    inputs: context.inputs,
    steps: Object.freeze(writer.steps),
    roots: Object.freeze(rootOperands),
    lazySlots: writer.lazySlots,
    slotOf: writer.slotOf,
  });
}

/** A lazy operand before it is known where its value will be. */
type OpenLazy = { kind: 'lazy'; of: Operand; name: string };

class ProgramWriter {
  readonly steps: ScopeStep[] = [];
  readonly slotOf = new Map<ProviderEntry, number>();
  readonly lazySlots = new Set<number>();
  readonly #context: ProgramContext;
  readonly #waiting: { lazy: OpenLazy; binding: Binding }[] = [];

  constructor(context: ProgramContext) {
    this.#context = context;
  }

  operand(requested: Binding): Operand {
    const binding = behindAliases(requested);
    if (binding.kind === 'input') return { kind: 'input', index: binding.index };
    if (binding.kind === 'many') {
      const items = binding.providers.map((provider) => this.operand({ kind: 'provider', provider }));
      return { kind: 'list', items };
    }
    if (binding.kind !== 'provider' || binding.provider.scope === Scope.SINGLETON) {
      return { kind: 'constant', value: this.#context.constant(binding) };
    }
    return { kind: 'slot', slot: this.#slotFor(binding.provider) };
  }

  /** Writing one may find more of them; the loop goes on over what is added. */
  writeLazies(): void {
    for (const { lazy, binding } of this.#waiting) {
      lazy.of = this.operand(binding);
      this.#markLazy(lazy.of);
      Object.freeze(lazy);
    }
  }

  #slotFor(provider: ProviderEntry): number {
    const shared = provider.scope === Scope.CALL;
    const known = shared ? this.slotOf.get(provider) : undefined;
    if (known !== undefined) return known;
    const step = this.#step(provider);
    const slot = this.steps.push(step) - 1;
    if (shared) this.slotOf.set(provider, slot);
    return slot;
  }

  #step(provider: ProviderEntry): ScopeStep {
    const { recipe } = provider;
    const args: Operand[] = [];
    const properties: PropertyStep[] = [];
    for (const [index, request] of provider.requests.entries()) {
      const binding = provider.bindings[index] ?? { kind: 'absent' };
      const operand = request.lazy ? this.#lazy(binding, provider) : this.operand(binding);
      if (request.property === undefined) args.push(operand);
      else properties.push({ property: request.property, operand });
    }
    // A value and an alias are never made by a scope: the one is a constant, the other stands for its target.
    if (recipe.kind !== 'class' && recipe.kind !== 'factory') throw new TypeError(provider.name);
    return Object.freeze({ provider, make: recipe, arguments: args, properties });
  }

  #lazy(binding: Binding, holder: ProviderEntry): Operand {
    if (binding.kind === 'absent') return { kind: 'constant', value: undefined };
    const name = binding.kind === 'provider' ? binding.provider.name : holder.name;
    const lazy: OpenLazy = { kind: 'lazy', of: { kind: 'constant', value: undefined }, name };
    this.#waiting.push({ lazy, binding });
    return lazy;
  }

  #markLazy(operand: Operand): void {
    if (operand.kind === 'slot') this.lazySlots.add(operand.slot);
    if (operand.kind === 'list') for (const item of operand.items) this.#markLazy(item);
  }
}
