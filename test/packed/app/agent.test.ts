import { FakeVoiceServer, rules, webSocketTransport } from '@callwright/testing';
import { type Application, createApplication } from 'callwright';
import { Kitchen, Order, OrderModule } from './order.agent';

describe('an agent in an ordinary jest', () => {
  let application: Application;

  beforeEach(async () => {
    application = await createApplication(OrderModule, { port: 0, log: { level: 'fatal' } });
    await application.listen();
  });

  afterEach(() => application.close());

  it('takes a call, and its tools get arguments of their types', async () => {
    const server = new FakeVoiceServer({ transport: webSocketTransport(application.url), brain: rules([]) });
    const call = await server.call();
    await expect(call.tool('onTheMenu', { dish: 'soup' })).resolves.toMatchObject({
      status: 'ok',
      value: false,
    });
    await expect(call.tool('order', { dish: 'risotto' })).resolves.toMatchObject({
      status: 'ok',
      value: '1 risotto',
    });
    await call.hangUp();
    const { orders } = application.get(Kitchen);
    expect(orders).toEqual([{ dish: 'risotto', count: 1 }]);
    expect(orders[0]).toBeInstanceOf(Order);
  });
});
