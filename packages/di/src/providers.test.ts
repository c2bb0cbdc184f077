import {
  Inject,
  Injectable,
  InjectionToken,
  type ModuleMetadata,
  Optional,
  type Override,
  type PlanOptions,
  planContainer,
  Scope,
} from '.';
import { moduleOf } from './program.test-support';

const NAME = new InjectionToken<string>('NAME');
const NAMES = new InjectionToken<readonly string[]>('NAMES', { multi: true });

const planOf = (metadata: ModuleMetadata, options?: PlanOptions) =>
  planContainer(moduleOf(metadata), options);
const containerOf = async (metadata: ModuleMetadata, options?: PlanOptions) =>
  (await planOf(metadata, options)).instantiate();

abstract class Store {
  abstract readonly kind: string;
}
@Injectable()
class MemoryStore extends Store {
  readonly kind: string = 'memory';
}

describe('the ways to provide', () => {
  test('a class for a token, a value, a factory, another name', async () => {
    const CHOSEN = new InjectionToken<Store>('CHOSEN');
    const container = await containerOf({
      providers: [
        { provide: Store, useClass: MemoryStore },
        { provide: NAME, useFactory: (store: Store) => `of ${store.kind}`, inject: [Store] },
        { provide: CHOSEN, useExisting: Store },
      ],
    });
    expect(container.get(Store)).toBeInstanceOf(MemoryStore);
    expect(container.get(CHOSEN)).toBe(container.get(Store));
    expect(container.get(NAME)).toBe('of memory');
  });

  test('a factory of a singleton may return a promise, which is awaited before what needs it', async () => {
    @Injectable()
    class User {
      constructor(@Inject(NAME) readonly name: string) {}
    }
    const container = await containerOf({
      providers: [User, { provide: NAME, useFactory: async () => 'luigi' }],
    });
    expect(container.get(User).name).toBe('luigi');
  });

  test('a factory of another scope may not: seen at boot if it is an async function, else when it runs', async () => {
    for (const scope of [Scope.CALL, Scope.TRANSIENT]) {
      const plan = await planOf({ providers: [{ provide: NAME, useFactory: async () => 'luigi', scope }] });
      expect(plan.problems.map(({ code }) => code)).toEqual(['CW_DI_ASYNC_FACTORY']);
    }
    const useFactory = () => Promise.reject(new Error('late'));
    const plan = await planOf({ providers: [{ provide: NAME, useFactory, scope: Scope.CALL }] });
    const container = await plan.instantiate();
    const factory = container.scopeFactory(plan.root as never, [NAME]);
    expect(() => factory.open([])).toThrow(expect.objectContaining({ code: 'CW_DI_ASYNC_FACTORY' }));
    const transient = await containerOf({
      providers: [{ provide: NAME, useFactory, scope: Scope.TRANSIENT }],
    });
    expect(() => transient.get(NAME)).toThrow(expect.objectContaining({ code: 'CW_DI_ASYNC_FACTORY' }));
  });

  test('an entry of inject may be optional; a missing one is named by its index', async () => {
    const useFactory = (name: string | undefined) => name ?? 'nobody';
    const MADE = new InjectionToken<string>('MADE');
    const container = await containerOf({
      providers: [{ provide: MADE, useFactory, inject: [{ token: NAME, optional: true }] }],
    });
    expect(container.get(MADE)).toBe('nobody');
    const plan = await planOf({ providers: [{ provide: MADE, useFactory, inject: [NAME] }] });
    expect(plan.problems[0]?.message).toContain('MADE, inject[0] of the factory');
  });

  test('@Optional gives undefined for what nobody provides, and the instance for what somebody does', async () => {
    @Injectable()
    class User {
      @Optional() @Inject(NAME) readonly name?: string;
      constructor(@Optional() readonly store?: MemoryStore) {}
    }
    const without = (await containerOf({ providers: [User] })).get(User);
    expect([without.store, without.name]).toEqual([undefined, undefined]);
    const provided = await containerOf({
      providers: [User, MemoryStore, { provide: NAME, useValue: 'luigi' }],
    });
    expect(provided.get(User)).toEqual({ store: provided.get(MemoryStore), name: 'luigi' });
  });

  test('a provider may wrap one of the same token from outside', async () => {
    const inner = moduleOf({ providers: [{ provide: NAME, useValue: 'luigi' }], exports: [NAME] }, 'Inner');
    const container = await containerOf({
      imports: [inner],
      providers: [{ provide: NAME, useFactory: (name: string) => `${name}!`, inject: [NAME] }],
    });
    expect(container.get(NAME)).toBe('luigi!');
  });

  test('what all modules see: globals behind everything else', async () => {
    const globals = [{ provide: NAME, useValue: 'global' }];
    expect((await containerOf({}, { globals })).get(NAME)).toBe('global');
    const own = await containerOf({ providers: [{ provide: NAME, useValue: 'own' }] }, { globals });
    expect(own.get(NAME)).toBe('own');
  });
});

