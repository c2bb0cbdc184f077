import {
  type Brain,
  type FakeCall,
  FakeVoiceServer,
  type ModelReply,
  memoryTransport,
  VirtualClock,
} from '.';
import realServer from './fixtures/real-server.json';
import { TinyAgent, tool } from './tiny-agent.test-support';

/**
 * The fixture has what the real voice server (0.1.3) wrote when it was driven through these scenarios: one line per message, events and
 * control messages apart, for their order between each other is a race there. Left out are the words of the bot, which the real server
 * cuts in its own way, and `bot.tts_stopped`, whose place changes from run to run.
 */

type Scenario = keyof typeof realServer;

const CONTROLS: ReadonlySet<string> = new Set(['tool.call', 'tool.cancel', 'command.result', 'error']);
const LEFT_OUT: ReadonlySet<string> = new Set(['bot.tts_stopped', 'bot.text', 'bot.tts_text']);

const calls = (name: string, args: Readonly<Record<string, unknown>> = {}): ModelReply => ({
  calls: [{ name, args }],
});
const say = (text: string): ModelReply => ({ say: text });
const CONFIRM = 'confirm';

class Stage {
  readonly clock = new VirtualClock();
  readonly agent: TinyAgent;
  readonly #replies: (ModelReply | typeof CONFIRM)[] = [];

  constructor() {
    const tools = [
      tool('lookup'),
      tool('state'),
      tool('act', { timeout_ms: 30_000 }),
      tool('slow_lookup', { timeout_ms: 10_000, filler_after_ms: 0 }),
      tool('book', { kind: 'side_effect' }),
      tool('slow_book', { kind: 'side_effect', timeout_ms: 2_000, filler_after_ms: 0 }),
      tool('pay', { kind: 'side_effect', confirm: true }),
      tool('press', { kind: 'side_effect', repeatable: true }),
    ];
    const soon = (): string => 'done';
    const later = (args: Readonly<Record<string, unknown>>): Promise<string> =>
      new Promise((resolve) => this.clock.setTimer(() => resolve('done'), Number(args.ms)));
    const close = (): string => {
      this.clock.setTimer(() => this.agent.connection.close(1000, ''), 20);
      return 'done';
    };
    const run = {
      lookup: soon,
      state: soon,
      act: close,
      book: soon,
      pay: soon,
      press: soon,
      slow_lookup: later,
      slow_book: later,
    };
    this.agent = new TinyAgent({ tools, run, greeting: 'Hello from the agent.', resume: true });
    this.agent.onMessage((message) => {
      if (message.type !== 'user.text' || message.text !== 'bye') return;
      this.agent.send({ type: 'end', id: 'c1', say: 'Goodbye.', reason: 'caller left' });
    });
  }

  async call(): Promise<FakeCall> {
    const brain: Brain = {
      startCall: () => ({
        respond: ({ pendingConfirmation }) => {
          const reply = this.#replies.shift() ?? say('Okay.');
          return reply === CONFIRM ? calls('confirm_pending', { call_id: pendingConfirmation ?? '' }) : reply;
        },
      }),
    };
    const transport = memoryTransport(this.agent.accept, { clock: this.clock });
    const server = new FakeVoiceServer({
      transport,
      brain,
      clock: this.clock,
      speechMsPerCharacter: 5,
      strict: false,
    });
    const call = await server.call();
    await this.clock.runUntil(call.untilSilent());
    return call;
  }

  async ask(call: FakeCall, text: string, ...replies: (ModelReply | typeof CONFIRM)[]): Promise<void> {
    await this.clock.runUntil(this.begin(call, text, ...replies));
  }

  begin(call: FakeCall, text: string, ...replies: (ModelReply | typeof CONFIRM)[]): Promise<unknown> {
    this.#replies.push(...replies);
    return call.user(text);
  }

  async bye(call: FakeCall): Promise<void> {
    void this.begin(call, 'bye', say('So long.'));
    await this.clock.runUntil(call.ended);
  }
}

