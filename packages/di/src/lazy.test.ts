import {
  Inject,
  Injectable,
  InjectionToken,
  Lazy,
  lazy,
  type ModuleMetadata,
  ModuleRef,
  Optional,
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

@Injectable({ scope: Scope.TRANSIENT })
class Line {}
@Injectable()
class Store {}

const factoryOf = async (metadata: ModuleMetadata, roots: readonly Token[]): Promise<ScopeFactory> => {
  const plan = await planContainer(moduleOf(metadata), { callInputs: [Call] });
  return (await instantiated(plan)).scopeFactory(rootOf(plan), roots);
};

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
