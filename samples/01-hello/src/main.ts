import { Arg, bootstrap, Call, Module, OnEvent, Tool, UserText, VoiceAgent } from 'callwright';

@VoiceAgent({
  name: 'hello',
  systemPrompt: 'You add numbers for the caller.',
  greeting: 'Hello! Which numbers shall I add?',
})
export class HelloAgent {
  constructor(private readonly call: Call) {}

  @Tool('Adds two numbers.')
  add(@Arg('a') a: number, @Arg('b') b: number): number {
    return a + b;
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    if (/\b(good)?bye\b/i.test(event.text)) await this.call.end({ say: 'Goodbye!' });
  }
}

@Module({ agents: [HelloAgent] })
export class HelloModule {}

if (require.main === module) void bootstrap(HelloModule);
