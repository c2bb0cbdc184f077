import { Arg, Call, CLOCK, type Clock, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import { Inject, Injectable, Module } from '@callwright/di';
import { Sensitive } from '@callwright/schema';
import { IsString } from 'class-validator';
import {
  formatDifferences,
  formatRecording,
  parseRecording,
  type Recording,
  replay,
  rules,
  Test,
  when,
} from '.';

class Payment {
  @Sensitive() @IsString() card!: string;
}

/** What changes between then and today. */
@Injectable()
class Book {
  constructor(@Inject(CLOCK) readonly clock: Clock) {}
  greeting = 'Hello!';
  table = 4;
  lines: readonly string[] = ['One moment.'];
  today(): string {
    return new Date(this.clock.wallMs()).toISOString();
  }
}

@VoiceAgent({ name: 'luigi', resume: true })
class LuigiAgent {
  constructor(
    private readonly call: Call,
    private readonly book: Book,
  ) {}

  onCallStart(): { readonly greeting: string } {
    return { greeting: this.book.greeting };
  }

  @Tool({ description: 'Books a table.', kind: 'side_effect' })
  async bookTable(@Arg('guests', { type: 'integer' }) guests: number): Promise<unknown> {
    await new Promise<void>((resolve) => void this.book.clock.setTimer(resolve, 300));
    return {
      table: this.book.table,
      guests,
      day: this.book.today().slice(0, 10),
      caller: this.call.caller?.from,
    };
  }

  @Tool('Takes a payment.')
  pay(payment: Payment): string {
    return `paid with ${payment.card}`;
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    for (const line of this.book.lines) await this.call.say(line);
    if (event.text === 'bye') await this.call.end({ say: 'Goodbye!' });
  }
}

@Module({ agents: [LuigiAgent], providers: [Book] })
class AppModule {}

const appModule = (changes: Partial<Book> = {}) =>
  Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(Book)
    .useFactory({ inject: [CLOCK], useFactory: (clock: Clock) => Object.assign(new Book(clock), changes) });

async function record(
  play: (app: Awaited<ReturnType<ReturnType<typeof appModule>['createApplication']>>) => Promise<void>,
): Promise<Recording> {
  const lines: string[] = [];
  const app = await appModule().createApplication({
    record: { open: () => ({ write: (line) => void lines.push(line), close: () => undefined }) },
    voiceServer: {
      brain: rules([when(/table/).call('bookTable', { guests: 2 }).say('Booked.'), when(/./).say('Yes.')]),
    },
  });
  await play(app);
  await app.close();
  return parseRecording(lines.join('\n'));
}

const oneCall = () =>
  record(async (app) => {
    const call = await app.call({ from: '+390612345678', to: '+390699999999' });
    await call.user('a table for two');
    await app.clock.advance(5_000);
    await call.user('bye');
    await call.ended;
  });

describe('a replay', () => {
  it('finds no difference where the code does what it did, whenever that was', async () => {
    const recording = await oneCall();
    expect(JSON.stringify(recording)).not.toContain('12345678');
    const report = await replay({ ...recording, startedAt: '2026-01-01T00:00:00.000Z' }, appModule());
    expect(formatDifferences(report.differences)).toBe('');
    expect(report).toMatchObject({ differences: [], skipped: [] });
    expect(parseRecording(report.text)).toEqual(report.today);
    expect(report.today.entries.at(-1)).toMatchObject({ kind: 'end', reason: 'ended_by_agent' });
  });

  it('names what the agent answers, books and says today', async () => {
    const recording = await oneCall();
    const changes = { greeting: 'Good day!', table: 5, lines: ['One moment.', 'Or two.'] };
    const { differences, today } = await replay(recording, appModule(changes));
    expect(differences).toEqual([
      { about: 'accept', where: 'answer 1, greeting', recorded: 'Hello!', today: 'Good day!' },
      { about: 'result', where: 'result 1 (bookTable), result, table', recorded: 4, today: 5 },
      { about: 'command', where: 'say 2, text', recorded: 'One moment.', today: 'Or two.' },
      { about: 'command', where: 'say 3', recorded: undefined, today: { text: 'One moment.' } },
      { about: 'command', where: 'say 4', recorded: undefined, today: { text: 'Or two.' } },
    ]);
    expect((await replay(today, appModule(changes))).differences).toEqual([]);
  });

  it('names what is not there any more, and tools that changed', async () => {
    @VoiceAgent({ name: 'luigi' })
    class OtherAgent {
      @Tool('Takes a payment.')
      pay(@Arg('card') card: string): string {
        return card;
      }
    }
    const recording = await oneCall();
    const { differences } = await replay(recording, Test.createTestingModule({ agents: [OtherAgent] }));
    const where = differences.map((difference) => difference.where);
    expect(where).toEqual(
      expect.arrayContaining([
        'answer 1, greeting',
        'answer 1, resume',
        'answer 1, tool bookTable',
        'result 1 (bookTable), result',
        'result 1 (bookTable), error',
        'say 1',
        'end 1',
      ]),
    );
    expect(formatDifferences(differences)).toContain('  - {"say":"Goodbye!"}\n  + (nothing)');
  });

  it('skips a tool call whose arguments were not recorded, unless they are given', async () => {
    const recording = await record(async (app) => {
      const call = await app.call();
      await call.tool('pay', { card: '4111111111111111' });
      await call.hangUp();
    });
    expect(JSON.stringify(recording)).not.toContain('4111');
    const without = await replay(recording, appModule());
    expect(without).toMatchObject({ differences: [], skipped: ['pay (call 1): card'] });
    const values = { 'pay.card': '4242424242424242' };
    expect(await replay(recording, appModule(), { values })).toMatchObject({ differences: [], skipped: [] });
  });

  it('goes through lost links as the call did', async () => {
    const recording = await record(async (app) => {
      const call = await app.call();
      const booking = call.tool('bookTable', { guests: 3 });
      call.cut();
      await call.resume();
      await booking;
      await app.clock.advance(2_000);
      await call.user('hello');
      await call.hangUp();
    });
    expect(recording.entries.filter(({ kind }) => kind === 'link')).toHaveLength(2);
    const { differences } = await replay(recording, appModule());
    expect(formatDifferences(differences)).toBe('');
  });

  it('tells of an application that does not take the call', async () => {
    const recording = await oneCall();
    @VoiceAgent({ name: 'other' })
    class A {}
    @VoiceAgent({ name: 'another' })
    class B {}
    const { differences } = await replay(recording, Test.createTestingModule({ agents: [A, B] }));
    expect(differences[0]).toMatchObject({ about: 'accept', where: 'answer 1', today: undefined });
  });

  it('tells how far it is', async () => {
    const recording = await oneCall();
    const heard: number[] = [];
    await replay(recording, appModule(), { onProgress: (played, total) => heard.push(played / total) });
    expect(heard).toHaveLength(recording.entries.length);
    expect(heard.at(-1)).toBe(1);
  });
});

describe('a recording', () => {
  it('is read as it was written', async () => {
    const recording = await oneCall();
    const cut = { kind: 'cut', atMs: 9, reason: 'the recording is too long' } as const;
    const whole = {
      ...recording,
      entries: [...recording.entries, cut, { kind: 'end', atMs: 9, reason: undefined }],
    } as const;
    expect(parseRecording(formatRecording(whole))).toEqual(whole);
  });

  it.each([
    ['', 'line 1'],
    ['{"recording":2}', 'begins with {"recording":1'],
    ['{"recording":1,"callId":"x","agent":"y","startedAt":"z"}', 'callId, agent and startedAt'],
    ['HEAD\nx', 'line 2'],
    ['HEAD\n{"atMs":-1,"end":"x"}', 'no atMs'],
    ['HEAD\n{"atMs":1,"server":5}', 'line 2'],
  ])('%j is refused, with the line and the reason', (text, reason) => {
    const head = '{"recording":1,"callId":"x","agent":"y","startedAt":"2026-01-01T00:00:00.000Z"}';
    expect(() => parseRecording(text.replace('HEAD', head), 'a.jsonl')).toThrow(reason);
  });
});
