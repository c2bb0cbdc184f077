import type { Class, DynamicModule, FactoryDependency, Override, Token } from '@callwright/di';

/** What stands in the place of a provider. `Builder` is returned, so that calls can be chained. */
export interface OverrideBy<T, Builder> {
  /** This value: an object with the methods that the test needs. */
  useValue(value: T): Builder;
  /** An instance of this class, in the scope of what it replaces. */
  useClass(type: Class): Builder;
  /** What this function returns, called in the scope of what it replaces, with the instances of `inject`. */
  useFactory(options: {
    // The parameters are whatever `inject` names; a list of providers cannot relate the two types.
    readonly useFactory: (...args: never[]) => unknown;
    readonly inject?: readonly FactoryDependency[] | undefined;
  }): Builder;
}

/** What stands in the place of a module. */
export interface OverrideModuleBy<Builder> {
  useModule(module: Class | DynamicModule): Builder;
}

/** Writes one override into `overrides` and returns `builder`. */
export function overrideBy<T, Builder>(
  token: Token,
  overrides: Override[],
  builder: Builder,
): OverrideBy<T, Builder> {
  const add = (override: Override): Builder => {
    overrides.push(override);
    return builder;
  };
  return {
    useValue: (value) => add({ provide: token, useValue: value }),
    useClass: (type) => add({ provide: token, useClass: type }),
    useFactory: ({ useFactory, inject }) => add({ provide: token, useFactory, inject }),
  };
}
