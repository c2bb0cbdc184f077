import type { LazyReference } from './lazy';
import type { DynamicModule } from './module';
import type { Scope } from './scope';
import type { Class, Token } from './tokens';

/** A class that is its own token. */
export type ClassShorthand = Class;

/** Makes an instance of `useClass` for the token. */
export interface ClassProvider {
  provide: Token;
  useClass: Class;
  /** @default the scope of the class */
  scope?: Scope | undefined;
  /** One of many providers of the token; who injects it gets the array. @default false */
  multi?: boolean | undefined;
}

/** Gives the value as it is. The container never disposes of it. */
export interface ValueProvider {
  provide: Token;
  useValue: unknown;
  multi?: boolean | undefined;
}

/** One entry of `inject` of a factory. */
export type FactoryDependency =
  | Token
  | LazyReference<unknown>
  | { token: Token; optional?: boolean | undefined };

/** Calls `useFactory` with the instances of `inject`. A singleton's factory may return a promise: it is awaited at boot. */
export interface FactoryProvider {
  provide: Token;
  // The parameters are whatever `inject` names; a list of providers cannot relate the two types.
  useFactory: (...args: never[]) => unknown;
  inject?: readonly FactoryDependency[] | undefined;
  /** @default Scope.SINGLETON */
  scope?: Scope | undefined;
  multi?: boolean | undefined;
}

/** Another name for what is already provided: the same instance, in the same scope. */
export interface ExistingProvider {
  provide: Token;
  useExisting: Token;
  multi?: boolean | undefined;
}

/** What stands in `providers` of a module. */
export type Provider = ClassShorthand | ClassProvider | ValueProvider | FactoryProvider | ExistingProvider;

/**
 * Replaces a provider in every module that has it, or a module wherever it is imported. For testing modules.
 * A replacement by `useClass` or `useFactory` keeps the scope of what it replaces unless it names one. One of many providers of a
 * token is replaced by its class, `useClass`; a replacement of the token stands for all of them.
 */
export type Override = Exclude<Provider, ClassShorthand> | ModuleOverride;

/** Replaces a module wherever it is imported. */
export interface ModuleOverride {
  /** The module class to replace; dynamic modules of that class are replaced too. */
  overrideModule: Class;
  useModule: Class | DynamicModule;
}
