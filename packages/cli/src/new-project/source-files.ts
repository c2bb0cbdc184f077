import type { ProjectChoices } from './choices';

/** The program of a new project: an agent with two tools, its service, its DTO and its test. */
export function sourceFiles({ name }: ProjectChoices): readonly (readonly [path: string, text: string])[] {
  return [
    ['src/main.ts', MAIN],
    ['src/app.module.ts', MODULE],
    ['src/desk.agent.ts', AGENT.replaceAll('PROJECT', name)],
    ['src/desk.agent.test.ts', TEST],
    ['src/table-wish.dto.ts', DTO],
    ['src/bookings.service.ts', SERVICE],
    ['scenarios/a-table-for-two.yaml', SCENARIO],
    ['README.md', README.replaceAll('PROJECT', name)],
  ];
}

const MAIN = `// 'callwright' comes first: the types of decorated classes are kept only for files that load after it.
import { bootstrap } from 'callwright';
import { AppModule } from './app.module';

void bootstrap(AppModule);
`;

const MODULE = `import { Module } from 'callwright';
import { Bookings } from './bookings.service';
import { DeskAgent } from './desk.agent';

@Module({ providers: [Bookings], agents: [DeskAgent] })
export class AppModule {}
`;

const AGENT = `import { Arg, Call, OnEvent, Tool, ToolContext, UserText, VoiceAgent } from 'callwright';
import { Bookings } from './bookings.service';
import { TableWish } from './table-wish.dto';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** Answers the phone. Every call has its own instance. */
@VoiceAgent({
  name: 'PROJECT',
  systemPrompt: 'You answer the phone of a small restaurant. Be brief and warm.',
  greeting: 'Good evening! How can I help you?',
})
export class DeskAgent {
  constructor(
    private readonly call: Call,
    private readonly bookings: Bookings,
  ) {}

  @Tool('Opening hours on a weekday.')
  openingHours(@Arg('day', { enum: WEEKDAYS }) day: Weekday): string {
    return day === 'monday' ? 'closed' : 'from six to eleven';
  }

  @Tool({ description: 'Books a table.', kind: 'side_effect', confirm: true })
  bookTable(wish: TableWish, tool: ToolContext): string {
    return this.bookings.book(wish, tool.idempotencyKey);
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    if (/\\b(good)?bye\\b/i.test(event.text)) await this.call.end({ say: 'Goodbye!' });
  }
}
`;

const DTO = `import { Describe } from 'callwright';
import { IsDate, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';

/** What the model must know to book: its schema is made from these decorators, and its arguments are checked by them. */
export class TableWish {
  @Describe('Date and time of the visit')
  @IsDate()
  time!: Date;

  @IsInt()
  @Min(1)
  @Max(12)
  partySize: number = 2;

  @IsString()
  @MaxLength(80)
  guest!: string;
}
`;

const SERVICE = `import { Injectable, ToolError } from 'callwright';
import { TableWish } from './table-wish.dto';

/** The book of reservations, in memory. */
@Injectable()
export class Bookings {
  readonly #byKey = new Map<string, TableWish>();

  /** The key is the same when the same request comes again. */
  book(wish: TableWish, key: string): string {
    if (wish.partySize > 8) throw new ToolError('no table is that large'); // the model reads this
    this.#byKey.set(key, wish);
    return \`a table for \${wish.partySize}, reservation \${this.#byKey.size}\`;
  }
}
`;

const TEST = `import { rules, Test, type TestApplication, when } from '@callwright/testing';
import { AppModule } from './app.module';

describe('the desk', () => {
  let app: TestApplication;

  beforeEach(async () => {
    app = await Test.createTestingModule({ imports: [AppModule] }).createApplication();
  });

  afterEach(() => app.close());

  it('knows the opening hours', async () => {
    const call = await app.call();
    await expect(call.tool('openingHours', { day: 'monday' })).resolves.toMatchObject({ value: 'closed' });
    await call.hangUp();
  });

  it('books only after the caller said yes', async () => {
    const brain = rules([
      when(/table for (\\d)/)
        .call('bookTable', (match) => ({
          time: '2030-06-01T19:30:00+02:00',
          partySize: Number(match[1]),
          guest: 'Ada',
        }))
        .say('Shall I book it?'),
      when(/yes/).confirm().say('It is booked.'),
    ]);
    const call = await app.call({ brain });
    await call.user('a table for 4, please');
    await call.user('yes');
    expect(call).toHaveConfirmedBeforeRunning('bookTable');
    expect(call).toHaveSaid('It is booked.');
    await call.hangUp();
  });

  it('ends the call when the caller says goodbye', async () => {
    const call = await app.call({ brain: rules([when(/bye/).say('See you!')]) });
    await call.user('Thank you, goodbye!');
    await expect(call.ended).resolves.toBe('ended_by_agent');
    expect(call).toHaveSaid('Goodbye!');
  });
});
`;

const SCENARIO = `name: A table for two
rules:
  - when: /table for (\\d+)/
    call: { bookTable: { time: 2030-06-01T19:30:00+02:00, partySize: $1:number, guest: Ada } }
    say: Shall I book for $1?
  - { when: /yes/, confirm: true, say: It is booked. }
steps:
  - untilSilent
  - user: A table for 2, please.
    said: for 2
  - user: "yes"
    said: booked
  - hangUp
expect:
  ranOnce: { bookTable: { partySize: 2 } }
  confirmedBeforeRunning: bookTable
`;

const README = `# PROJECT

An agent for live voice calls, made with Callwright.

| | |
|---|---|
| \`npm run console\` | talk to the agent in this terminal: no voice server, no key |
| \`npm test\` | the tests |
| \`npm run scenarios\` | calls written down in \`scenarios\`, played |
| \`npm run dev\` | serve it on ws://127.0.0.1:8765 and reload when a file is saved |
| \`npm run inspect\` | agents, tools and what is wrong with them |
| \`npm run build\`, \`npm start\` | what production runs |

In the console, call a tool with \`/tool openingHours {"day":"monday"}\`. Then change \`openingHours\` in \`src/desk.agent.ts\`, and ask again.
`;
