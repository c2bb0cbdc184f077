import { FakeVoiceServer, printCall, script, webSocketTransport, when } from '@callwright/testing';
import { createApplication } from 'callwright';
import { AppModule } from './app.module';

/**
 * `npm start`: serves the restaurant, plays one simulated call against it over a real socket, and goes on serving.
 * A real program has no such file; its `main.ts` is beside this one.
 */
async function main(): Promise<void> {
  console.log('Starting the restaurant agent ...');
  const application = await createApplication(AppModule);
  const url = await application.listen();
  console.log(`Serving on ${url}. A simulated caller rings:\n`);
  await playCall(url);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log(`${signal}: closing ...`);
      void application.close().then(() => console.log('Closed.'));
    });
  }
  console.log(pointingAt(url));
}

async function playCall(url: string): Promise<void> {
  const token = process.env.BRISVOX_AGENT_TOKEN;
  const server = new FakeVoiceServer({
    transport: webSocketTransport(url, token ? { token } : {}),
    agent: 'luigi',
    brain: script([
      when(/saturday/)
        .call('openingHours', { day: 'saturday' })
        .say((heard) => `On saturday we are open ${heard.outcomes[0]?.text}.`),
      when(/table/)
        .call('bookTable', {
          time: '2030-06-01T19:30:00+02:00',
          partySize: 2,
          seating: 'terrace',
          guest: { name: 'Ada' },
        })
        .say('A table for two on the terrace on the first of June, half past seven. Shall I book it?'),
      when(/yes/).confirm().say('It is booked. See you then!'),
      when(/bye/).say('Ciao!'),
    ]),
  });
  const call = await server.call({ from: '+390612345678', to: '+390698765432' });
  printCall(call, process.stdout);
  await call.user('Hello, are you open on saturday?');
  await call.user('Then a table for two on the terrace, please.');
  await call.user('yes, please');
  await call.user('Thank you, bye!');
  await call.ended;
}

function pointingAt(url: string): string {
  return [
    '',
    `Still serving on ${url}; stop with Ctrl+C.`,
    'To take real calls, point a voice server here:',
    '',
    `  BRISVOX_AGENT_URL=${url}`,
    '  BRISVOX_AGENT_TOKEN=...   # the same secret on both sides, once the agent is not on this machine alone',
    '',
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
