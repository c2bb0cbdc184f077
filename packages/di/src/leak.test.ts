import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Inject, Injectable, Lazy, lazy, Module, planContainer, Scope, type ScopeFactory } from '.';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const SCOPES = 20_000;
let tornDown = 0;

class Call {
  readonly audio = new Array<number>(64).fill(0);
}
@Injectable({ scope: Scope.CALL })
class Basket {
  constructor(
    readonly call: Call,
    @Inject(lazy(() => Agent)) readonly agent: Lazy<unknown>,
  ) {}
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve();
    tornDown += 1;
  }
}
@Injectable({ scope: Scope.CALL })
class Agent {
  constructor(readonly basket: Basket) {}
}
@Injectable({ scope: Scope.CALL })
class Failing {
  constructor(readonly basket: Basket) {
    throw new Error('no scope');
  }
}
@Module({ providers: [Basket, Failing], agents: [Agent] })
class AppModule {}

/** In a function of its own, so that no register of the test holds the last scope. */
async function openAndClose(factory: ScopeFactory, references: WeakRef<object>[]): Promise<void> {
  for (let index = 0; index < SCOPES; index++) {
    const call = new Call();
    const scope = factory.open([call], `call-${index}`);
    references.push(new WeakRef(call), new WeakRef(scope), new WeakRef(scope.root(0) as object));
    await scope.close();
  }
}

async function openAndFail(factory: ScopeFactory, references: WeakRef<object>[]): Promise<void> {
  for (let index = 0; index < SCOPES / 10; index++) {
    const call = new Call();
    references.push(new WeakRef(call));
    expect(() => factory.open([call], `failed-${index}`)).toThrow('no scope');
  }
  await new Promise(setImmediate);
}

test('20,000 scopes opened and closed, and 2,000 that failed to open, are all collected', async () => {
  const plan = await planContainer(AppModule, { callInputs: [Call] });
  const container = await plan.instantiate();
  const { root } = plan;
  if (root === undefined) throw new Error('no root');
  const references: WeakRef<object>[] = [];
  await openAndClose(container.scopeFactory(root, [Agent]), references);
  await openAndFail(container.scopeFactory(root, [Failing]), references);
  expect(tornDown).toBe(SCOPES + SCOPES / 10);
  await new Promise(setImmediate); // a WeakRef holds its target until the end of the turn that made it
  collectGarbage();
  expect(references.filter((reference) => reference.deref() !== undefined)).toEqual([]);
});
