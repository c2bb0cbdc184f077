/**
 * One call scope of five scoped providers and a singleton, in five containers and by hand. The argument names the
 * container; the output is one line of JSON: { "cpuNs", "bytes" }. Compiled by the bench into the folder of the peers.
 */
import 'reflect-metadata';

type Class = abstract new (...args: never[]) => object;

type Open = () => object | Promise<object>;

/** How a container opens one scope, and how it opens one that stays: what its memory is measured by. */
interface Contender {
  readonly open: Open;
  readonly keep?: Open;
}

class Log {}
class Caller {
  constructor(readonly log: Log) {}
}
class Basket {
  constructor(readonly caller: Caller) {}
}
class Prices {
  constructor(
    readonly caller: Caller,
    readonly basket: Basket,
  ) {}
}
class Orders {
  constructor(
    readonly log: Log,
    readonly prices: Prices,
  ) {}
}
class Agent {
  constructor(
    readonly basket: Basket,
    readonly prices: Prices,
    readonly orders: Orders,
  ) {}
}

const DEPENDENCIES = new Map<Class, Class[]>([
  [Log, []],
  [Caller, [Log]],
  [Basket, [Caller]],
  [Prices, [Caller, Basket]],
  [Orders, [Log, Prices]],
  [Agent, [Basket, Prices, Orders]],
]);
const SCOPED = [Caller, Basket, Prices, Orders, Agent];

/** What TypeScript emits for the types of a constructor's parameters. */
for (const [type, dependencies] of DEPENDENCIES) {
  Reflect.defineMetadata('design:paramtypes', dependencies, type);
}

const CONTAINERS: Record<string, () => Contender | Promise<Contender>> = {
  'by hand': () => {
    const log = new Log();
    const open = (): Agent => {
      const caller = new Caller(log);
      const basket = new Basket(caller);
      const prices = new Prices(caller, basket);
      return new Agent(basket, prices, new Orders(log, prices));
    };
    return { open };
  },
  tsyringe: () => {
    const { container, injectable, Lifecycle } = require('tsyringe');
    for (const type of DEPENDENCIES.keys()) injectable()(type);
    container.registerSingleton(Log);
    for (const type of SCOPED)
      container.register(type, { useClass: type }, { lifecycle: Lifecycle.ContainerScoped });
    const keep = (): object => {
      const child = container.createChildContainer();
      child.resolve(Agent);
      return child;
    };
    return { open: () => container.createChildContainer().resolve(Agent), keep };
  },
  typedi: () => {
    const { Container, Service } = require('typedi');
    Service({ global: true })(Log);
    for (const type of SCOPED) Service()(type);
    let scopes = 0;
    const keep = (): object => Container.of(`scope ${++scopes}`).get(Agent);
    const open = (): object => {
      const agent = keep();
      // Without this every scope is kept, and each one is slower than the one before.
      Container.reset(`scope ${scopes}`);
      return agent;
    };
    return { open, keep };
  },
  awilix: () => {
    const { asFunction, createContainer, Lifetime } = require('awilix');
    const container = createContainer();
    container.register({
      log: asFunction(() => new Log(), { lifetime: Lifetime.SINGLETON }),
      caller: asFunction(({ log }) => new Caller(log), { lifetime: Lifetime.SCOPED }),
      basket: asFunction(({ caller }) => new Basket(caller), { lifetime: Lifetime.SCOPED }),
      prices: asFunction(({ caller, basket }) => new Prices(caller, basket), { lifetime: Lifetime.SCOPED }),
      orders: asFunction(({ log, prices }) => new Orders(log, prices), { lifetime: Lifetime.SCOPED }),
      agent: asFunction(({ basket, prices, orders }) => new Agent(basket, prices, orders), {
        lifetime: Lifetime.SCOPED,
      }),
    });
    const keep = (): object => {
      const scope = container.createScope();
      scope.resolve('agent');
      return scope;
    };
    return { open: () => container.createScope().resolve('agent'), keep };
  },
  inversify: () => {
    const { Container, inject, injectable } = require('inversify');
    const container = new Container();
    for (const [type, dependencies] of DEPENDENCIES) {
      injectable()(type);
      for (const [index, dependency] of dependencies.entries()) inject(dependency)(type, undefined, index);
    }
    container.bind(Log).toSelf().inSingletonScope();
    for (const type of SCOPED) container.bind(type).toSelf().inRequestScope();
    return { open: () => container.get(Agent) };
  },
  nest: async () => {
    const { Injectable, Module, Scope } = require('@nestjs/common');
    const { ContextIdFactory, ModuleRef, NestFactory } = require('@nestjs/core');
    Injectable()(Log);
    for (const type of SCOPED) Injectable({ scope: Scope.REQUEST })(type);
    class AppModule {}
    Module({ providers: [...DEPENDENCIES.keys()] })(AppModule);
    const application = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
    const modules = application.get(ModuleRef);
    const keep = async (): Promise<object> => {
      const context = ContextIdFactory.create();
      await modules.resolve(Agent, context, { strict: false });
      return context;
    };
    return { open: () => modules.resolve(Agent, ContextIdFactory.create(), { strict: false }), keep };
  },
};

const WARM_UP_MS = 300;
const WINDOW_MS = 300;
const KEPT_SCOPES = 20_000;
/** The time of opening one grows with the number kept in this container. */
const KEPT_SCOPES_OF_TYPEDI = 5_000;
const BATCH = 64;

async function cpuNsPerScope(open: Open, isAsync: boolean, windowMs: number): Promise<number> {
  const before = process.cpuUsage();
  const deadline = performance.now() + windowMs;
  let scopes = 0;
  while (performance.now() < deadline) {
    for (let at = 0; at < BATCH; at++) {
      const opened = open();
      if (isAsync) await opened;
    }
    scopes += BATCH;
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / scopes;
}

async function bytesPerScope(open: Open, scopes: number): Promise<number> {
  const kept: unknown[] = new Array(scopes).fill(undefined);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < scopes; at++) kept[at] = await open();
  globalThis.gc?.();
  const after = process.memoryUsage().heapUsed;
  return (after - before) / kept.length;
}

async function main(): Promise<void> {
  const contender = await CONTAINERS[process.argv[2] ?? '']?.();
  if (contender === undefined)
    throw new Error(`no such container; known: ${Object.keys(CONTAINERS).join(', ')}`);
  const { open, keep = open } = contender;
  const isAsync = open() instanceof Promise;
  await cpuNsPerScope(open, isAsync, WARM_UP_MS);
  const cpuNs = await cpuNsPerScope(open, isAsync, WINDOW_MS);
  const scopes = process.argv[2] === 'typedi' ? KEPT_SCOPES_OF_TYPEDI : KEPT_SCOPES;
  // The first pass lets the shapes of the objects settle.
  await bytesPerScope(keep, scopes);
  console.log(JSON.stringify({ cpuNs, bytes: await bytesPerScope(keep, scopes) }));
}

void main();
