import { FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
import { type Application, createApplication } from 'callwright';
import { HelloModule } from './main';

describe('the hello agent', () => {
  let application: Application;

  beforeAll(async () => {
    application = await createApplication(HelloModule, { port: 0, log: { level: 'error' } });
    await application.listen();
  });

  afterAll(() => application.close({ drainMs: 0 }));

  it('adds two numbers and says goodbye', async () => {
    const server = new FakeVoiceServer({
      transport: webSocketTransport(application.url),
      agent: 'hello',
      brain: rules([
        when(/add (\d+) and (\d+)/i)
          .call('add', (match) => ({ a: Number(match[1]), b: Number(match[2]) }))
          .say((heard) => `That makes ${heard.outcomes[0]?.text}.`),
        when(/bye/).say('Ciao!'),
      ]),
    });
    const call = await server.call();
    await call.user('Add 2 and 40, please.');
    await call.user('Thanks, goodbye!');
    await expect(call.ended).resolves.toBe('ended_by_agent');
    expect(call.transcript).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: 'That makes 42.' }),
        expect.objectContaining({ text: 'Goodbye!' }),
      ]),
    );
  });
});
