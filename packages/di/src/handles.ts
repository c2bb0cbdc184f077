import type { CallScope } from './call-scope';
import type { Token } from './tokens';

/** Options of {@link ModuleRef.get} and of the container's `get`. */
export interface GetOptions {
  /** Whether only what the module sees is found, as with injection; else any module's provider is. */
  strict?: boolean | undefined;
}

/**
 * Gets instances by hand, as the module sees them that injects it. For a `TRANSIENT` provider each `get` makes
 * a new instance, which then belongs to whoever asked.
 */
export abstract class ModuleRef {
  /**
   * The instance of a token.
   * @param options `strict` is true by default
   * @throws DiError `CW_DI_PROVIDER_MISSING`, `CW_DI_PROVIDER_NOT_EXPORTED`, or `CW_DI_GET_CALL_SCOPED`
   */
  abstract get<T>(token: Token<T>, options?: GetOptions): T;
}

/** The scopes of the calls that are open now: the one way from a singleton to a call's instances. */
export abstract class CallScopes {
  /** How many scopes with a key are open. */
  abstract readonly size: number;
  /** The scope opened with this key; undefined when it is closed or was never opened. */
  abstract get(key: string): CallScope | undefined;
}

const BUILT_IN = Symbol.for('callwright:di.builtIn');

// By a registered symbol: a class that imports another copy of this package gets the same handles.
Object.defineProperty(ModuleRef, BUILT_IN, { value: 'ModuleRef' });
Object.defineProperty(CallScopes, BUILT_IN, { value: 'CallScopes' });

/** Which of the container's own handles a token is. */
export function builtInOf(token: Token): 'ModuleRef' | 'CallScopes' | undefined {
  const name: unknown = Object.getOwnPropertyDescriptor(token, BUILT_IN)?.value;
  return name === 'ModuleRef' || name === 'CallScopes' ? name : undefined;
}
