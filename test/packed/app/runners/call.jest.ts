import '@callwright/testing/jest';
import { rules, Test, type TestApplication, when } from '@callwright/testing';
import { Kitchen, OrderModule } from '../order.agent';

describe('an agent under the preset of jest', () => {
  let app: TestApplication;

  beforeEach(async () => {
    app = await Test.createTestingModule({ imports: [OrderModule] })
      .overrideProvider(Kitchen)
      .useValue({ orders: [] })
      .createApplication({
        voiceServer: {
          brain: rules([when(/soup/).call('onTheMenu', { dish: 'soup' }).say('No soup today.')]),
        },
      });
  });

  afterEach(() => app.close());

  it('is called without a port, and its calls have matchers', async () => {
    const call = await app.call();
    await call.user('Is there soup?');
    await call.tool('order', { dish: 'risotto', count: 2 });
    expect(call).toHaveSaid('No soup');
    expect(call).toHaveRunOnce('order');
    expect(app.get(Kitchen).orders).toEqual([{ dish: 'risotto', count: 2 }]);
  });
});
