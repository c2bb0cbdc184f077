import {
  CallScopes,
  type Class,
  type CloseOptions,
  Injectable,
  InjectionToken,
  type ModuleMetadata,
  planContainer,
  Scope,
  type ScopeFactory,
  type Token,
} from '.';
import { instantiated, moduleOf, rootOf } from './program.test-support';

class Call {
  constructor(readonly id: string) {}
}
const LIMIT = new InjectionToken<unknown>('LIMIT');

const factoryOf = async (metadata: ModuleMetadata, roots: readonly Token[]): Promise<ScopeFactory> => {
  const plan = await planContainer(moduleOf(metadata), { callInputs: [Call] });
  return (await instantiated(plan)).scopeFactory(rootOf(plan), roots);
};

@Injectable({ scope: Scope.CALL })
class Basket {
  constructor(readonly call: Call) {}
}

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
  expect(await factory.open([new Call('1')]).close()).toEqual([new Error('rejecting'), new Error('failing')]);
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
