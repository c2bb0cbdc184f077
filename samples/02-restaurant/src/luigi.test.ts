import { type FakeCall, FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
import { type Application, createApplication } from 'callwright';
import { AppModule } from './app.module';
import { BookingRepository } from './booking.repository';

const WISH = { time: '2030-06-01T19:30:00+02:00', partySize: 4, seating: 'terrace', guest: { name: 'Ada' } };

describe("Luigi's agent", () => {
  let application: Application;
  let server: FakeVoiceServer;

  beforeEach(async () => {
    application = await createApplication(AppModule, { port: 0, log: { level: 'error' } });
    await application.listen();
    server = new FakeVoiceServer({
      transport: webSocketTransport(application.url),
      agent: 'luigi',
      brain: rules([
        when(/open on (\w+)/)
          .call('openingHours', (match) => ({ day: match[1] }))
          .say((heard) => heard.outcomes[0]?.text ?? ''),
        when(/table/).call('bookTable', WISH).say('Shall I book it?'),
        when(/yes/).confirm().say('It is booked.'),
        when(/person/)
          .call('frontDesk', { concern: 'a large party' })
          .say('One moment.'),
        when(/bye/).say('Ciao!'),
      ]),
    });
  });

  afterEach(() => application.close({ drainMs: 0 }));

  const said = (call: FakeCall): string => JSON.stringify(call.transcript);

  it('greets a known caller by name', async () => {
    expect(said(await server.call({ from: '+390612345678' }))).toContain('Welcome back, Ada!');
    expect(said(await server.call({ from: '+390611111111' }))).toContain("Luigi's, good evening!");
  });

  it('tells the opening hours', async () => {
    const call = await server.call();
    await call.user('Are you open on friday?');
    expect(said(call)).toContain('from 18:00 to 23:30');
  });

  it('books after the caller has said yes, once', async () => {
    const repository = application.get(BookingRepository);
    const call = await server.call({ from: '+390612345678' });
    await call.user('A table for four, please.');
    expect(repository.all()).toEqual([]);
    await call.user('yes');
    expect(repository.all()).toEqual([
      { number: 1, time: new Date('2030-06-01T17:30:00Z'), partySize: 4, seating: 'terrace' },
    ]);
    await call.user('And are you open on friday?'); // narrowed tools count from the next response on
    expect(call.tools.map(({ name }) => name)).not.toContain('bookTable');
  });

  it('books nothing for a caller whose number is hidden, and says why', async () => {
    const call = await server.call();
    await call.user('A table for four, please.');
    await call.user('yes');
    expect(application.get(BookingRepository).all()).toEqual([]);
    expect(said(call)).toContain('only for callers whose number is shown');
  });

  it('hands the call to a person where that is possible', async () => {
    const call = await server.call();
    await call.user('Let me speak to a person.');
    expect(call.frames.some(({ text }) => text.includes('"destination":"+390698765432"'))).toBe(true);
  });

  it('goes on where it was when the link breaks', async () => {
    const call = await server.call({ from: '+390612345678' });
    await call.user('A table for four, please.');
    call.cut();
    await call.resume();
    await call.user('A table for four, please.');
    await call.user('yes');
    expect(application.get(BookingRepository).all()).toHaveLength(1);
  });

  it('says goodbye, ends the call, and notes why', async () => {
    const call = await server.call();
    await call.user('Thank you, goodbye!');
    await expect(call.ended).resolves.toBe('ended_by_agent');
  });
});
