import { FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
import { type Application, createApplication } from 'callwright';
import { AppModule } from './app.module';
import { Calendar } from './calendar.module';

describe('an application of modules', () => {
  let application: Application;

  beforeAll(async () => {
    application = await createApplication(AppModule, { port: 0, log: { level: 'error' } });
    await application.listen();
  });

  afterAll(() => application.close({ drainMs: 0 }));

  const serverFor = (agent: string) =>
    new FakeVoiceServer({
      transport: webSocketTransport(application.url),
      agent,
      brain: rules([
        when(/book (\S+)/)
          .call('bookDay', (match) => ({ day: match[1] }))
          .say('Shall I book it?'),
        when(/yes/)
          .confirm()
          .say((heard) => String(heard.outcomes[0]?.text)),
        when(/free on (\S+)\?/)
          .call('isFree', (match) => ({ day: match[1] }))
          .say((heard) => `free: ${heard.outcomes[0]?.text}`),
        when(/weather/)
          .call('weather', { day: 'sunday' })
          .say((heard) => String(heard.outcomes[0]?.text)),
      ]),
    });

  it('gives each agent the tools of its tool sets', async () => {
    const offered = async (agent: string) => (await serverFor(agent).call()).tools.map(({ name }) => name);
    expect(await offered('guide')).toEqual(expect.arrayContaining(['isFree', 'bookDay', 'weather']));
    expect(await offered('anything')).not.toContain('weather');
  });

  it('configures a module, and asks the singleton of another', async () => {
    const guide = await serverFor('guide').call();
    await guide.user('How is the weather?');
    await guide.user('Is it free on 2030-12-25?');
    expect(JSON.stringify(guide.transcript)).toContain('sunny in Rome on sunday');
    expect(JSON.stringify(guide.transcript)).toContain('free: false');
  });

  it('shares the calendar between calls and agents', async () => {
    const office = await serverFor('office').call();
    await office.user('Please book 2030-06-01');
    await office.user('yes');
    expect(application.get(Calendar).isFree('2030-06-01')).toBe(false);
    const guide = await serverFor('guide').call();
    await guide.user('Is it free on 2030-06-01?');
    expect(JSON.stringify(guide.transcript)).toContain('free: false');
  });

  it('is a graph that can be drawn', () => {
    expect(application.graph('mermaid')).toContain('CalendarModule');
  });
});
