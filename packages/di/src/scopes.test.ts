import {
  CallScopes,
  type Class,
  type CloseOptions,
  type Container,
  Inject,
  Injectable,
  InjectionToken,
  Lazy,
  lazy,
  Module,
  type ModuleMetadata,
  ModuleRef,
  Optional,
  planContainer,
  Scope,
  type ScopeFactory,
  type Token,
} from '.';

class Call {
  constructor(readonly id: string) {}
}
const LIMIT = new InjectionToken<number>('LIMIT');

const moduleOf = (metadata: ModuleMetadata, name = 'AppModule'): Class => {
  const type = { [name]: class {} }[name] as Class;
  Module(metadata)(type);
  return type;
};

const containerOf = async (metadata: ModuleMetadata): Promise<Container> => {
  const plan = await planContainer(moduleOf(metadata), { callInputs: [Call] });
  expect(plan.problems).toEqual([]);
  return plan.instantiate();
};

const factoryOf = async (metadata: ModuleMetadata, roots: readonly Token[]): Promise<ScopeFactory> => {
  const plan = await planContainer(moduleOf(metadata), { callInputs: [Call] });
  expect(plan.problems).toEqual([]);
  const container = await plan.instantiate();
  if (plan.root === undefined) throw new Error('no root');
  return container.scopeFactory(plan.root, roots);
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

describe('lazy references', () => {
  @Injectable({ scope: Scope.CALL })
  class Menu {
    constructor(@Inject(lazy(() => Cook)) readonly cook: Lazy<Cook>) {}
  }
  @Injectable({ scope: Scope.CALL })
  class Cook {
    constructor(readonly menu: Menu) {}
  }

  test('a cycle with a Lazy on one side gives whole objects, one of each a call', async () => {
    const factory = await factoryOf({ providers: [Menu, Cook] }, [Menu]);
    const scope = factory.open([new Call('1')]);
    const menu = scope.get(Menu);
    expect(menu.cook.get()).toBe(scope.get(Cook));
    expect(menu.cook.get().menu).toBe(menu);
    expect(scope.instances()).toEqual([menu, menu.cook.get()]);
  });

  test('a Lazy read in a constructor says what is wrong, in a call and among singletons', async () => {
    class Early {
      constructor(@Inject(lazy(() => Late)) late: Lazy<Late>) {
        late.get();
      }
    }
    class Late {
      constructor(@Inject(Early) readonly early: Early) {}
    }
    Injectable({ scope: Scope.CALL })(Early);
    Injectable({ scope: Scope.CALL })(Late);
    const factory = await factoryOf({ providers: [Early, Late] }, [Late]);
    const early = expect.objectContaining({ code: 'CW_DI_TOO_EARLY' });
    expect(() => factory.open([new Call('1')])).toThrow(early);
    Injectable()(Early);
    Injectable()(Late);
    const plan = await planContainer(moduleOf({ providers: [Early, Late] }));
    await expect(plan.instantiate()).rejects.toMatchObject({ code: 'CW_DI_PROVIDER_FAILED', cause: early });
  });

  test('ModuleRef asked in a constructor for what is not made yet says so too', async () => {
    @Injectable()
    class Eager {
      constructor(modules: ModuleRef) {
        modules.get(Store);
      }
    }
    const plan = await planContainer(moduleOf({ providers: [Eager, Store] }));
    const early = expect.objectContaining({ code: 'CW_DI_TOO_EARLY' });
    await expect(plan.instantiate()).rejects.toMatchObject({ cause: early });
  });

  test('a Lazy of a multi token gives the whole array, and is refused while a part of it is missing', async () => {
    const MANY = new InjectionToken<readonly unknown[]>('MANY', { multi: true });
    class Reader {
      readonly first: unknown;
      constructor(@Inject(lazy(() => MANY)) readonly many: Lazy<readonly unknown[]>) {}
    }
    class EagerReader extends Reader {
      override readonly first = this.many.get()[0];
    }
    for (const scope of [Scope.SINGLETON, Scope.CALL]) {
      for (const type of [Reader, EagerReader, Store]) Injectable({ scope })(type);
      const metadata = {
        providers: [
          { provide: Reader, useClass: Reader, scope },
          { provide: EagerReader, useClass: EagerReader, scope },
          { provide: Store, useClass: Store, scope },
          { provide: MANY, useExisting: Store },
          { provide: MANY, useValue: 7 },
        ],
      };
      const plan = await planContainer(moduleOf(metadata));
      const eager = await planContainer(moduleOf({ providers: metadata.providers.slice(1) }));
      const { root } = plan;
      const early = expect.objectContaining({ code: 'CW_DI_TOO_EARLY' });
      if (scope === Scope.SINGLETON) {
        await expect(eager.instantiate()).rejects.toMatchObject({ cause: early });
      } else if (root !== undefined && eager.root !== undefined) {
        const scopes = (await plan.instantiate()).scopeFactory(root, [Reader]).open([]);
        expect(scopes.get(Reader).many.get()).toEqual([expect.any(Store), 7]);
        const failing = (await eager.instantiate()).scopeFactory(eager.root, [EagerReader]);
        expect(() => failing.open([])).toThrow(early);
      }
    }
    Injectable()(Store);
  });

  test('a Lazy of a singleton works from singletons and from calls; of a transient provider it is refused', async () => {
    @Injectable()
    class Holder {
      constructor(@Inject(lazy(() => Store)) readonly store: Lazy<Store>) {}
    }
    @Injectable({ scope: Scope.CALL })
    class CallHolder {
      @Inject(lazy(() => Store)) readonly store!: Lazy<Store>;
      @Inject(lazy(() => LIMIT)) @Optional() readonly limit?: Lazy<number>;
    }
    const factory = await factoryOf({ providers: [Holder, CallHolder, Store] }, [CallHolder, Holder]);
    const scope = factory.open([new Call('1')]);
    expect(scope.get(CallHolder).store.get()).toBe(scope.get(Holder).store.get());
    expect(scope.get(CallHolder).store).toBeInstanceOf(Lazy);
    expect(scope.get(CallHolder).limit).toBeUndefined();
    @Injectable()
    class Wrong {
      constructor(@Inject(lazy(() => Line)) readonly line: Lazy<Line>) {}
    }
    const plan = await planContainer(moduleOf({ providers: [Wrong, Line] }));
    expect(plan.problems.map(({ code }) => code)).toEqual(['CW_DI_LAZY_TRANSIENT']);
  });
});

describe('teardown', () => {
  const log: string[] = [];
  beforeEach(() => {
    log.length = 0;
  });

  class Sync {
    [Symbol.dispose](): void {
      log.push('sync');
    }
  }
  class Waiting {
    async [Symbol.asyncDispose](): Promise<void> {
      log.push('waiting begins');
      await Promise.resolve();
      log.push('waiting ends');
    }
    [Symbol.dispose](): void {
      log.push('not called');
    }
  }
  class Failing {
    [Symbol.dispose](): void {
      log.push('failing');
      throw new Error('failing');
    }
  }
  const call = (type: Class) => ({ provide: type, useClass: type, scope: Scope.CALL });

  test('goes in reverse order, waits for each, collects errors, and happens once', async () => {
    const factory = await factoryOf({ providers: [Sync, Failing, Waiting].map(call) }, [
      Sync,
      Waiting,
      Failing,
    ]);
    const scope = factory.open([new Call('1')]);
    const closing = scope.close();
    expect(scope.close()).toBe(closing);
    expect(await closing).toEqual([new Error('failing')]);
    expect(await scope.close()).toEqual([new Error('failing')]);
    expect(log).toEqual(['failing', 'waiting begins', 'waiting ends', 'sync']);
  });

  test('a rejected and a thrown failure are both collected behind one that waits', async () => {
    class Rejecting {
      [Symbol.asyncDispose](): Promise<void> {
        return Promise.reject(new Error('rejecting'));
      }
    }
    const factory = await factoryOf({ providers: [Failing, Rejecting, Sync].map(call) }, [
      Sync,
      Failing,
      Rejecting,
    ]);
    expect(await factory.open([new Call('1')]).close()).toEqual([
      new Error('rejecting'),
      new Error('failing'),
    ]);
    expect(log).toEqual(['failing', 'sync']);
  });

  test('a constructor that throws: what was made is torn down, and the error comes as it is', async () => {
    const broken = new Error('broken');
    class Broken {
      constructor() {
        throw broken;
      }
    }
    const reported: unknown[] = [];
    const plan = await planContainer(moduleOf({ providers: [Sync, Failing, Broken, Waiting].map(call) }));
    const container = await plan.instantiate({ reportTeardown: (errors) => reported.push(...errors) });
    if (plan.root === undefined) throw new Error('no root');
    const factory = container.scopeFactory(plan.root, [Sync, Failing, Broken, Waiting]);
    expect(() => factory.open([], 'key')).toThrow(broken);
    expect(log).toEqual(['failing', 'sync']);
    await Promise.resolve();
    expect(reported).toEqual([new Error('failing')]);
    expect(container.get(CallScopes).get('key')).toBeUndefined();
  });

  test('the deadline ends the waiting: the rest is started at once, and the stuck one is named', async () => {
    let expire = (): void => undefined;
    let cancelled = 0;
    const options: CloseOptions = {
      deadlineMs: 500,
      setTimer: (run) => {
        expire = run;
        return { cancel: () => (cancelled += 1) };
      },
    };
    class Stuck {
      [Symbol.asyncDispose](): Promise<void> {
        return new Promise(() => undefined);
      }
    }
    const factory = await factoryOf({ providers: [Sync, Waiting, Stuck, Failing].map(call) }, [
      Failing,
      Sync,
      Waiting,
      Stuck,
    ]);
    const closing = factory.open([new Call('1')]).close(options);
    expect(log).toEqual([]);
    expire();
    const errors = await closing;
    expect(log.slice(0, 3)).toEqual(['waiting begins', 'sync', 'failing']);
    expect(errors).toEqual([
      expect.objectContaining({ code: 'CW_DI_TEARDOWN_DEADLINE' }),
      new Error('failing'),
    ]);
    expect(String(errors[0])).toContain('Stuck: its teardown had not ended after 500 ms');
    expect(cancelled).toBe(1);
  });

  test('the timer of the deadline is stopped when all has ended in time, and none is started for nothing', async () => {
    const timers: string[] = [];
    const setTimer = () => {
      timers.push('set');
      return { cancel: () => timers.push('cancelled') };
    };
    const waiting = await factoryOf({ providers: [call(Waiting)] }, [Waiting]);
    await waiting.open([new Call('1')]).close({ deadlineMs: 1, setTimer });
    expect(timers).toEqual(['set', 'cancelled']);
    const sync = await factoryOf({ providers: [call(Sync)] }, [Sync]);
    await sync.open([new Call('1')]).close({ deadlineMs: 1, setTimer });
    expect(timers).toEqual(['set', 'cancelled']);
  });

  test('values, inputs, singletons and what a factory was given are not torn down with a call', async () => {
    const GIVEN = new InjectionToken<Sync>('GIVEN');
    const NOTHING = new InjectionToken<null>('NOTHING');
    const factory = await factoryOf(
      {
        providers: [
          Sync,
          { provide: LIMIT, useValue: new Sync() },
          { provide: GIVEN, useFactory: (sync: Sync) => sync, inject: [Sync], scope: Scope.CALL },
          { provide: NOTHING, useFactory: () => null, scope: Scope.CALL },
        ],
      },
      [GIVEN, LIMIT, Sync, NOTHING],
    );
    expect(await factory.open([new Sync()]).close()).toEqual([]);
    expect(log).toEqual([]);
  });

  test('printing a scope shows nothing of the call', async () => {
    const factory = await factoryOf({ providers: [Basket] }, [Basket]);
    const scope = factory.open([new Call('+39061234')], 'key');
    expect(JSON.stringify({ scope })).not.toContain('+39061234');
    expect(require('node:util').inspect(scope)).toBe('[CallScope]');
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
