import { setTimeout as sleep } from 'node:timers/promises';
import {
  Arg,
  Call,
  CallResumed,
  type CallStart,
  DeclineCall,
  EventsLost,
  OnEvent,
  Tool,
  ToolContext,
  ToolError,
  UserText,
  VoiceAgent,
} from 'callwright';
import { act, type Outcome } from './acts';

const noteLength = 80;

/**
 * The agent that the scenarios of the real voice server expect: its tools, their kinds and timeouts, and two
 * agent names that mean something to it.
 */
@VoiceAgent({
  name: 'conformance',
  default: true,
  systemPrompt: 'You are the conformance agent.',
  context: [{ role: 'system', text: 'Context note one.' }],
  greeting: 'Hello from the agent.',
  events: 'all',
  resume: true,
})
export class ConformanceAgent {
  private readonly notes: string[] = [];
  private readonly cancelled: [string, string][] = [];
  private lost = 0;
  private resumed = 0;
  private booked = 0;
  private pressed = 0;

  constructor(private readonly call: Call) {}

  async onCallStart(start: CallStart): Promise<undefined> {
    if (start.agentName === 'reject-me') throw new DeclineCall('busy', 'not today');
    if (start.agentName === 'slow-start') await sleep(1_000);
    return undefined;
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    this.notes.push(event.text.slice(0, noteLength));
    if (event.text === 'bye') await this.call.end({ say: 'Goodbye.', reason: 'caller left' });
  }

  @OnEvent(EventsLost)
  missed(event: EventsLost): void {
    this.lost += event.count;
  }

  @OnEvent(CallResumed)
  cameBack(): void {
    this.resumed += 1;
  }

  @Tool('Look a key up.')
  lookup(@Arg('key') key: string): object {
    return { key, value: `value of ${key}` };
  }

  @Tool({
    description: 'A slow look-up.',
    kind: 'read_only',
    name: 'slow_lookup',
    timeoutMs: 10_000,
    fillerAfterMs: 0,
  })
  async slowLookup(@Arg('ms') ms: number, tool: ToolContext): Promise<string> {
    await this.wait(ms, tool);
    return `slow done ${ms}`;
  }

  @Tool({
    description: 'A look-up with a short timeout.',
    kind: 'read_only',
    name: 'short_lookup',
    timeoutMs: 300,
    fillerAfterMs: 0,
  })
  async shortLookup(@Arg('ms') ms: number, tool: ToolContext): Promise<string> {
    await this.wait(ms, tool);
    return `short done ${ms}`;
  }

  @Tool({ description: 'Book a table.', kind: 'side_effect' })
  book(@Arg('name') name: string, tool: ToolContext): string {
    this.booked += 1;
    return `booked ${name} #${this.booked} key=${tool.wireKey}`;
  }

  @Tool({
    description: 'Book slowly.',
    kind: 'side_effect',
    name: 'slow_book',
    timeoutMs: 2_000,
    fillerAfterMs: 0,
  })
  async slowBook(@Arg('name') name: string, @Arg('ms') ms: number, tool: ToolContext): Promise<string> {
    await this.wait(ms, tool);
    this.booked += 1;
    return `slowly booked ${name}`;
  }

  @Tool({
    description: 'Book with a short timeout.',
    kind: 'side_effect',
    name: 'quick_book',
    timeoutMs: 300,
    fillerAfterMs: 0,
  })
  async quickBook(@Arg('name') name: string, @Arg('ms') ms: number, tool: ToolContext): Promise<string> {
    await this.wait(ms, tool);
    this.booked += 1;
    return `quickly booked ${name}`;
  }

  @Tool({ description: 'Pay an amount.', kind: 'side_effect', confirm: true })
  pay(@Arg('amount') amount: number): string {
    return `paid ${amount}`;
  }

  @Tool({ description: 'Press a digit.', kind: 'side_effect', repeatable: true })
  press(@Arg('digit') digit: string): string {
    this.pressed += 1;
    return `pressed ${digit} #${this.pressed}`;
  }

  @Tool('Fail with a message.')
  fail(@Arg('message') message: string): string {
    throw new ToolError(message);
  }

  @Tool('Crash.')
  crash(): string {
    throw new Error('secret detail');
  }

  @Tool('A big result.')
  big(@Arg('bytes') bytes: number): string {
    return 'x'.repeat(bytes);
  }

  @Tool('The state of this call.')
  state(): object {
    const { notes, lost, resumed, booked, pressed, cancelled } = this;
    const { sessionId: session, resumeCount: resumes } = this.call;
    return { session, resumes, notes, lost, resumed, booked, pressed, cancelled };
  }

  @Tool({
    description: 'Send a command; the result is its outcome.',
    kind: 'read_only',
    timeoutMs: 30_000,
    fillerAfterMs: 0,
  })
  act(@Arg('command') command: string, @Arg('args') args: string): Promise<Outcome> {
    return act(this.call, command, JSON.parse(args));
  }

  /** Waits, and notes a cancellation: a read stops at once, a side effect goes on and only hears of it. */
  private async wait(ms: number, tool: ToolContext): Promise<void> {
    try {
      await sleep(ms, undefined, { signal: tool.signal });
    } finally {
      if (tool.cancelRequested !== undefined) this.cancelled.push([tool.name, tool.cancelRequested]);
    }
  }
}