const scenarios: Readonly<Record<Scenario, (stage: Stage, call: FakeCall) => Promise<void>>> = {
  basic: async (stage, call) => {
    await stage.ask(call, 'what is blue', calls('lookup', { key: 'blue' }), say('Here it is.'));
    await stage.ask(call, 'what do you know', calls('state'), say('Known.'));
    await stage.bye(call);
  },
  confirm: async (stage, call) => {
    await stage.ask(call, 'pay 5', calls('pay', { amount: 5 }), CONFIRM, say('Shall I pay 5?'));
    await stage.ask(call, 'yes', CONFIRM, say('Paid.'));
    await stage.ask(call, 'again', CONFIRM, say('No.'));
    await call.hangUp();
  },
  repeat: async (stage, call) => {
    const book = (name: string): ModelReply => calls('book', { name });
    await stage.ask(call, 'book', book('Ann'), book('Ann'), say('Booked.'));
    await stage.ask(call, 'book other', book('Ben'), book('Cid'), say('Booked.'));
    await stage.ask(call, 'book again', book('Ann'), say('Booked.'));
    const press = calls('press', { digit: '1' });
    await stage.ask(call, 'press', press, press, say('Pressed.'));
    const read = calls('lookup', { key: 'a' });
    await stage.ask(call, 'read twice', read, read, say('Read.'));
    await call.hangUp();
  },
  bargein: async (stage, call) => {
    void stage.begin(call, 'slow one', calls('slow_lookup', { ms: 4_000 }));
    await stage.clock.advance(200);
    await stage.ask(call, 'never mind', say('What else?'));
    await stage.ask(call, 'state', calls('state'), say('Ok.'));
    void stage.begin(call, 'book slowly', calls('slow_book', { name: 'Dan', ms: 1_200 }));
    await stage.clock.advance(200);
    await stage.ask(call, 'are you there', say('Go on.'));
    await stage.clock.advance(1_100);
    await stage.ask(call, 'and now', say('Done.'));
    await stage.ask(call, 'book slowly again', calls('slow_book', { name: 'Dan', ms: 1_200 }), say('Hm.'));
    void stage.begin(call, 'talk', say('A long answer that takes time. '.repeat(12)));
    await stage.clock.advance(300);
    await stage.ask(call, 'stop', say('Yes?'));
    await call.hangUp();
  },
  resume: async (stage, call) => {
    const { clock } = stage;
    await stage.ask(call, 'remember me', say('I will.'));
    const booking = stage.begin(call, 'book', calls('slow_book', { name: 'Gus', ms: 1_000 }), say('Hm.'));
    await clock.settle();
    call.cut();
    await clock.runUntil(Promise.all([booking, call.resume()]));
    await clock.advance(100);
    await stage.ask(call, 'what do you know', calls('state'), say('Ok.'));
    call.refuseDials(2);
    call.cut();
    await stage.ask(call, 'anyone there', say('Alone.'));
    await clock.runUntil(call.resume());
    await clock.advance(100);
    await stage.ask(call, 'back again', say('Good.'));
    await stage.ask(call, 'what do you know now', calls('state'), say('Ok.'));
    await stage.ask(call, 'close', calls('act', { command: 'close', args: '{}' }), say('Done.'));
    await clock.runUntil(call.resume());
    await clock.advance(100);
    await stage.bye(call);
  },
};

describe('the fake and the real voice server write the same', () => {
  it.each(Object.keys(scenarios) as Scenario[])('in the scenario %s', async (name) => {
    const stage = new Stage();
    const call = await stage.call();
    await scenarios[name](stage, call);
    const lines = call.frames
      .filter(({ from, type }) => from === 'server' && !LEFT_OUT.has(type))
      .map(({ type, text }) => ({ type, line: lineOf(JSON.parse(text)) }));
    const controls = lines.filter(({ type }) => CONTROLS.has(type)).map(({ line }) => line);
    const events = lines.filter(({ type }) => !CONTROLS.has(type)).map(({ line }) => line);
    expect(controls).toEqual(realServer[name].controls);
    expect(events).toEqual(realServer[name].events);
  });
});

/** The lines of the fixture. `any`: a frame as it was on the wire. */
function lineOf(message: any): string {
  const { type, epoch } = message;
  const parts: Readonly<Record<string, () => string>> = {
    'tool.call': () => ` ${message.call_id} ${message.name} ${sorted(message.arguments)}`,
    'tool.cancel': () => ` ${message.id} ${message.reason}`,
    'command.result': () => ` ${message.id} ${message.ok ? 'ok' : message.error.code}`,
    'user.text': () => ` ${message.text}`,
    'events.lost': () => ` ${message.count}`,
    'session.end': () => ` ${message.reason}`,
    'session.usage': () => ` turns ${message.turns} interrupted ${message.interrupted_turns}`,
    'session.start': () =>
      message.resume === undefined
        ? ''
        : ` attempt ${message.resume.attempt} burned ${message.seq - message.resume.previous_seq}`,
  };
  return `${type}${epoch === undefined ? '' : ` epoch ${epoch}`}${parts[type]?.() ?? ''}`;
}

function sorted(args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(args).sort(([left], [right]) => (left < right ? -1 : 1))),
  );
}
