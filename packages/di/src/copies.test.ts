import { type CallScope, Inject, Injectable, InjectionToken, Lazy, Module, planContainer, Scope } from '.';

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