test('a circle of names is a problem, not an endless search', async () => {
  const ALIAS = new InjectionToken<string>('ALIAS');
  const circle = await planOf({
    providers: [
      { provide: NAME, useExisting: ALIAS },
      { provide: ALIAS, useExisting: NAME },
    ],
  });
  expect(circle.problems.map(({ code }) => code)).toEqual(['CW_DI_CYCLE']);
  expect(circle.providersOf(ALIAS).map(({ type }) => type)).toEqual([undefined]);
});

describe('multi providers', () => {
  test('whoever injects the token gets all of them: own ones, then of imports, then global ones', async () => {
    const plugin = moduleOf(
      { providers: [{ provide: NAMES, useValue: 'plugin' }], exports: [NAMES] },
      'Plugin',
    );
    const hidden = moduleOf({ providers: [{ provide: NAMES, useValue: 'hidden' }] }, 'Hidden');
    const globals = [{ provide: NAMES, useValue: 'global' }];
    const metadata = {
      imports: [plugin, hidden],
      providers: [
        { provide: NAMES, useValue: 'first' },
        { provide: NAMES, useFactory: () => 'second' },
      ],
    };
    const plan = await planOf(metadata, { globals });
    const container = await plan.instantiate();
    expect(container.get(NAMES, { strict: true })).toEqual(['first', 'second', 'plugin', 'global']);
    expect(plan.providersOf(NAMES).map(({ module }) => module.name)).toEqual([
      '(globals)',
      'Plugin',
      'Hidden',
      'AppModule',
      'AppModule',
    ]);
  });

  test('`multi: true` makes any token one of many; a mix with single ones is a problem', async () => {
    const one = { provide: NAME, useValue: 'a', multi: true };
    expect((await containerOf({ providers: [one] })).get(NAME)).toEqual(['a']);
    const mixed = await planOf({ providers: [one, { provide: NAME, useValue: 'b' }] });
    expect(mixed.problems.map(({ code }) => code)).toEqual(['CW_DI_MULTI_MIXED']);
    const single = moduleOf({ providers: [{ provide: NAME, useValue: 'b' }], exports: [NAME] }, 'Single');
    @Injectable()
    class User {
      @Inject(NAME) readonly name!: string;
    }
    const across = await planOf({ imports: [single], providers: [one, User] });
    expect(across.problems.map(({ code }) => code)).toEqual(['CW_DI_MULTI_MIXED']);
  });

  test('in a call, the array holds what the call and the application have', async () => {
    @Injectable({ scope: Scope.CALL })
    class Basket {}
    const ALL = new InjectionToken<readonly unknown[]>('ALL', { multi: true });
    const plan = await planOf({
      providers: [Basket, { provide: ALL, useExisting: Basket }, { provide: ALL, useValue: 7 }],
    });
    const container = await plan.instantiate();
    const scope = container.scopeFactory(plan.root as never, [ALL]).open([]);
    expect(scope.root(0)).toEqual([scope.get(Basket), 7]);
    expect(scope.get(ALL)).toEqual([scope.get(Basket), 7]);
  });
});

