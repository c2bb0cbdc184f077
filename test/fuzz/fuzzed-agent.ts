import {
  Arg,
  BotText,
  Call,
  CallEnd,
  DeclineCall,
  EventsLost,
  Module,
  OnEvent,
  Tool,
  ToolContext,
  ToolError,
  UserText,
  VoiceAgent,
  VoiceServerError,
} from 'callwright';

/** An agent with every kind of user code: quick, slow, failing, talking back. It counts what a test may want to know. */
@VoiceAgent({ name: 'luigi', default: true, events: 'all', resume: true, systemPrompt: 'You are the host.' })
export class FuzzedAgent {
  /** How many ended, of all calls. */
  static ended = 0;
  #heard = 0;

  constructor(private readonly call: Call) {}

  async onCallStart(): Promise<undefined> {
    if (this.call.sessionId.startsWith('decline')) throw new DeclineCall('busy', 'not today');
    if (this.call.sessionId.startsWith('late')) await Promise.resolve();
    return undefined;
  }

  @Tool({ description: 'Books a table.', kind: 'side_effect', name: 'book' })
  async book(@Arg('party_size', { type: 'integer', min: 1, max: 12 }) partySize: number): Promise<object> {
    await Promise.resolve();
    return { partySize };
  }

  @Tool('Opening hours.')
  hours(): string {
    return 'nine to five';
  }

  @Tool('Takes as long as it is let.')
  slow(tool: ToolContext): Promise<string> {
    return new Promise((_resolve, reject) => {
      tool.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
  }

  @Tool('Gives a name back.')
  echo(@Arg('name', { maxLength: 80 }) name: string): string {
    if (name === '') throw new ToolError('whose name?');
    return name;
  }

  @Tool('Fails.')
  broken(): never {
    throw new RangeError('of no interest to a model');
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    this.#heard += 1;
    if (event.text.length % 7 === 0) await this.call.say('One moment.').catch(() => undefined);
  }

  @OnEvent(BotText)
  spoke(event: BotText): void {
    if (event.text === '') throw new Error('silence');
  }

  @OnEvent(EventsLost)
  lost(event: EventsLost): void {
    this.#heard += event.count;
  }

  @OnEvent(VoiceServerError)
  failed(): void {
    void this.call.updateContext({ systemPrompt: `Heard ${this.#heard}.`, wait: false });
  }

  onCallEnd(_end: CallEnd): void {
    FuzzedAgent.ended += 1;
  }
}

@Module({ agents: [FuzzedAgent] })
export class FuzzedModule {}
