import { Arg, BotText, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import { recordedBrain, recordedWords } from './recorded-brain';
import { parseRecording, type Recording } from './recording';
import { rules } from './rules';
import { when } from './step';
import { Test } from './testing-module';

@VoiceAgent({ name: 'desk', greeting: 'Hello!' })
class DeskAgent {
  @Tool('Opening hours.')
  hours(@Arg('day') day: string): string {
    return `${day}: nine to five`;
  }

  @Tool({ description: 'Books.', kind: 'side_effect', confirm: true })
  book(@Arg('day') day: string): string {
    return `booked ${day}`;
  }

  @OnEvent(UserText)
  heard(_event: UserText): void {}

  @OnEvent(BotText)
  spoke(_event: BotText): void {}
}

async function recordedCall(): Promise<Recording> {
  const lines: string[] = [];
  const record = { open: () => ({ write: (line: string) => void lines.push(line), close: () => undefined }) };
  const application = await Test.createTestingModule({ agents: [DeskAgent] }).createApplication({ record });
  const call = await application.call({
    brain: rules([
      when(/open/).call('hours', { day: 'friday' }).say('From nine to five.'),
      when(/book/).call('book', { day: 'friday' }).say('Shall I?'),
      when(/yes/).confirm().say('Done.'),
    ]),
  });
  for (const words of ['When do you open?', 'Please book.', 'yes']) await call.user(words);
  await call.hangUp();
  await application.close();
  return parseRecording(lines.join('\n'));
}

describe('the brain of a recorded call', () => {
  it('asks for the same tools, confirms what was confirmed, and says the same', async () => {
    const recording = await recordedCall();
    expect(recordedWords(recording)).toEqual(['When do you open?', 'Please book.', 'yes']);
    const brain = recordedBrain(recording);
    const application = await Test.createTestingModule({ agents: [DeskAgent] }).createApplication();
    const call = await application.call({ brain });
    const turns = [];
    for (const words of recordedWords(recording)) turns.push(await call.user(words));
    await application.close();
    expect(turns.map(({ said }) => said)).toEqual(['From nine to five.', 'Shall I?', 'Done.']);
    expect(
      turns.map(({ outcomes }) => outcomes.map(({ name, status, text }) => [name, status, text])),
    ).toEqual([
      [['hours', 'ok', 'friday: nine to five']],
      [['book', 'confirmation_required', expect.any(String)]],
      [[expect.any(String), 'ok', 'booked friday']],
    ]);
    expect(brain.remaining).toEqual([]);
  });

  it('says where words are missing', () => {
    const recording: Recording = {
      callId: 'x',
      agent: 'desk',
      startedAt: '2026-01-01T00:00:00Z',
      entries: [
        {
          kind: 'frame',
          atMs: 0,
          from: 'server',
          frame: { type: 'tool.call', name: 'hours', epoch: 1, arguments: {} },
        },
      ],
    };
    expect(() => recordedBrain(recording)).toThrow('not subscribed');
  });
});
