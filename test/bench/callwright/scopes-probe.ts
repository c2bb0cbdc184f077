/**
 * The cost of call scopes, in the container alone. Prints one line of JSON:
 * { "smallNs", "smallBytes", "largeNs", "largeKeptBytes" }. Run with --expose-gc.
 */
import 'reflect-metadata';
import { type CallScope, Injectable, Module, planContainer, Scope, type ScopeFactory } from '@callwright/di';

@Injectable()
class Log {}

@Injectable({ scope: Scope.CALL })
class Caller {
  constructor(readonly log: Log) {}
}

@Injectable({ scope: Scope.CALL })
class Basket {
  constructor(readonly caller: Caller) {}
}

@Injectable({ scope: Scope.CALL })
class Prices {
  constructor(
    readonly caller: Caller,
    readonly basket: Basket,
  ) {}
}

@Injectable({ scope: Scope.CALL })
class Orders {
  constructor(
    readonly log: Log,
    readonly prices: Prices,
  ) {}
}

@Injectable({ scope: Scope.CALL })
class SmallAgent {
  constructor(
    readonly basket: Basket,
    readonly prices: Prices,
    readonly orders: Orders,
  ) {}
}

let disposed = 0;

@Injectable({ scope: Scope.CALL })
class Connection {
  constructor(readonly log: Log) {}

  [Symbol.dispose](): void {
    disposed++;
  }
}

@Injectable({ scope: Scope.CALL })
class Reader {
  constructor(readonly connection: Connection) {}
}

@Injectable({ scope: Scope.CALL })
class Writer {
  constructor(readonly connection: Connection) {}

  [Symbol.dispose](): void {
    disposed++;
  }
}

@Injectable({ scope: Scope.CALL })
class Guests {
  constructor(readonly reader: Reader) {}
}

@Injectable({ scope: Scope.CALL })
class Tables {
  constructor(
    readonly reader: Reader,
    readonly writer: Writer,
  ) {}
}

@Injectable({ scope: Scope.CALL })
class Bills {
  constructor(
    readonly writer: Writer,
    readonly orders: Orders,
  ) {}

  [Symbol.dispose](): void {
    disposed++;
  }
}

@Injectable({ scope: Scope.CALL })
class Notes {
  constructor(readonly guests: Guests) {}

  [Symbol.dispose](): void {
    disposed++;
  }
}

/** With what it needs: twelve objects of the call, of which four are torn down. */
@Injectable({ scope: Scope.CALL })
class LargeAgent {
  constructor(
    readonly tables: Tables,
    readonly bills: Bills,
    readonly notes: Notes,
  ) {}
}

@Module({
  providers: [Log, Caller, Basket, Prices, Orders, Connection, Reader, Writer, Guests, Tables, Bills, Notes],
  agents: [SmallAgent, LargeAgent],
})
class AppModule {}

const WINDOW_MS = 200;
const BATCH = 64;
const KEPT_SCOPES = 20_000;
const ENDED_SCOPES = 200_000;
const TEARDOWN = { deadlineMs: 5_000, setTimer: () => ({ cancel: () => undefined }) };

async function main(): Promise<void> {
  const plan = await planContainer(AppModule, {});
  if (plan.problems.length > 0) throw new Error(plan.problems.map(({ message }) => message).join('\n'));
  const container = await plan.instantiate();
  const module = plan.agents[0]?.module;
  if (module === undefined) throw new Error('the plan has no agents');
  const small = container.scopeFactory(module, [SmallAgent]);
  const large = container.scopeFactory(module, [LargeAgent]);
  const scope = large.open([]);
  if (scope.instances().length !== 12) throw new Error('the large graph has twelve objects');
  await scope.close(TEARDOWN);
  if (disposed !== 4) throw new Error('four of them are torn down');

  smallNs(small);
  await largeNs(large);
  bytesOfOpen(small);
  process.stdout.write(
    `${JSON.stringify({
      smallNs: smallNs(small),
      smallBytes: bytesOfOpen(small),
      largeNs: await largeNs(large),
      largeKeptBytes: await bytesKept(large),
    })}\n`,
  );
}

function smallNs(factory: ScopeFactory): number {
  const before = process.cpuUsage();
  const deadline = performance.now() + WINDOW_MS;
  let scopes = 0;
  while (performance.now() < deadline) {
    for (let at = 0; at < BATCH; at++) factory.open([]).root(0);
    scopes += BATCH;
  }
  return cpuNsSince(before) / scopes;
}

async function largeNs(factory: ScopeFactory): Promise<number> {
  const before = process.cpuUsage();
  const deadline = performance.now() + WINDOW_MS;
  let scopes = 0;
  while (performance.now() < deadline) {
    for (let at = 0; at < BATCH; at++) {
      const scope = factory.open([]);
      scope.root(0);
      await scope.close(TEARDOWN);
    }
    scopes += BATCH;
  }
  return cpuNsSince(before) / scopes;
}

function cpuNsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1_000;
}

function bytesOfOpen(factory: ScopeFactory): number {
  const kept: (CallScope | undefined)[] = new Array(KEPT_SCOPES).fill(undefined);
  const before = heapBytes();
  for (let at = 0; at < KEPT_SCOPES; at++) {
    const scope = factory.open([]);
    scope.root(0);
    kept[at] = scope;
  }
  return (heapBytes() - before) / kept.length;
}

/** Below one byte a scope nothing of it is kept: what is left is the noise of the whole heap. */
async function bytesKept(factory: ScopeFactory): Promise<number> {
  const before = heapBytes();
  for (let at = 0; at < ENDED_SCOPES; at++) {
    const scope = factory.open([]);
    scope.root(0);
    await scope.close(TEARDOWN);
  }
  return Math.max(0, Math.floor((heapBytes() - before) / ENDED_SCOPES));
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

void main();
