import { abandonOpening, NOT_BUILT, readOperand, ScopeInstance, type ScopeLayout } from './call-scope';
import { diError } from './errors';
import type { ProviderEntry } from './node';
import type { ScopeStep } from './program';
import { dispose, isThenable } from './teardown';

/** Opens one scope: makes everything, in order. */
export type OpenScope = (inputs: readonly unknown[], key: string | undefined) => ScopeInstance;

/** Opens scopes by reading the program each time; what the generated code is compared with. */
export function interpretScopes(layout: ScopeLayout): OpenScope {
  return (inputs, key) => new InterpretedScope(layout, inputs, key);
}

/** The result of a factory of a scope, which may not be a promise: nobody waits for it. */
export function checkedResult(result: unknown, step: ScopeStep): unknown {
  return isThenable(result) ? refuseAsync(result, step.provider) : result;
}

/** Refuses the promise of a factory that is not a singleton's. */
export function refuseAsync(result: PromiseLike<unknown>, provider: ProviderEntry): never {
  Promise.resolve(result).then(undefined, () => undefined); // its failure must not end the process
  const { name, module, scope } = provider;
  throw diError('CW_DI_ASYNC_FACTORY', [{ token: name, module: module.name, scope }]);
}

/** Calls a constructor or a factory with arguments that the plan has matched to it. */
export function makeInstance(make: ScopeStep['make'], args: readonly unknown[]): unknown {
  // The compiler cannot know that the arguments are the ones the class asked for; the plan does.
  if (make.kind === 'class') return new (make.type as new (...args: readonly unknown[]) => unknown)(...args);
  return (make.create as (...args: readonly unknown[]) => unknown)(...args);
}

class InterpretedScope extends ScopeInstance {
  readonly #layout: ScopeLayout;
  readonly #inputs: readonly unknown[];
  readonly #slots: unknown[];

  constructor(layout: ScopeLayout, inputs: readonly unknown[], key: string | undefined) {
    super(key);
    const { steps } = layout.program;
    this.#layout = layout;
    this.#inputs = inputs;
    this.#slots = steps.map(() => NOT_BUILT);
    let built = 0;
    try {
      for (const step of steps) this.#run(step, built++);
    } catch (error) {
      // The step that failed counts only if it failed behind its constructor, while properties were set.
      abandonOpening(this, this.#slots[built - 1] === NOT_BUILT ? built - 1 : built, error);
    }
  }

  override layout(): ScopeLayout {
    return this.#layout;
  }

  override slot(index: number): unknown {
    return this.#slots[index];
  }

  override input(index: number): unknown {
    return this.#inputs[index];
  }

  override instances(): readonly unknown[] {
    return [...this.#slots];
  }

  override disposeSlot(index: number): unknown {
    const step = this.#layout.program.steps[index];
    const made = this.#slots[index];
    if (step === undefined || (step.make.kind === 'factory' && this.#isGiven(step, made))) return undefined;
    return dispose(made);
  }

  #run(step: ScopeStep, slot: number): void {
    const made = makeInstance(
      step.make,
      step.arguments.map((operand) => readOperand(this, operand)),
    );
    this.#slots[slot] = step.make.kind === 'factory' ? checkedResult(made, step) : made;
    for (const { property, operand } of step.properties) {
      // A class's instance is an object; only classes have properties to set.
      (made as Record<string | symbol, unknown>)[property] = readOperand(this, operand);
    }
  }

  /** A factory that returns what it was given makes nothing that belongs to the scope. */
  #isGiven(step: ScopeStep, made: unknown): boolean {
    return step.arguments.some(
      (operand) => operand.kind !== 'list' && operand.kind !== 'lazy' && readOperand(this, operand) === made,
    );
  }
}
