import { checkedFactory, Injectable, InjectionToken, Module, planContainer, Scope } from '.';

const HOUR = new InjectionToken<number>('HOUR');
const PROBLEM = { code: 'HOUR', message: 'HOUR is no hour.' };
@Module({})
class AppModule {}

function hourModule() {
  const useFactory = checkedFactory(
    () => 99,
    () => [PROBLEM],
  );
  return { module: AppModule, providers: [{ provide: HOUR, useFactory }] };
}

describe('a checked factory', () => {
  test('its problems are those of the plan', async () => {
    const plan = await planContainer(hourModule());
    expect(plan.problems).toContainEqual(PROBLEM);
  });

  test('it is not asked when the provider is overridden', async () => {
    const overrides = [{ provide: HOUR, useValue: 9 }];
    const plan = await planContainer(hourModule(), { overrides });
    expect(plan.problems).not.toContainEqual(PROBLEM);
  });
});

describe('addresses of providers', () => {
  @Injectable({ scope: Scope.CALL })
  class First {}
  @Injectable()
  class Second {}
  const ALL = new InjectionToken<object[]>('ALL', { multi: true });

  test('name each provider of a multi token, as a root of a scope', async () => {
    const module = {
      module: AppModule,
      providers: [
        { provide: ALL, useClass: First },
        { provide: ALL, useClass: Second },
        { provide: ALL, useValue: new Date(0) },
      ],
    };
    const plan = await planContainer(module);
    const addresses = plan.providersOf(ALL);
    expect(addresses.map(({ type }) => type)).toEqual([First, Second, Date]);
    expect([plan.moduleOf(First)?.type, plan.moduleOf(Date)]).toEqual([AppModule, undefined]);
    const container = await plan.instantiate();
    const scope = container.scopeFactory(plan.root ?? addresses[0]!.module, addresses).open([]);
    expect(scope.root(0)).toBeInstanceOf(First);
    expect(scope.root(1)).toBeInstanceOf(Second);
    expect(scope.root(2)).toEqual(new Date(0));
  });
});
