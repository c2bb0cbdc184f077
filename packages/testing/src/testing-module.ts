import {
  BootError,
  Call,
  type CanActivate,
  containerOptions,
  type ExceptionFilter,
  type Interceptor,
  Logger,
  type LogLevel,
  type Pipe,
} from '@callwright/core';
import {
  type CallScope,
  type Class,
  type Container,
  type ContainerPlan,
  Module,
  type ModuleMetadata,
  type Override,
  planContainer,
  type Token,
} from '@callwright/di';
import { CapturedLog } from './captured-log';
import { detachedCall } from './detached-call';
import { TestApplication, type TestApplicationOptions } from './test-application';
import { type OverrideBy, type OverrideModuleBy, overrideBy } from './test-overrides';
import { VirtualClock } from './virtual-clock';

/** Makes a stand-in for a token that no module provides; undefined leaves it missing. */
export type Mocker = (token: Token) => unknown;

/** The module of a test. */
@Module({})
class TestRoot {}

/**
 * Begins the module of a test: what to import, and what to put in the place of parts of it.
 *
 * @example
 * ```ts
 * import { Test } from '@callwright/testing';
 * import { Injectable, Module, Tool, VoiceAgent } from 'callwright';
 *
 * @Injectable()
 * class Bookings {
 *   hours(): string {
 *     throw new Error('asks a real restaurant');
 *   }
 * }
 *
 * @VoiceAgent({ name: 'luigi' })
 * class LuigiAgent {
 *   constructor(private readonly bookings: Bookings) {}
 *
 *   @Tool('Opening hours.')
 *   hours(): string {
 *     return this.bookings.hours();
 *   }
 * }
 *
 * @Module({ agents: [LuigiAgent], providers: [Bookings] })
 * class AppModule {}
 *
 * async function main(): Promise<void> {
 *   const app = await Test.createTestingModule({ imports: [AppModule] })
 *     .overrideProvider(Bookings)
 *     .useValue({ hours: () => 'six to eleven' })
 *     .createApplication();
 *   const call = await app.call();
 *   const { value } = await call.tool('hours');
 *   console.log(value);
 *   await app.close();
 * }
 * void main();
 * ```
 */
export const Test = {
  createTestingModule: (metadata: ModuleMetadata): TestingModuleBuilder => new TestingModuleBuilder(metadata),
} as const;

/** A module that is not made yet. Overrides act on it and on everything that it imports. */
export class TestingModuleBuilder {
  readonly #metadata: ModuleMetadata;
  readonly #overrides: Override[] = [];
  #mocker: Mocker | undefined;

  /** Made by {@link Test}. */
  constructor(metadata: ModuleMetadata) {
    this.#metadata = metadata;
  }

