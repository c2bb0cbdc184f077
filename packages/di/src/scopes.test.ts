import {
  CallScopes,
  type Container,
  Inject,
  Injectable,
  InjectionToken,
  Lazy,
  lazy,
  type ModuleMetadata,
  ModuleRef,
  planContainer,
  Scope,
  type ScopeFactory,
  type Token,
} from '.';
import { instantiated, moduleOf, rootOf } from './program.test-support';

class Call {
  constructor(readonly id: string) {}
}
const LIMIT = new InjectionToken<number>('LIMIT');

const containerOf = async (metadata: ModuleMetadata): Promise<Container> =>
  instantiated(await planContainer(moduleOf(metadata), { callInputs: [Call] }));

const factoryOf = async (metadata: ModuleMetadata, roots: readonly Token[]): Promise<ScopeFactory> => {
  const plan = await planContainer(moduleOf(metadata), { callInputs: [Call] });
  return (await instantiated(plan)).scopeFactory(rootOf(plan), roots);
};

@Injectable({ scope: Scope.CALL })
class Basket {
  constructor(readonly call: Call) {}
}
@Injectable({ scope: Scope.TRANSIENT })
class Line {}
@Injectable()
class Store {}
@Injectable({ scope: Scope.CALL })
class Other {
  constructor(
    readonly basket: Basket,
    readonly line: Line,
  ) {}
}
@Injectable({ scope: Scope.CALL })
class Agent {
  constructor(
    readonly basket: Basket,
    readonly line: Line,
    readonly other: Other,
    readonly store: Store,
  ) {}
}
const providers = [Basket, Line, Store, Agent, Other];

describe('who shares what', () => {
  test('CALL instances are shared in a call, singletons over calls, transient ones never', async () => {
    const factory = await factoryOf({ providers }, [Agent]);
    const [first, second] = [new Call('1'), new Call('2')].map((call) => factory.open([call]).root(0));
    if (!(first instanceof Agent) || !(second instanceof Agent)) throw new Error('wrong instances');
    expect(first.basket).toBe(first.other.basket);
    expect(first.basket).not.toBe(second.basket);
    expect(first.basket.call.id).toBe('1');
    expect(first.store).toBe(second.store);
    expect(first.line).not.toBe(first.other.line);
  });

  test('the instances of a scope are listed in the order of making, without singletons', async () => {
    const factory = await factoryOf({ providers }, [Agent]);
    const scope = factory.open([new Call('1')]);
    const agent = scope.get(Agent);
    expect(scope.instances()).toEqual([agent.basket, agent.line, agent.other.line, agent.other, agent]);
  });

  test('derived scopes: a singleton may hold transient ones, each place its own', async () => {
    @Injectable()
    class One {
      constructor(
        readonly line: Line,
        readonly again: Line,
      ) {}
    }
    const container = await containerOf({ providers: [One, Line] });
    const one = container.get(One);
    expect(one.line).toBeInstanceOf(Line);
    expect(one.line).not.toBe(one.again);
    expect(container.get(Line)).not.toBe(container.get(Line));
  });
});

describe('a singleton may not hold what lives for one call', () => {
  test('the problem has the path and two ways to mend it', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Between {
      constructor(readonly basket: Basket) {}
    }
    @Injectable()
    class Report {
      constructor(readonly between: Between) {}
    }
    const plan = await planContainer(moduleOf({ providers: [Report, Between, Basket] }), {
      callInputs: [Call],
    });
    expect(plan.problems.map(({ code }) => code)).toEqual(['CW_DI_CAPTIVE_SCOPE']);
    const { message } = plan.problems[0] ?? { message: '' };
    expect(message).toContain('Report (SINGLETON) -> Between (TRANSIENT) -> Basket (CALL)');
    expect(message).toContain('Scope.CALL');
    expect(message).toContain('CallScopes');
  });

  test('an input, a factory, an alias, a multi token and a lazy reference are no way around it', async () => {
    @Injectable()
    class HoldsInput {
      constructor(readonly call: Call) {}
    }
    @Injectable()
    class HoldsLazy {
      constructor(@Inject(lazy(() => Basket)) readonly basket: Lazy<Basket>) {}
    }
    const ALIAS = new InjectionToken<Basket>('ALIAS');
    const MANY = new InjectionToken<readonly Basket[]>('MANY', { multi: true });
    const made = (token: Token) => ({
      provide: new InjectionToken('MADE'),
      useFactory: () => 0,
      inject: [token],
    });
    const plan = await planContainer(
      moduleOf({
        providers: [
          Basket,
          HoldsInput,
          HoldsLazy,
          { provide: ALIAS, useExisting: Basket },
          { provide: MANY, useExisting: Basket },
          made(Basket),
          made(ALIAS),
          made(MANY),
        ],
      }),
      { callInputs: [Call] },
    );
    expect(plan.problems.map(({ code }) => code)).toEqual(Array(5).fill('CW_DI_CAPTIVE_SCOPE'));
  });

  test('CallScopes is the way: it finds the scope of a live call by its key, while it is open', async () => {
    @Injectable()
    class Board {
      constructor(readonly scopes: CallScopes) {}
    }
    const plan = await planContainer(moduleOf({ providers: [Board, Basket] }), { callInputs: [Call] });
    const container = await plan.instantiate();
    if (plan.root === undefined) throw new Error('no root');
    const factory = container.scopeFactory(plan.root, [Basket]);
    const { scopes } = container.get(Board);
    const scope = factory.open([new Call('c1')], 'c1');
    expect(scopes.get('c1')?.get(Basket)).toBe(scope.root(0));
    expect(scopes.size).toBe(1);
    expect(() => factory.open([new Call('c1')], 'c1')).toThrow(
      expect.objectContaining({ code: 'CW_DI_SCOPE_KEY_IN_USE' }),
    );
    await scope.close();
    expect(scopes.get('c1')).toBeUndefined();
    expect(scopes.size).toBe(0);
    factory.open([new Call('c1')], 'c1');
  });
});

