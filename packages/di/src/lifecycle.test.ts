import {
  type BeforeApplicationShutdown,
  type Class,
  Inject,
  Injectable,
  InjectionToken,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
  planContainer,
  Scope,
} from '.';

const log: string[] = [];
beforeEach(() => {
  log.length = 0;
});

class Hooked
  implements
    OnModuleInit,
    OnApplicationBootstrap,
    OnModuleDestroy,
    BeforeApplicationShutdown,
    OnApplicationShutdown
{
  async onModuleInit(): Promise<void> {
    await Promise.resolve();
    this.#note('init');
  }
  onApplicationBootstrap(): void {
    this.#note('bootstrap');
  }
  async onModuleDestroy(...signals: unknown[]): Promise<void> {
    await Promise.resolve();
    this.#note(`destroy(${signals.filter((signal) => signal !== undefined)})`);
  }
  beforeApplicationShutdown(signal?: string): void {
    this.#note(`before(${signal})`);
  }
  onApplicationShutdown(signal?: string): void {
    this.#note(`shutdown(${signal})`);
  }
  [Symbol.dispose](): void {
    this.#note('dispose');
  }
  #note(hook: string): void {
    log.push(`${this.constructor.name} ${hook}`);
  }
}

@Injectable()
class Base extends Hooked {}
@Injectable()
class User extends Hooked {
  constructor(readonly base: Base) {
    super();
  }
}

const VALUE = new InjectionToken<object>('VALUE');

test('hooks of singletons run in the order of dependencies, and at the end in reverse, phase by phase', async () => {
  @Module({ providers: [User, Base, { provide: VALUE, useValue: new Hooked() }] })
  class AppModule extends Hooked {
    constructor(readonly user: User) {
      super();
    }
  }
  const container = await (await planContainer(AppModule)).instantiate();
  await container.bootstrap();
  expect(log).toEqual([
    'Base init',
    'User init',
    'AppModule init',
    'Base bootstrap',
    'User bootstrap',
    'AppModule bootstrap',
  ]);
  log.length = 0;
  const closing = container.close('SIGTERM');
  expect(container.close()).toBe(closing);
  expect(await closing).toEqual([]);
  const inReverse = (hook: string) => ['AppModule', 'User', 'Base'].map((name) => `${name} ${hook}`);
  expect(log).toEqual(['destroy()', 'before(SIGTERM)', 'shutdown(SIGTERM)', 'dispose'].flatMap(inReverse));
});

test('imported modules come first; what a singleton holds alone has the hooks too; a call scope has none of them', async () => {
  @Injectable({ scope: Scope.TRANSIENT })
  class Part extends Hooked {}
  @Injectable({ scope: Scope.CALL })
  class PerCall extends Hooked {}
  @Injectable()
  class Whole extends Hooked {
    constructor(readonly part: Part) {
      super();
    }
  }
  @Module({ providers: [Base] })
  class Imported {}
  @Module({ imports: [Imported], providers: [Whole, Part, PerCall] })
  class AppModule {}
  const plan = await planContainer(AppModule);
  const container = await plan.instantiate();
  expect(log).toEqual(['Base init', 'Part init', 'Whole init']);
  const scope = container.scopeFactory(plan.root as never, [PerCall]).open([]);
  log.length = 0;
  await scope.close();
  expect(log).toEqual(['PerCall dispose']);
});

test('a start that fails tears down what was made, with the hooks of what was initialised', async () => {
  const cause = new Error('no database');
  @Injectable()
  class Failing {
    constructor(@Inject(Base) readonly base: Base) {}
    onModuleInit(): never {
      throw cause;
    }
    onModuleDestroy(): void {
      log.push('Failing destroy');
    }
  }
  @Injectable()
  class Behind extends Hooked {
    constructor(readonly failing: Failing) {
      super();
    }
  }
  @Module({ providers: [Base, Failing, Behind] })
  class AppModule {}
  const plan = await planContainer(AppModule);
  await expect(plan.instantiate()).rejects.toMatchObject({
    code: 'CW_DI_PROVIDER_FAILED',
    message: expect.stringContaining('Failing (AppModule): onModuleInit failed'),
    cause,
  });
  expect(log).toEqual([
    'Base init',
    'Failing destroy',
    'Base destroy()',
    'Base before(undefined)',
    'Base shutdown(undefined)',
    'Behind dispose',
    'Base dispose',
  ]);
});

test.each([
  [
    'a constructor',
    class Throws {
      constructor() {
        throw new Error('why');
      }
    } as Class,
    'its constructor',
  ],
  ['an async factory', async () => Promise.reject(new Error('why')), 'its factory'],
])('%s that fails names its provider and disposes of what came before', async (_kind, broken, step) => {
  const BROKEN = new InjectionToken<unknown>('BROKEN');
  const provider =
    step === 'its factory'
      ? { provide: BROKEN, useFactory: broken as () => unknown }
      : { provide: BROKEN, useClass: broken as Class };
  @Module({ providers: [Base, provider] })
  class AppModule {}
  const plan = await planContainer(AppModule);
  await expect(plan.instantiate()).rejects.toMatchObject({
    message: expect.stringContaining(`BROKEN (AppModule): ${step} failed`),
    cause: new Error('why'),
  });
  expect(log).toEqual(['Base dispose']);
});

test('errors of the end are collected, and a deadline bounds it', async () => {
  @Injectable()
  class Stuck {
    onModuleDestroy(): Promise<void> {
      return new Promise(() => undefined);
    }
    onApplicationShutdown(): void {
      throw new Error('failing');
    }
  }
  @Module({ providers: [Base, Stuck] })
  class AppModule {}
  const container = await (await planContainer(AppModule)).instantiate();
  let expire = (): void => undefined;
  const setTimer = (run: () => void) => {
    expire = run;
    return { cancel: () => undefined };
  };
  const closing = container.close('SIGINT', { deadlineMs: 100, setTimer });
  expire();
  expect(await closing).toEqual([
    expect.objectContaining({ code: 'CW_DI_TEARDOWN_DEADLINE' }),
    new Error('failing'),
  ]);
  expect(log).toContain('Base shutdown(SIGINT)');
  expect(log).toContain('Base dispose');
});

test.each([
  ['a factory', (base: Base) => base],
  ['an async factory', async (base: Base) => base],
])('%s that returns what it was given adds no hooks to it', async (_kind, useFactory) => {
  @Module({ providers: [Base, { provide: VALUE, useFactory, inject: [Base] }] })
  class AppModule {}
  const container = await (await planContainer(AppModule)).instantiate();
  expect(container.get(VALUE)).toBe(container.get(Base));
  expect(await container.close()).toEqual([]);
  expect(log.filter((line) => line.endsWith('init') || line.endsWith('dispose'))).toEqual([
    'Base init',
    'Base dispose',
  ]);
});
