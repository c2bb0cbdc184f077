import {
  type CallScope,
  Inject,
  Injectable,
  InjectionToken,
  identifyToken,
  Lazy,
  Module,
  planContainer,
  Scope,
} from '.';

test('two copies of the package in one tree read each other', async () => {
  let copy: typeof import('.') | undefined;
  jest.isolateModules(() => {
    copy = require('.') as typeof import('.');
  });
  if (copy === undefined) throw new Error('not loaded');
  expect(copy.InjectionToken).not.toBe(InjectionToken);
  const theirs = copy;
  const NAME = new theirs.InjectionToken<string>('NAME');
  const MANY = new theirs.InjectionToken<readonly string[]>('MANY', { multi: true });

  @theirs.Injectable({ scope: theirs.Scope.CALL })
  class Basket {
    @theirs.Inject(NAME) readonly name!: string;
    @Inject(MANY) readonly many!: readonly string[];
    @theirs.Inject(theirs.lazy(() => Shelf)) readonly shelf!: Lazy<Shelf>;
  }
  @Injectable({ scope: Scope.CALL })
  class Shelf {
    constructor(
      readonly modules: InstanceType<typeof theirs.ModuleRef>,
      readonly scopes: InstanceType<typeof theirs.CallScopes>,
    ) {}
  }
  Reflect.defineMetadata('design:paramtypes', [theirs.ModuleRef, theirs.CallScopes], Shelf);
  @theirs.Global()
  @theirs.Module({
    providers: [
      { provide: NAME, useValue: 'luigi' },
      { provide: MANY, useValue: 'one' },
    ],
    exports: [NAME, MANY],
  })
  class TheirModule {}
  @Module({ imports: [TheirModule], providers: [Basket, Shelf] })
  class AppModule {}

  for (const plan of [await planContainer(AppModule), await theirs.planContainer(AppModule)]) {
    expect(plan.problems).toEqual([]);
    const container = await plan.instantiate();
    const scope: CallScope = container.scopeFactory(plan.root as never, [Basket]).open([], 'key');
    const basket = scope.get(Basket);
    expect(basket).toMatchObject({ name: 'luigi', many: ['one'] });
    const shelf = basket.shelf.get();
    expect(shelf).toBeInstanceOf(Shelf);
    expect(shelf.modules.get(NAME)).toBe('luigi');
    expect(shelf.scopes.get('key')).toBe(scope);
  }
});

test('what everyone is given is found by the class of another copy, but not by a class derived from it', async () => {
  class OurLogger {}
  class TheirLogger {}
  class DerivedLogger extends TheirLogger {}
  class OurCall {}
  class TheirCall {}
  for (const type of [OurLogger, TheirLogger]) identifyToken(type, 'test:Logger');
  for (const type of [OurCall, TheirCall]) identifyToken(type, 'test:Call');
  @Injectable({ scope: Scope.CALL })
  class Basket {
    @Inject(TheirLogger) readonly logger!: TheirLogger;
    @Inject(TheirCall) readonly call!: TheirCall;
  }
  @Injectable()
  class Lost {
    @Inject(DerivedLogger) readonly logger!: DerivedLogger;
  }
  @Module({ providers: [Basket] })
  class AppModule {}
  @Module({ providers: [Lost] })
  class LostModule {}
  const logger = new OurLogger();
  const options = { callInputs: [OurCall], globals: [{ provide: OurLogger, useValue: logger }] };
  const plan = await planContainer(AppModule, options);
  expect(plan.problems).toEqual([]);
  const call = new OurCall();
  const container = await plan.instantiate();
  const basket = container
    .scopeFactory(plan.root as never, [Basket])
    .open([call])
    .get(Basket);
  expect([basket.logger, basket.call]).toEqual([logger, call]);
  expect((await planContainer(LostModule, options)).problems.map(({ code }) => code)).toEqual([
    'CW_DI_PROVIDER_MISSING',
  ]);
});
