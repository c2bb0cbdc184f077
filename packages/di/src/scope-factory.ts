import type { CallScope } from './call-scope';
import { diError } from './errors';
import { CallScopes } from './handles';
import type { OpenScope } from './scope-interpreter';

/** The scopes with a key that are open. */
export class OpenScopes extends CallScopes {
  readonly #byKey = new Map<string, CallScope>();

  override get size(): number {
    return this.#byKey.size;
  }

  override get(key: string): CallScope | undefined {
    return this.#byKey.get(key);
  }

  add(key: string, scope: CallScope): void {
    this.#byKey.set(key, scope);
  }

  release(key: string): void {
    this.#byKey.delete(key);
  }
}

/** Opens the scopes of calls: compiled once, at boot. */
export class ScopeFactory {
  readonly #open: OpenScope;
  readonly #inputs: number;
  readonly #scopes: OpenScopes;

  /** Factories are made by `scopeFactory` of a container. */
  constructor(open: OpenScope, inputs: number, scopes: OpenScopes) {
    this.#open = open;
    this.#inputs = inputs;
    this.#scopes = scopes;
  }

  /**
   * Makes all instances of one call, without waiting. If a constructor throws, what was made before it is torn
   * down (last first, without waiting for it here), and the error is thrown as it is.
   * @param inputs a value for each token of `callInputs`
   * @param key by which `CallScopes` finds the scope while it is open; unique
   * @throws DiError `CW_DI_INPUT_COUNT`, `CW_DI_SCOPE_KEY_IN_USE`
   */
  open(inputs: readonly unknown[], key?: string): CallScope {
    if (inputs.length !== this.#inputs) {
      throw diError('CW_DI_INPUT_COUNT', [{ expected: this.#inputs, given: inputs.length }]);
    }
    if (key === undefined) return this.#open(inputs, undefined);
    if (this.#scopes.get(key) !== undefined) throw diError('CW_DI_SCOPE_KEY_IN_USE', []);
    const scope = this.#open(inputs, key);
    this.#scopes.add(key, scope);
    return scope;
  }
}
