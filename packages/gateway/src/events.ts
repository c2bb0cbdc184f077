import {
  BotLlmStarted,
  BotLlmStopped,
  BotText,
  BotTtsStopped,
  BotTtsText,
  type CallConsumption,
  type CallEvent,
  type CallLatencies,
  CallUsage,
  type LatencySummary as CoreLatency,
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
import type {
  BotLlmStoppedMessage,
  ErrorMessage,
  EventsLostMessage,
  LatencySummary,
  SessionUsageMessage,
  StageLatency,
  SubscribableMessage,
  TurnMetricsMessage,
  UsageSummary,
} from '@callwright/protocol';

/** A message of the wire that becomes an event of the call; `session.end` is no such one, it ends the call. */
export type EventMessage = SubscribableMessage | SessionUsageMessage | ErrorMessage | EventsLostMessage;

/** The event as handlers receive it. */
export function eventOf(message: EventMessage): CallEvent {
  switch (message.type) {
    case 'turn.user_started':
      return new TurnUserStarted(message.epoch);
    case 'turn.user_ended':
      return new TurnUserEnded(message.epoch);
    case 'turn.bot_started':
      return new TurnBotStarted(message.epoch);
    case 'turn.bot_ended':
      return new TurnBotEnded(message.epoch);
    case 'turn.interrupted':
      return new TurnInterrupted(message.epoch);
    case 'turn.metrics':
      return turnMetrics(message);
    case 'user.transcript':
      return new UserTranscript(message.text, message.final);
    case 'user.text':
      return new UserText(message.epoch, message.text);
    case 'bot.llm_started':
      return new BotLlmStarted(message.epoch);
    case 'bot.text':
      return new BotText(message.epoch, message.text);
    case 'bot.llm_stopped':
      return botLlmStopped(message);
    case 'bot.tts_text':
      return new BotTtsText(message.epoch, message.text);
    case 'bot.tts_stopped':
      return new BotTtsStopped(message.epoch);
    case 'language.switched':
      return new LanguageSwitched(message.from, message.to);
    case 'session.usage':
      return callUsage(message);
    case 'error':
      return new VoiceServerError(message.stage, message.message, message.fatal);
    case 'events.lost':
      return new EventsLost(message.count);
  }
}

function turnMetrics({ epoch, metrics }: TurnMetricsMessage): TurnMetrics {
  if (metrics === undefined) return new TurnMetrics(epoch, undefined);
  return new TurnMetrics(epoch, {
    endOfTurnMs: metrics.end_of_turn_ms,
    sttFinalMs: metrics.stt_final_ms,
    llmTtftMs: metrics.llm_ttft_ms,
    ttsTtfbMs: metrics.tts_ttfb_ms,
    responseMs: metrics.response_ms,
  });
}

function botLlmStopped({ epoch, usage }: BotLlmStoppedMessage): BotLlmStopped {
  if (usage === undefined) return new BotLlmStopped(epoch, undefined);
  return new BotLlmStopped(epoch, {
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    outputTokens: usage.output_tokens,
  });
}

function callUsage(message: SessionUsageMessage): CallUsage {
  return new CallUsage(
    message.duration_ms,
    message.turns,
    message.interrupted_turns,
    callLatencies(message.latency ?? {}),
    callConsumption(message.usage ?? {}),
  );
}

function callLatencies(latency: LatencySummary): CallLatencies {
  return {
    endOfTurn: stageLatency(latency.end_of_turn),
    sttFinal: stageLatency(latency.stt_final),
    llmTtft: stageLatency(latency.llm_ttft),
    ttsTtfb: stageLatency(latency.tts_ttfb),
    response: stageLatency(latency.response),
  };
}

function stageLatency(stage: StageLatency | undefined): CoreLatency | undefined {
  return stage && { avgMs: stage.avg_ms, maxMs: stage.max_ms };
}

function callConsumption({ llm, stt, tts }: UsageSummary): CallConsumption {
  return {
    llm: llm && {
      provider: llm.provider,
      model: llm.model,
      inputTokens: llm.input_tokens,
      cachedInputTokens: llm.cached_input_tokens,
      outputTokens: llm.output_tokens,
      responsesWithoutUsage: llm.responses_without_usage,
    },
    stt: stt && { provider: stt.provider, model: stt.model, audioSeconds: stt.audio_seconds },
    tts: tts && { provider: tts.provider, model: tts.model, characters: tts.characters },
  };
}
