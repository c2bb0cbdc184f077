import { type FakeCall, FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
import { type Application, createApplication, type LogEntry } from 'callwright';
import { AppModule } from './app.module';
import { Ledger } from './ledger';

const CALLER = '+390612345678';

describe('the desk', () => {
  const log: LogEntry[] = [];
  let application: Application;

  beforeEach(async () => {
    log.length = 0;
    application = await createApplication(AppModule, {
      port: 0,
      log: { level: 'debug', errorDetail: 'safe', sink: { write: (entry) => void log.push(entry) } },
    });
    await application.listen();
  });

  afterEach(() => application.close({ drainMs: 0 }));

  function call(from: string | null = CALLER): Promise<FakeCall> {
    const answer = (heard: { readonly outcomes: readonly { readonly text: string }[] }): string =>
      String(heard.outcomes[0]?.text);
    const server = new FakeVoiceServer({
      transport: webSocketTransport(application.url),
      agent: 'desk',
      brain: rules([
        when(/pin is (.+)/)
          .call('checkPin', (match) => ({ pin: match[1] }))
          .say(answer),
        when(/balance/)
          .call('balance', {})
          .say(answer),
        when(/send (\d+) to (.+)/)
          .call('send', (match) => ({ amount: Number(match[1]), to: match[2] }))
          .say('Shall I send it?'),
        when(/yes/).confirm().say(answer),
      ]),
    });
    return server.call(from === null ? {} : { from });
  }

  const said = (played: FakeCall): string => JSON.stringify(played.transcript);

  it('refuses a tool with a sentence, until the PIN was said', async () => {
    const played = await call();
    await played.user('What is my balance?');
    expect(said(played)).toContain('the caller must say the PIN first');
    await played.user('My pin is  2468 ');
    await played.user('What is my balance?');
    expect(said(played)).toContain('1250 euros');
  });

  it('does not even offer the tools to a caller who hides the number', async () => {
    const names = (played: FakeCall): string[] => played.tools.map(({ name }) => name);
    expect(names(await call())).toEqual(expect.arrayContaining(['checkPin', 'balance', 'send']));
    expect(names(await call(null))).not.toEqual(expect.arrayContaining(['balance']));
  });

  it('keeps what one call proved from the next', async () => {
    await (await call()).user('My pin is 2468');
    const other = await call();
    await other.user('What is my balance?');
    expect(said(other)).toContain('the caller must say the PIN first');
  });

  it('asks the ledger once for the same question', async () => {
    const played = await call();
    await played.user('My pin is 2468');
    await played.user('What is my balance?');
    await played.user('And my balance again?');
    expect(application.get(Ledger).reads).toBe(1);
  });

  it('sends to a number however it was said', async () => {
    const played = await call();
    await played.user('My pin is 2468');
    await played.user('Please send 50 to 06 7654 321');
    await played.user('yes');
    expect(application.get(Ledger).balanceOf('+3967654321')).toBe(50);
  });

  it('gives the model a sentence for an exception, and the log its name, but nothing of the caller', async () => {
    application.get(Ledger).isOpen = false;
    const played = await call();
    await played.user('My pin is 2468');
    await played.user('What is my balance?');
    expect(said(played)).toContain('the books are closed for the night');
    const line = log.find(({ message }) => message === 'a filter answered an exception');
    expect(line?.fields).toMatchObject({ filter: 'LedgerFilter', error: { name: 'LedgerClosed' } });
    expect(JSON.stringify(log)).not.toMatch(/shard|390612345678|2468/);
  });
});