  /** Replaces a provider in every module that has it, CALL providers and agents included. */
  overrideProvider<T>(token: Token<T>): OverrideBy<Partial<T>, this> {
    return overrideBy(token, this.#overrides, this);
  }

  /** Replaces a guard that `@UseGuards` names, or that is a provider. */
  overrideGuard(guard: Class<CanActivate>): OverrideBy<CanActivate, this> {
    return overrideBy(guard, this.#overrides, this);
  }

  /** Replaces a pipe that `@UsePipes` or a parameter names, or that is a provider. */
  overridePipe(pipe: Class<Pipe>): OverrideBy<Pipe, this> {
    return overrideBy(pipe, this.#overrides, this);
  }

  /** Replaces an interceptor that `@UseInterceptors` names, or that is a provider. */
  overrideInterceptor(interceptor: Class<Interceptor>): OverrideBy<Interceptor, this> {
    return overrideBy(interceptor, this.#overrides, this);
  }

  /** Replaces a filter that `@UseFilters` names, or that is a provider. */
  overrideFilter(filter: Class<ExceptionFilter>): OverrideBy<ExceptionFilter, this> {
    return overrideBy(filter, this.#overrides, this);
  }

  /** Replaces a module wherever it is imported, dynamic modules of its class included. */
  overrideModule(module: Class): OverrideModuleBy<this> {
    return {
      useModule: (useModule) => {
        this.#overrides.push({ overrideModule: module, useModule });
        return this;
      },
    };
  }

  /** Makes what no module provides. What is provided stays as it is. */
  useMocker(mocker: Mocker): this {
    this.#mocker = mocker;
    return this;
  }

  /**
   * Makes the providers, for tests of a service or a CALL provider; there need be no agent.
   * @throws BootError with everything that is wrong, overrides of what is nowhere included.
   */
  async compile(options: TestingModuleOptions = {}): Promise<TestingModule> {
    const clock = options.clock ?? new VirtualClock();
    const log = new CapturedLog();
    const logger = new Logger({
      sink: log,
      level: options.logLevel ?? 'debug',
      wallMs: () => clock.wallMs(),
    });
    const plan = await planContainer(this.#root(), {
      ...containerOptions({ logger, clock }),
      overrides: this.#overrides,
      mocker: this.#mocker,
    });
    if (plan.problems.length > 0) throw new BootError(plan.problems);
    return new TestingModule({ plan, container: await plan.instantiate(), clock, log });
  }

  /**
   * Makes an application in this process, without a port, that a test calls.
   * @throws BootError with everything that is wrong, overrides of what is nowhere included.
   */
  createApplication(options: TestApplicationOptions = {}): Promise<TestApplication> {
    const replacements = { overrides: this.#overrides, mocker: this.#mocker };
    return TestApplication.create(this.#root(), replacements, options);
  }

  #root(): { module: Class } & ModuleMetadata {
    return { ...this.#metadata, module: TestRoot };
  }
}

/** Options of {@link TestingModuleBuilder.compile}. */
export interface TestingModuleOptions {
  /** What `CLOCK` is. @default a new one */
  readonly clock?: VirtualClock | undefined;
  /** The least severe level that is captured. @default 'debug' */
  readonly logLevel?: LogLevel | undefined;
}

interface TestingModuleParts {
  readonly plan: ContainerPlan;
  readonly container: Container;
  readonly clock: VirtualClock;
  readonly log: CapturedLog;
}

/** The providers of a test. Made by {@link TestingModuleBuilder.compile}. */
export class TestingModule {
  /** What was logged. */
  readonly log: CapturedLog;
  readonly clock: VirtualClock;
  readonly #plan: ContainerPlan;
  readonly #container: Container;
  readonly #scopes: CallScope[] = [];

  constructor(parts: TestingModuleParts) {
    this.log = parts.log;
    this.clock = parts.clock;
    this.#plan = parts.plan;
    this.#container = parts.container;
  }

  /**
   * The instance of a singleton, wherever it is provided.
   * @throws DiError when nothing provides the token, or when it lives inside calls: see {@link resolve}.
   */
  get<T>(token: Token<T>): T {
    return this.#container.get(token, { strict: false });
  }

  /**
   * A new instance of a CALL provider or an agent, in a scope of its own, as if a call had begun; no hook runs.
   * @param call what `Call` is in it. Default: one of {@link detachedCall}.
   * @throws DiError when no module provides the token.
   */
  resolve<T>(token: Token<T>, call: Call = detachedCall().call): T {
    const owner = this.#plan.providersOf(token)[0]?.module ?? this.#plan.root;
    if (owner === undefined) throw new Error('a plan without problems has a root');
    const scope = this.#container
      .scopeFactory(owner, [token])
      .open([call, this.get(Logger).forCall(call.id)]);
    this.#scopes.push(scope);
    return scope.root(0) as T; // the token is what provides T
  }

  /** Tears down what `resolve` made, then the singletons, with their shutdown hooks. @throws the first error of these. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const scope of this.#scopes.reverse()) failures.push(...(await scope.close()));
    failures.push(...(await this.#container.close()));
    if (failures.length > 0) throw failures[0];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
