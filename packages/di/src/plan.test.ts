import { Global, Inject, Injectable, InjectionToken, Module, planContainer, Scope } from '.';

const GREETING = new InjectionToken<string>('GREETING');

class Call {
  constructor(readonly id: string) {}
}

@Injectable()
class Store {}

@Injectable({ scope: Scope.CALL })
class Basket {
  constructor(
    readonly call: Call,
    readonly store: Store,
  ) {}
}

@Injectable()
class HostAgent {
  constructor(
    readonly basket: Basket,
    @Inject(GREETING) readonly greeting: string,
  ) {}
}

@Module({ providers: [Store], exports: [Store] })
class StoreModule {}

@Global()
@Module({ providers: [{ provide: GREETING, useValue: 'hello' }], exports: [GREETING] })
class GreetingModule {}

@Module({ imports: [StoreModule, GreetingModule], providers: [Basket], agents: [HostAgent] })
class AppModule {}

test('a program of modules is planned, instantiated, and opens a scope for a call', async () => {
  const plan = await planContainer(AppModule, { callInputs: [Call] });
  expect(plan.problems).toEqual([]);
  const container = await plan.instantiate();
  const [agent] = plan.agents;
  expect(agent?.type).toBe(HostAgent);
  if (agent === undefined) return;
  const factory = container.scopeFactory(agent.module, [agent.type]);
  const call = new Call('c1');
  const scope = factory.open([call], 'c1');
  const host = scope.root(0) as HostAgent;
  expect(host).toBeInstanceOf(HostAgent);
  expect(host.greeting).toBe('hello');
  expect(host.basket.call).toBe(call);
  expect(host.basket.store).toBe(container.get(Store));
  expect(scope.instances()).toEqual([host.basket, host]);
  expect(scope.get(Basket)).toBe(host.basket);
  expect(await scope.close()).toEqual([]);
  expect(await container.close()).toEqual([]);
});
