import { type FakeCall, FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
import { type Application, createApplication } from 'callwright';
import { TravelModule } from './main';

const WISH = {
  departure: '2030-07-01T09:00',
  passengers: [{ name: 'Ada', nationality: 'IT', passport: 'YA1234567' }],
  cabin: 'business',
  priority: 3,
  payment: { kind: 'card', lastDigits: '4242' },
};

describe('the travel agent', () => {
  let application: Application;
  let call: FakeCall;

  beforeEach(async () => {
    application = await createApplication(TravelModule, { port: 0, log: { level: 'error' } });
    await application.listen();
    const server = new FakeVoiceServer({
      transport: webSocketTransport(application.url),
      agent: 'travel',
      brain: rules([
        when(/trip/).call('bookTrip', WISH).say('Shall I book it?'),
        when(/yes/)
          .confirm()
          .say((heard) => heard.outcomes[0]?.text ?? ''),
      ]),
    });
    call = await server.call();
    await call.untilSilent();
  });

  afterEach(() => application.close({ drainMs: 0 }));

  it('receives dates, nested classes and the right class of payment, and excludes what does not leave', async () => {
    await call.user('A trip, please.');
    const { outcomes } = await call.user('yes');
    expect(JSON.parse(outcomes[0]?.text ?? '')).toEqual({
      reference: 'T-2030-1',
      passengers: 1,
      paidBy: 'card 4242',
      departure: '2030-07-01T07:00:00.000Z', // nine o'clock in Rome
    });
  });

  it('tells the model values, never names, of enums, and both ways to pay', () => {
    const [tool] = application.manifest().agents[0]?.tools ?? [];
    const schema = JSON.stringify(tool?.parameters);
    expect(schema).toContain('"enum":[1,2,3]');
    expect(schema).toContain('"const":"invoice"');
    expect(schema).toContain('"default":"economy"');
    expect(tool?.result).toMatchObject({ type: 'object' });
    expect(JSON.stringify(tool?.result)).not.toContain('internalNote');
  });
});