describe('getting by hand', () => {
  test('a scope gives what its module sees and its roots need', async () => {
    const factory = await factoryOf({ providers: [...providers, { provide: LIMIT, useValue: 3 }] }, [Basket]);
    const call = new Call('1');
    const scope = factory.open([call]);
    expect(scope.get(Call)).toBe(call);
    expect(scope.get(LIMIT)).toBe(3);
    expect(scope.get(Basket)).toBe(scope.get(Basket));
    expect(() => scope.get(Agent)).toThrow(expect.objectContaining({ code: 'CW_DI_NOT_IN_SCOPE' }));
    expect(() => scope.get(Date)).toThrow(expect.objectContaining({ code: 'CW_DI_PROVIDER_MISSING' }));
    expect(() => scope.root(1)).toThrow(RangeError);
    expect(() => factory.open([])).toThrow(expect.objectContaining({ code: 'CW_DI_INPUT_COUNT' }));
  });

  test('ModuleRef sees what its module sees; all of the program if it is not strict', async () => {
    @Injectable()
    class Inner {
      constructor(readonly modules: ModuleRef) {}
    }
    const inner = moduleOf({ providers: [Inner, { provide: LIMIT, useValue: 1 }] }, 'Inner');
    const container = await containerOf({ imports: [inner], providers: [Store, Basket] });
    const { modules } = container.get(Inner);
    expect(modules.get(LIMIT)).toBe(1);
    expect(() => modules.get(Store)).toThrow(
      expect.objectContaining({ code: 'CW_DI_PROVIDER_NOT_EXPORTED' }),
    );
    expect(modules.get(Store, { strict: false })).toBe(container.get(Store));
    expect(() => container.get(Inner, { strict: true })).toThrow(
      expect.objectContaining({ code: 'CW_DI_PROVIDER_NOT_EXPORTED' }),
    );
    expect(() => container.get(Basket)).toThrow(expect.objectContaining({ code: 'CW_DI_GET_CALL_SCOPED' }));
    expect(() => container.get(Call)).toThrow(expect.objectContaining({ code: 'CW_DI_GET_CALL_SCOPED' }));
  });

  test('CALL classes of imported modules are roots without being exported; addresses name one provider', async () => {
    const inner = moduleOf({ providers: [Basket, { provide: LIMIT, useValue: 1 }] }, 'Inner');
    const plan = await planContainer(moduleOf({ imports: [inner], agents: [] }), { callInputs: [Call] });
    const container = await plan.instantiate();
    if (plan.root === undefined) throw new Error('no root');
    expect(plan.callProviders(plan.root)).toEqual([Basket]);
    const [address] = plan.providersOf(LIMIT);
    if (address === undefined) throw new Error('no address');
    const scope = container.scopeFactory(plan.root, [Basket, address]).open([new Call('1')]);
    expect(scope.root(0)).toBeInstanceOf(Basket);
    expect(scope.root(1)).toBe(1);
    expect(scope.get(Basket)).toBe(scope.root(0));
    expect(() => container.scopeFactory(plan.root as never, [Store])).toThrow(
      expect.objectContaining({ code: 'CW_DI_PROVIDER_MISSING' }),
    );
  });

  test('agents are no call providers of each other', async () => {
    const plan = await planContainer(moduleOf({ agents: [Basket], providers: [Line] }), {
      callInputs: [Call],
    });
    expect(plan.root === undefined ? [] : plan.callProviders(plan.root)).toEqual([]);
  });
});

test('an input that is provided globally too is the one of the call in calls, and the global one elsewhere', async () => {
  @Injectable()
  class Logger {
    constructor(readonly call?: string) {}
  }
  @Injectable({ scope: Scope.TRANSIENT })
  class Part {
    constructor(readonly logger: Logger) {}
  }
  @Injectable()
  class Single {
    constructor(
      readonly logger: Logger,
      readonly part: Part,
    ) {}
  }
  @Injectable({ scope: Scope.CALL })
  class PerCall {
    constructor(
      readonly logger: Logger,
      readonly part: Part,
      readonly single: Single,
    ) {}
  }
  const global = new Logger();
  const plan = await planContainer(moduleOf({ providers: [Single, Part, PerCall] }), {
    callInputs: [Logger],
    globals: [{ provide: Logger, useValue: global }],
  });
  expect(plan.problems).toEqual([]);
  const container = await plan.instantiate();
  const own = new Logger('c1');
  const scope = container.scopeFactory(plan.root as never, [PerCall]).open([own]);
  const perCall = scope.get(PerCall);
  expect([perCall.logger, perCall.part.logger, scope.get(Logger)]).toEqual([own, own, own]);
  expect(perCall.single.logger).toBe(global);
  expect(perCall.single.part.logger).toBe(global);
  expect(container.get(Logger)).toBe(global);
});
