import {
  BotLlmStarted,
  BotLlmStopped,
  BotText,
  BotTtsStopped,
  BotTtsText,
  type CallEvent,
  CallUsage,
  EVENT_CLASSES,
  EventsLost,
  LanguageSwitched,
  TurnBotEnded,
  TurnBotStarted,
  TurnInterrupted,
  TurnMetrics,
  TurnUserEnded,
  TurnUserStarted,
  UserText,
  UserTranscript,
  VoiceServerError,
} from '@callwright/core';
import { parseServerMessage } from '@callwright/protocol';
import { type EventMessage, eventOf } from './events';

const usage = {
  llm: {
    provider: 'p',
    model: 'm',
    input_tokens: 1,
    cached_input_tokens: 2,
    output_tokens: 3,
    responses_without_usage: 4,
  },
  stt: { provider: 'p', model: 'm', audio_seconds: 5.5 },
  tts: { provider: 'p', model: 'm', characters: 6 },
};

const cases: readonly [Readonly<Record<string, unknown>>, CallEvent][] = [
  [{ type: 'turn.user_started', epoch: 1 }, new TurnUserStarted(1)],
  [{ type: 'turn.user_ended', epoch: 1 }, new TurnUserEnded(1)],
  [{ type: 'turn.bot_started', epoch: 1 }, new TurnBotStarted(1)],
  [{ type: 'turn.bot_ended', epoch: 1 }, new TurnBotEnded(1)],
  [{ type: 'turn.interrupted', epoch: 2 }, new TurnInterrupted(2)],
  [
    {
      type: 'turn.metrics',
      epoch: 1,
      metrics: { end_of_turn_ms: 1, stt_final_ms: 2, llm_ttft_ms: 3, tts_ttfb_ms: 4, response_ms: 5 },
    },
    new TurnMetrics(1, { endOfTurnMs: 1, sttFinalMs: 2, llmTtftMs: 3, ttsTtfbMs: 4, responseMs: 5 }),
  ],
  [{ type: 'turn.metrics', epoch: 1, metrics: 'none' }, new TurnMetrics(1, undefined)],
  [{ type: 'user.transcript', text: 'a', final: true }, new UserTranscript('a', true)],
  [{ type: 'user.text', epoch: 1, text: 'a' }, new UserText(1, 'a')],
  [{ type: 'bot.llm_started', epoch: 1 }, new BotLlmStarted(1)],
  [{ type: 'bot.text', epoch: 1, text: 'a' }, new BotText(1, 'a')],
  [
    {
      type: 'bot.llm_stopped',
      epoch: 1,
      usage: { input_tokens: 1, cached_input_tokens: 2, output_tokens: 3 },
    },
    new BotLlmStopped(1, { inputTokens: 1, cachedInputTokens: 2, outputTokens: 3 }),
  ],
  [{ type: 'bot.llm_stopped', epoch: 1 }, new BotLlmStopped(1, undefined)],
  [{ type: 'bot.tts_text', epoch: 1, text: 'a' }, new BotTtsText(1, 'a')],
  [{ type: 'bot.tts_stopped', epoch: 1 }, new BotTtsStopped(1)],
  [{ type: 'language.switched', from: 'en', to: 'it' }, new LanguageSwitched('en', 'it')],
  [{ type: 'error', stage: 'stt', message: 'm', fatal: false }, new VoiceServerError('stt', 'm', false)],
  [{ type: 'events.lost', count: 7 }, new EventsLost(7)],
  [
    {
      type: 'session.usage',
      duration_ms: 1,
      turns: 2,
      interrupted_turns: 3,
      latency: { response: { avg_ms: 4, max_ms: 5 } },
      usage,
    },
    new CallUsage(
      1,
      2,
      3,
      { response: { avgMs: 4, maxMs: 5 } },
      {
        llm: {
          provider: 'p',
          model: 'm',
          inputTokens: 1,
          cachedInputTokens: 2,
          outputTokens: 3,
          responsesWithoutUsage: 4,
        },
        stt: { provider: 'p', model: 'm', audioSeconds: 5.5 },
        tts: { provider: 'p', model: 'm', characters: 6 },
      },
    ),
  ],
  [{ type: 'session.usage', duration_ms: 1, turns: 2, interrupted_turns: 3 }, new CallUsage(1, 2, 3, {}, {})],
];

describe('events of the wire', () => {
  it.each(cases)('%j reaches handlers as its class', (message, event) => {
    // Every row is an event; a mistake here fails the comparison.
    const made = eventOf(parseServerMessage(JSON.stringify({ seq: 1, t_ms: 1, ...message })) as EventMessage);
    expect(made).toEqual(event);
    expect(made.constructor).toBe(event.constructor);
  });

  it('have a row each above, but for the end and the resumption of a call', () => {
    const made = new Set(cases.map(([message]) => message.type));
    expect([...EVENT_CLASSES.keys()].filter((type) => !made.has(type))).toEqual([
      'session.end',
      'session.resumed',
    ]);
  });
});
