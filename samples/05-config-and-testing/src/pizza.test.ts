import { rules, Test, type TestApplication, when } from '@callwright/testing';
import { ConfigModule, createApplication, Module } from 'callwright';
import { AppModule } from './app.module';
import { Currency, Env } from './env';
import { Kitchen } from './kitchen';
import { PizzaAgent } from './pizza.agent';
import { PriceList } from './price-list';

const env: Env = { MAX_PIZZAS: 4, CURRENCY: Currency.Dollar, TAKES_ORDERS: true, KITCHEN_KEY: 'of the test' };

describe('the price list', () => {
  it('alone, with an environment of the test', () => {
    const prices = new PriceList(env);
    expect(prices.priceOf(4)).toBe('36 USD');
    expect(() => prices.priceOf(5)).toThrow('at most 4 pizzas');
  });

  it('out of the container', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Env)
      .useValue(env)
      .compile();
    expect(module.get(PriceList).priceOf(2)).toBe('18 USD');
    await module.close();
  });
});

describe('a call', () => {
  let app: TestApplication;
  const orders: { readonly pizzas: number; readonly key: string }[] = [];

  beforeEach(async () => {
    orders.length = 0;
    app = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Env)
      .useValue(env)
      .overrideProvider(Kitchen)
      .useValue({
        async order(pizzas: number, key: string): Promise<number> {
          orders.push({ pizzas, key });
          return 20;
        },
      })
      .createApplication();
  });

  afterEach(() => app.close());

  it('orders once the caller has said yes', async () => {
    const call = await app.call({
      brain: rules([
        when(/three/i).call('order', { pizzas: 3 }).say('Three pizzas. Shall I order them?'),
        when(/yes/)
          .confirm()
          .say((heard) => String(heard.outcomes[0]?.text)),
      ]),
    });
    await call.user('Three pizzas, please.');
    expect(orders).toEqual([]);
    await call.user('yes');
    expect(orders).toEqual([{ pizzas: 3, key: expect.any(String) }]);
    expect(JSON.stringify(call.transcript)).toContain('27 USD, ready in 20 minutes');
  });

  it('is refused what the environment forbids', async () => {
    const call = await app.call({
      brain: rules([
        when(/five/i)
          .call('price', { pizzas: 5 })
          .say((heard) => String(heard.outcomes[0]?.text)),
      ]),
    });
    await call.user('What do five pizzas cost?');
    expect(JSON.stringify(call.transcript)).toContain('at most 4 pizzas an order');
  });

  it('is reminded after two minutes, without a test that waits for them', async () => {
    const call = await app.call();
    await app.clock.advance(120_000);
    expect(JSON.stringify(call.transcript)).toContain('Others are waiting');
    await call.hangUp();
  });
});

describe('the environment', () => {
  it('stops the program when it is wrong, and names everything at once', async () => {
    const environment = { MAX_PIZZAS: 'many', TAKES_ORDERS: '', KITCHEN_KEY: 'short' };
    @Module({
      imports: [ConfigModule.forRoot({ schema: Env, environment })],
      providers: [Kitchen, PriceList],
      agents: [PizzaAgent],
    })
    class WrongModule {}
    const error = await createApplication(WrongModule, { port: 0 }).then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    expect(error).toContain('MAX_PIZZAS must be a whole number');
    expect(error).toContain('CURRENCY is not set');
    expect(error).toContain('TAKES_ORDERS is set but empty');
    expect(error).toContain('KITCHEN_KEY must be longer than or equal to 8 characters');
    expect(error).not.toContain('short');
  });
});