describe('overrides', () => {
  @Injectable({ scope: Scope.CALL })
  class Basket {
    constructor(readonly store: Store) {}
  }

  test('a provider is replaced in every module that has it, and keeps its scope', async () => {
    const shared = moduleOf(
      {
        providers: [Basket, { provide: Store, useClass: MemoryStore }],
        exports: [Basket],
      },
      'Shared',
    );
    const fake = { kind: 'fake' };
    class FakeBasket {}
    const overrides: Override[] = [
      { provide: Store, useValue: fake },
      { provide: Basket, useClass: FakeBasket },
    ];
    const root = moduleOf({ imports: [shared], providers: [{ provide: Store, useClass: MemoryStore }] });
    const plan = await planContainer(root, { overrides });
    const container = await plan.instantiate();
    expect(container.get(Store)).toBe(fake);
    const factory = container.scopeFactory(plan.root as never, [Basket]);
    expect(factory.open([]).root(0)).toBeInstanceOf(FakeBasket);
    expect(factory.open([]).root(0)).not.toBe(factory.open([]).root(0));
  });

  test('one replacement stands for all providers of a multi token', async () => {
    const container = await containerOf(
      {
        providers: [
          { provide: NAMES, useValue: 'a' },
          { provide: NAMES, useValue: 'b' },
        ],
      },
      { overrides: [{ provide: NAMES, useValue: 'fake' }] },
    );
    expect(container.get(NAMES)).toEqual(['fake']);
  });

  test('a module is replaced wherever it is imported, also in exports and as a dynamic module', async () => {
    const real = moduleOf({ providers: [{ provide: NAME, useValue: 'real' }], exports: [NAME] }, 'Real');
    const fake = moduleOf({ providers: [{ provide: NAME, useValue: 'fake' }], exports: [NAME] }, 'Fake');
    for (const imported of [real, { module: real }]) {
      const between = moduleOf({ imports: [imported], exports: [real] }, 'Between');
      const overrides = [{ overrideModule: real, useModule: fake }];
      expect((await containerOf({ imports: [between] }, { overrides })).get(NAME, { strict: true })).toBe(
        'fake',
      );
    }
  });

  test('a class that only a decorator names, such as a guard, is replaced too; so is an agent', async () => {
    class Guard {}
    @Injectable()
    class Agent {}
    class FakeAgent {}
    const plan = await planOf(
      { agents: [Agent] },
      {
        injectablesOf: (type) => (type === Agent ? [Guard] : []),
        overrides: [
          { provide: Guard, useValue: 'open' },
          { provide: Agent, useClass: FakeAgent },
        ],
      },
    );
    const container = await plan.instantiate();
    expect(container.get(Guard)).toBe('open');
    expect(plan.agents.map(({ type }) => type)).toEqual([Agent]);
    const scope = container.scopeFactory(plan.root as never, [Agent]).open([]);
    expect(scope.root(0)).toBeInstanceOf(FakeAgent);
  });

  test('an override without effect is a problem that suggests a name', async () => {
    class MemoryStor {}
    class Nowhere {}
    const plan = await planOf(
      { providers: [MemoryStore] },
      {
        overrides: [
          { provide: MemoryStor, useValue: 1 },
          { overrideModule: Nowhere, useModule: Nowhere },
        ],
      },
    );
    expect(plan.problems.map(({ code }) => code)).toEqual(['CW_DI_OVERRIDE_UNUSED', 'CW_DI_OVERRIDE_UNUSED']);
    expect(plan.problems[1]?.message).toContain('Did you mean MemoryStore?');
  });

  test('a mocker is asked for what nobody provides, once for each token', async () => {
    const asked: unknown[] = [];
    @Injectable()
    class User {
      constructor(
        readonly store: MemoryStore,
        @Inject(NAME) readonly name: string,
      ) {}
    }
    const mocker = (token: unknown) => {
      asked.push(token);
      return token === NAME ? undefined : { mocked: true };
    };
    const plan = await planOf(
      { providers: [User, { provide: NAMES, useExisting: MemoryStore }] },
      { mocker },
    );
    expect(asked).toEqual([MemoryStore, NAME]);
    expect(plan.problems.map(({ code }) => code)).toEqual(['CW_DI_PROVIDER_MISSING']);
  });
});
