import { Arg, Call, CLOCK, type Clock, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import { Inject } from '@callwright/di';
import fc from 'fast-check';
import {
  type FakeCall,
  formatDifferences,
  parseRecording,
  replay,
  rules,
  Test,
  type TestApplication,
  when,
} from '.';

@VoiceAgent({ name: 'desk', greeting: 'Hello!', resume: true })
class DeskAgent {
  constructor(
    private readonly call: Call,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Tool('Says it back after a while.')
  async read(@Arg('ms', { type: 'integer' }) ms: number): Promise<string> {
    await this.#wait(ms);
    return `read ${ms}`;
  }

  @Tool({ description: 'Does it after a while.', kind: 'side_effect' })
  async write(@Arg('ms', { type: 'integer' }) ms: number): Promise<string> {
    await this.#wait(ms);
    return `written ${ms}`;
  }

  @OnEvent(UserText)
  async heard({ text }: UserText): Promise<void> {
    if (text.includes('twice')) {
      await this.call.say('One.');
      await this.call.say('Two.');
    }
    if (text.includes('less')) await this.call.setTools(['read']);
    if (text.includes('bye')) await this.call.end({ say: 'Goodbye!' });
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.setTimer(resolve, ms + BETWEEN_FRAMES_MS));
  }
}

const desk = Test.createTestingModule({ agents: [DeskAgent] });
const brain = rules([
  when(/read (\d+)/)
    .call('read', (match) => ({ ms: Number(match[1]) }))
    .say('Read.'),
  when(/write (\d+)/)
    .call('write', (match) => ({ ms: Number(match[1]) }))
    .say('Written.'),
  when(/./).say('Yes, that is so.'),
]);

type Action = (call: FakeCall, app: TestApplication) => unknown;

const duration = fc.nat({ max: 6_000 });
/** What is due at the very time of a frame may come before or after it, and a recording does not say. */
const BETWEEN_FRAMES_MS = 0.5;
/** Named, so that a failure can be read. */
const action = fc.oneof(
  fc.constantFrom('hello', 'say it twice', 'less of it', 'bye').map((text) => ({
    name: `user ${text}`,
    run: ((call) => call.user(text)) satisfies Action,
  })),
  fc.tuple(fc.constantFrom('read', 'write'), duration).map(([tool, ms]) => ({
    name: `user ${tool} ${ms}`,
    run: ((call) => call.user(`${tool} ${ms}`)) satisfies Action,
  })),
  fc.tuple(fc.constantFrom('read', 'write'), duration).map(([tool, ms]) => ({
    name: `begin ${tool} ${ms}`,
    run: ((call) => void call.tool(tool, { ms }).catch(() => undefined)) satisfies Action,
  })),
  duration.map((ms) => ({
    name: `wait ${ms}`,
    run: ((_call, app) => app.clock.advance(ms)) satisfies Action,
  })),
  fc.constant({
    name: 'cut and resume',
    run: (async (call) => {
      call.cut();
      await call.resume().catch(() => undefined); // a call that is ending is not taken up again
    }) satisfies Action,
  }),
  fc.constant({ name: 'duplicate', run: ((call) => call.duplicateNext('tool.call')) satisfies Action }),
);

it('a replay of any recorded call against the same code finds no difference', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (actions, speaks) => {
        const lines: string[] = [];
        const record = {
          open: () => ({ write: (line: string) => void lines.push(line), close: () => undefined }),
        };
        const voiceServer = { brain, speechMsPerCharacter: speaks ? 30 : 0 };
        const app = await desk.createApplication({ record, voiceServer });
        const call = await app.call({ from: '+390612345678' });
        for (const { run } of actions) {
          if (call.endReason === undefined) await run(call, app);
        }
        if (call.endReason === undefined) await call.hangUp();
        await app.clock.advance(70_000);
        await app.close();
        const { differences, skipped } = await replay(parseRecording(lines.join('\n')), desk);
        if (differences.length > 0) {
          throw new Error(`${actions.map(({ name }) => name).join(', ')}\n${formatDifferences(differences)}`);
        }
        expect(skipped).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});
