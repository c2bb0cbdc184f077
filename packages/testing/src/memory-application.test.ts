import { Arg, CallEnd, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import { Module } from '@callwright/di';
import { createApplication } from '@callwright/gateway';
import { FakeVoiceServer, type FakeVoiceServerOptions } from './fake-voice-server';
import { applicationTransport } from './memory-application';
import { rules } from './rules';
import { when } from './step';
import { VirtualClock } from './virtual-clock';

const heard: string[] = [];

@VoiceAgent({ name: 'default', greeting: 'Hello!', resume: true })
class DeskAgent {
  @Tool('The hours.')
  hours(): string {
    return 'nine to five';
  }

  @OnEvent(UserText)
  heard(event: UserText): void {
    heard.push(event.text);
  }

  onCallEnd(end: CallEnd): void {
    heard.push(end.reason);
  }
}

@Module({ agents: [DeskAgent] })
class DeskModule {}

async function desk(options: Partial<FakeVoiceServerOptions> = {}) {
  heard.length = 0;
  const clock = new VirtualClock();
  const application = await createApplication(DeskModule, { clock, log: { level: 'fatal' } });
  const transport = applicationTransport(application, { clock });
  const brain = rules([when(/hours/).call('hours').say('From nine to five.'), when(/./).say('Yes.')]);
  return { clock, application, server: new FakeVoiceServer({ transport, clock, brain, ...options }) };
}

test('a call runs against an application in the process, on a clock that stands still', async () => {
  const { clock, application, server } = await desk();
  const call = await clock.runUntil(server.call());
  await clock.runUntil(call.user('the hours, please'));
  expect(JSON.stringify(call.transcript)).toContain('nine to five');
  await clock.runUntil(call.hangUp());
  await clock.runUntil(application.close());
  expect(heard).toEqual(['the hours, please', 'call_ended']);
  expect(clock.pendingTimerCount).toBe(0);
});

test('a call whose link was cut is resumed', async () => {
  const { clock, application, server } = await desk();
  const call = await clock.runUntil(server.call());
  call.cut();
  await clock.advance(1_000);
  await clock.runUntil(call.user('still here'));
  await clock.runUntil(call.hangUp());
  await clock.runUntil(application.close());
  expect(heard).toEqual(['still here', 'call_ended']);
});

test('an application that was closed takes no calls', async () => {
  const { clock, application, server } = await desk();
  await clock.runUntil(application.close());
  await expect(clock.runUntil(server.call())).rejects.toThrow('takes no calls');
});

test('a link over which nothing passes is cut, also when its other end never answers', async () => {
  const { clock, application, server } = await desk();
  const call = await clock.runUntil(server.call());
  call.silence();
  await clock.runUntil(application.close());
  await clock.advance(5_000);
  expect(heard).toEqual(['shutdown']);
  expect(application.callCount).toBe(0);
});

test('an answer arrives whole, whatever the length of its frame', async () => {
  const long = 'x'.repeat(60_000);
  @VoiceAgent({ name: 'lengths' })
  class LengthsAgent {
    @Tool('Texts of three lengths.')
    text(@Arg('length', { type: 'integer' }) length: number): string {
      return long.slice(0, length);
    }
  }
  @Module({ agents: [LengthsAgent] })
  class LengthsModule {}
  const clock = new VirtualClock();
  const application = await createApplication(LengthsModule, { clock, log: { level: 'fatal' } });
  const transport = applicationTransport(application, { clock });
  const server = new FakeVoiceServer({ transport, clock, brain: rules([]) });
  const call = await clock.runUntil(server.call());
  for (const length of [1, 83, 84, 85, 300, 32_000]) {
    const outcome = await clock.runUntil(call.tool('text', { length }));
    expect(outcome.value).toBe(long.slice(0, length));
  }
  await clock.runUntil(application.close());
});
