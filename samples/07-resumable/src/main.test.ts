import { FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
import { type Application, createApplication } from 'callwright';
import { TaxiModule } from './main';

describe('the taxi agent', () => {
  let application: Application;

  beforeEach(async () => {
    application = await createApplication(TaxiModule, { port: 0, log: { level: 'error' } });
    await application.listen();
  });

  afterEach(() => application.close({ drainMs: 0 }));

  it('orders one taxi when the link breaks in the middle and the model asks again', async () => {
    const server = new FakeVoiceServer({
      transport: webSocketTransport(application.url),
      agent: 'taxi',
      brain: rules([when(/bye/).say('Bye!')]),
    });
    const call = await server.call();
    const lost = call.tool('orderTaxi', { address: 'Via Roma 1' });
    call.cut(); // the model reads that the outcome is unknown
    expect((await lost).text).toContain('unknown');
    await call.resume();
    const again = await call.tool('orderTaxi', { address: 'Via Roma 1' });
    expect(again.text).toContain('taxi 1 is on its way');
  });

  it('keeps the instance of the call over its links', async () => {
    const server = new FakeVoiceServer({
      transport: webSocketTransport(application.url),
      agent: 'taxi',
      brain: rules([when(/bye/).say('Bye!')]),
    });
    const call = await server.call();
    expect((await call.tool('orderTaxi', { address: 'Via Roma 1' })).text).toContain('taxi 1');
    call.cut();
    await call.resume();
    expect((await call.tool('orderTaxi', { address: 'Via Appia 2' })).text).toContain('taxi 2');
  });
});
