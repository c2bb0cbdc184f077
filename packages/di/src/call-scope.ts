import { diError } from './errors';
import { Lazy } from './lazy';
import type { ProviderEntry } from './node';
import type { Operand, ScopeProgram } from './program';
import { type CloseOptions, type Disposables, tearDown } from './teardown';
import type { Token } from './tokens';

/** The instances of one call. */
export interface CallScope {
  /** The key it was opened with; `CallScopes` finds it by that. */
  readonly key: string | undefined;
  /** The instance of one of the roots of the factory that opened it, by its index there. */
  root(index: number): unknown;
  /**
   * An instance, as the module sees it that the factory was made for.
   * @throws DiError `CW_DI_NOT_IN_SCOPE` for a CALL provider that none of the roots needs;
   * `CW_DI_PROVIDER_MISSING` and `CW_DI_PROVIDER_NOT_EXPORTED` as with injection
   */
  get<T>(token: Token<T>): T;
  /** All instances made for this call, also transient ones, in the order of making. No singletons. */
  instances(): readonly unknown[];
  /**
   * Tears down all instances made for this call, last first, by `Symbol.asyncDispose` or `Symbol.dispose`,
   * waiting for each. Happens once: later calls give the same promise. Never rejects; gives the errors.
   */
  close(options?: CloseOptions): Promise<readonly unknown[]>;
}

/** What all scopes of one factory have in common. */
export interface ScopeLayout {
  readonly program: ScopeProgram;
  /** Where a token is found; throws if it is not. */
  operandOf(token: Token): Operand;
  /** Called when a scope with a key begins to close. */
  release(key: string): void;
  /** Told of errors when a scope that could not be opened was torn down. */
  readonly reportTeardown: (errors: readonly unknown[]) => void;
}

/** What a slot holds that a Lazy asks for too early. */
export const NOT_BUILT: unique symbol = Symbol('not built');

/**
 * A scope. The compiler writes a subclass for each program; this class has what they share, and keeps to two
 * fields, as each live call pays for them.
 */
export abstract class ScopeInstance implements CallScope, Disposables {
  readonly key: string | undefined;
  closing: Promise<readonly unknown[]> | undefined;

  constructor(key: string | undefined) {
    this.key = key;
    this.closing = undefined;
  }

  abstract layout(): ScopeLayout;
  abstract slot(index: number): unknown;
  abstract input(index: number): unknown;
  abstract instances(): readonly unknown[];
  abstract disposeSlot(index: number): unknown;

  root(index: number): unknown {
    const operand = this.layout().program.roots[index];
    if (operand === undefined) throw new RangeError(`The scope has no root ${index}.`);
    return readOperand(this, operand);
  }

  get<T>(token: Token<T>): T {
    // The program was bound by the token: what the operand holds was made for it.
    return readOperand(this, this.layout().operandOf(token)) as T;
  }

  close(options?: CloseOptions): Promise<readonly unknown[]> {
    if (this.closing === undefined) {
      const layout = this.layout();
      if (this.key !== undefined) layout.release(this.key);
      this.closing = tearDown(this, layout.program.steps.length, options);
    }
    return this.closing;
  }

  slotName(index: number): string {
    return providerAt(this.layout().program, index)?.name ?? `slot ${index}`;
  }

  /** A scope holds what belongs to a caller: printing it shows none of that. */
  toJSON(): string {
    return '[CallScope]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[CallScope]';
  }
}

/** Tears down what a scope had made when the making of the next thing failed, and passes the failure on. */
export function abandonOpening(scope: ScopeInstance, built: number, error: unknown): never {
  const { reportTeardown } = scope.layout();
  scope.closing = tearDown(scope, built, undefined);
  void scope.closing.then((errors) => {
    if (errors.length > 0) reportTeardown(errors);
  });
  throw error;
}

/** The value of an operand in a scope. */
export function readOperand(scope: ScopeInstance, operand: Operand): unknown {
  switch (operand.kind) {
    case 'slot':
      return scope.slot(operand.slot);
    case 'input':
      return scope.input(operand.index);
    case 'constant':
      return operand.value;
    case 'list':
      return operand.items.map((item) => readOperand(scope, item));
    case 'lazy':
      return new ScopeLazy(scope, operand.of, operand.name);
  }
}

/** A Lazy inside a call. */
export class ScopeLazy extends Lazy<unknown> {
  readonly #scope: ScopeInstance;
  readonly #operand: Operand;
  readonly #name: string;

  constructor(scope: ScopeInstance, operand: Operand, name: string) {
    super();
    this.#scope = scope;
    this.#operand = operand;
    this.#name = name;
  }

  override get(): unknown {
    const value = readOperand(this.#scope, this.#operand);
    const early = Array.isArray(value) ? value.includes(NOT_BUILT) : value === NOT_BUILT;
    if (early) throw diError('CW_DI_TOO_EARLY', [{ token: this.#name }]);
    return value;
  }
}

function providerAt(program: ScopeProgram, slot: number): ProviderEntry | undefined {
  return program.steps[slot]?.provider;
}
