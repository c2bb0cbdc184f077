import { VoiceAgent } from '@callwright/core';
import { Injectable, Module, type Provider, Scope } from '@callwright/di';
import { VirtualClock } from '@callwright/testing';
import type { Application } from './application';
import { createApplication } from './assembly';
import { LogRecorder } from './connected.test-support';
import {
  APP_CONNECTION_GUARD,
  CONNECTION_GUARDS_LIMIT_MS,
  type ConnectionGuard,
  type ConnectionRequest,
} from './connection-guard';
import type { GatewayOptions } from './options';
import { RawClient, statusOf, upgradeRequest } from './server.test-support';

@VoiceAgent({ name: 'luigi' })
class LuigiAgent {}

let running: Application | undefined;
const log = new LogRecorder();
afterEach(() => running?.close());

async function listenWith(
  providers: readonly Provider[],
  options: GatewayOptions = {},
): Promise<Application> {
  @Module({})
  class AppModule {}
  const module = { module: AppModule, providers, agents: [LuigiAgent] };
  running = await createApplication(module, {
    port: 0,
    log: { sink: log.sink, level: 'trace', errorDetail: 'safe' },
    ...options,
  });
  await running.listen();
  return running;
}

const bound = (accepts: ConnectionGuard['accepts']): Provider => ({
  provide: APP_CONNECTION_GUARD,
  useValue: { accepts },
});

async function statusFor(providers: readonly Provider[], headers = {}): Promise<number> {
  const { url } = await listenWith(providers);
  return statusOf(await new RawClient(url).send(upgradeRequest(headers)).received(/\r\n\r\n/));
}

describe('connection guards', () => {
  it.each([
    ['accepts', () => true, 101],
    ['accepts after a while', async () => true, 101],
    ['refuses', () => false, 403],
    ['returns something that is not true', () => 1 as unknown as boolean, 403],
    [
      'throws',
      () => {
        throw new Error('+390612345678');
      },
      503,
    ],
    ['rejects', () => Promise.reject(new Error('+390612345678')), 503],
  ])('one that %s is answered so', async (_what, accepts, status) => {
    expect(await statusFor([bound(accepts)])).toBe(status);
    expect(JSON.stringify(log.entries)).not.toContain('+390612345678');
  });

  it('see headers, path and address; the first refusal counts', async () => {
    const seen: ConnectionRequest[] = [];
    const status = await statusFor(
      [
        bound((request) => seen.push(request) > 0),
        bound(() => false),
        bound(() => {
          throw new Error('it is not asked any more');
        }),
      ],
      { 'X-Tenant': 'trattoria' },
    );
    expect(status).toBe(403);
    expect(seen[0]).toMatchObject({ path: '/agent', isEncrypted: false, remoteAddress: '127.0.0.1' });
    expect(seen[0]?.headers['x-tenant']).toBe('trattoria');
  });

  it('are asked only after the token was right', async () => {
    let asked = 0;
    const { url } = await listenWith([bound(() => ++asked > 0)], { token: 'secret' });
    const answer = await new RawClient(url).send(upgradeRequest()).received(/\r\n\r\n/);
    expect([statusOf(answer), asked]).toEqual([401, 0]);
  });

  it('that take too long are answered with 503', async () => {
    const clock = new VirtualClock();
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const never = bound(() => {
      asked();
      return new Promise(() => undefined);
    });
    const { url } = await listenWith([never], { clock });
    const client = new RawClient(url).send(upgradeRequest());
    await isAsked;
    await clock.advance(CONNECTION_GUARDS_LIMIT_MS);
    expect(statusOf(await client.closed)).toBe(503);
  });

  it('may inject what they need, and count once where a module exports them', async () => {
    let asked = 0;
    @Injectable()
    class Counter {
      count(): boolean {
        asked += 1;
        return true;
      }
    }
    @Injectable()
    class CountingGuard implements ConnectionGuard {
      constructor(private readonly counter: Counter) {}
      accepts(): boolean {
        return this.counter.count();
      }
    }
    @Module({
      providers: [Counter, { provide: APP_CONNECTION_GUARD, useClass: CountingGuard }],
      exports: [APP_CONNECTION_GUARD],
    })
    class DoorModule {}
    @Module({ imports: [DoorModule], providers: [bound(() => true)], agents: [LuigiAgent] })
    class AppModule {}
    running = await createApplication(AppModule, { port: 0, log: { sink: log.sink } });
    const url = await running.listen();
    const answer = await new RawClient(url).send(upgradeRequest()).received(/\r\n\r\n/);
    expect([statusOf(answer), asked]).toEqual([101, 1]);
  });

  it('cannot live inside calls; what was made before that was found is ended', async () => {
    let ended = 0;
    @Injectable()
    class Pool {
      onModuleDestroy(): void {
        ended += 1;
      }
    }
    @Injectable({ scope: Scope.CALL })
    class CallGuard implements ConnectionGuard {
      accepts(): boolean {
        return true;
      }
    }
    const providers = [Pool, { provide: APP_CONNECTION_GUARD, useClass: CallGuard }];
    await expect(listenWith(providers)).rejects.toMatchObject({ code: 'CW_DI_GET_CALL_SCOPED' });
    expect(ended).toBe(1);
  });
});
