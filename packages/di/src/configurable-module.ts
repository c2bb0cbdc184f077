import type { DynamicModule, ModuleImport } from './module';
import type { FactoryProvider, Provider } from './provider';
import { type Class, InjectionToken, type Token } from './tokens';

/** What can be said of a configured module besides its options. */
export interface ModuleExtras {
  /** Whether its exports are visible in every module. @default false */
  global?: boolean | undefined;
}

/** The instances of a list of tokens. */
export type InstancesOf<T extends readonly Token[]> = {
  -readonly [K in keyof T]: T[K] extends Token<infer V> ? V : never;
};

/** Options that are made at boot: `useFactory` gets the instances of `inject` and may return a promise. */
export interface AsyncModuleOptions<O, T extends readonly Token[]> extends ModuleExtras {
  /** Modules whose exports `inject` needs. */
  imports?: readonly ModuleImport[] | undefined;
  inject?: T | undefined;
  useFactory: (...args: InstancesOf<T>) => O | Promise<O>;
}

/** The class that a configurable module extends: with `forRoot` and `forRootAsync`, or the names chosen. */
export type ConfigurableModuleClass<O, M extends string> = (new () => object) & {
  [K in M]: (options: O, extras?: ModuleExtras) => DynamicModule;
} & {
  [K in `${M}Async`]: <const T extends readonly Token[] = readonly []>(
    options: AsyncModuleOptions<O, T>,
  ) => DynamicModule;
};

/** What {@link ConfigurableModuleBuilder.build} makes. */
export interface ConfigurableModule<O, M extends string> {
  readonly ConfigurableModuleClass: ConfigurableModuleClass<O, M>;
  /** The token of the options: a provider of the configured module; export it if others need it. */
  readonly MODULE_OPTIONS_TOKEN: InjectionToken<O>;
}

/**
 * Makes the static methods of a module with options, so that they need not be written out.
 *
 * @example
 * ```ts
 * import { ConfigurableModuleBuilder, Inject, Injectable, Module } from '@callwright/di';
 *
 * interface MailOptions { sender: string }
 * const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<MailOptions>('Mail').build();
 *
 * @Injectable()
 * export class Mailer {
 *   constructor(@Inject(MODULE_OPTIONS_TOKEN) readonly options: MailOptions) {}
 * }
 *
 * @Module({ providers: [Mailer], exports: [Mailer] })
 * export class MailModule extends ConfigurableModuleClass {}
 *
 * @Module({ imports: [MailModule.forRoot({ sender: 'host@luigis.example' })] })
 * export class AppModule {}
 * ```
 */
export class ConfigurableModuleBuilder<O, M extends string = 'forRoot'> {
  readonly #name: string;
  readonly #method: string;

  /**
   * @param name of the token of the options, in messages
   * @param method the static method that takes the options; better set by `setClassMethodName`, which types it
   */
  constructor(name: string, method: M | 'forRoot' = 'forRoot') {
    this.#name = name;
    this.#method = method;
  }

  /** Another name than `forRoot` for the static method; the asynchronous one has `Async` behind it. */
  setClassMethodName<N extends string>(name: N): ConfigurableModuleBuilder<O, N> {
    return new ConfigurableModuleBuilder<O, N>(this.#name, name);
  }

  /** The class to extend and the token of its options. */
  build(): ConfigurableModule<O, M> {
    const token = new InjectionToken<O>(`${this.#name} options`);
    class Configurable {}
    Object.defineProperty(Configurable, this.#method, {
      value(this: Class, options: O, extras: ModuleExtras = {}): DynamicModule {
        return dynamicModule(this, { provide: token, useValue: options }, extras);
      },
    });
    Object.defineProperty(Configurable, `${this.#method}Async`, {
      value(this: Class, options: AsyncModuleOptions<O, readonly Token[]>): DynamicModule {
        const { useFactory, inject = [] } = options;
        // The factory takes the instances of `inject`: the type of the method has checked that.
        const create = useFactory as FactoryProvider['useFactory'];
        const provider = { provide: token, useFactory: create, inject };
        return { ...dynamicModule(this, provider, options), imports: options.imports };
      },
    });
    // The two methods were defined by computed names, which the compiler cannot see.
    const ConfigurableModuleClass = Configurable as unknown as ConfigurableModuleClass<O, M>;
    return { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: token };
  }
}

function dynamicModule(module: Class, provider: Provider, { global }: ModuleExtras): DynamicModule {
  return { module, global, providers: [provider] };
}
