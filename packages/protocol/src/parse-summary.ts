import { type Fields, isAbsentOr, isCount, isFiniteNumber, isObject, isString } from './fields';
import type {
  LatencySummary,
  LlmUsage,
  StageLatency,
  SttUsage,
  TokenUsage,
  TtsUsage,
  TurnMetrics,
  UsageSummary,
} from './server-messages';

/**
 * The optional objects of the server's events: numbers about turns and calls. One that is malformed reads as absent,
 * and its event still counts.
 */

export function readMetrics(value: unknown): TurnMetrics | undefined {
  if (!isObject(value)) return undefined;
  const { end_of_turn_ms, stt_final_ms, llm_ttft_ms, tts_ttfb_ms, response_ms } = value;
  if (!isAbsentOr(end_of_turn_ms, isFiniteNumber)) return undefined;
  if (!isAbsentOr(stt_final_ms, isFiniteNumber)) return undefined;
  if (!isAbsentOr(llm_ttft_ms, isFiniteNumber)) return undefined;
  if (!isAbsentOr(tts_ttfb_ms, isFiniteNumber)) return undefined;
  if (!isAbsentOr(response_ms, isFiniteNumber)) return undefined;
  return {
    end_of_turn_ms: end_of_turn_ms ?? undefined,
    stt_final_ms: stt_final_ms ?? undefined,
    llm_ttft_ms: llm_ttft_ms ?? undefined,
    tts_ttfb_ms: tts_ttfb_ms ?? undefined,
    response_ms: response_ms ?? undefined,
  };
}

export function readTokenUsage(value: unknown): TokenUsage | undefined {
  if (!isObject(value)) return undefined;
  const { input_tokens, cached_input_tokens, output_tokens } = value;
  if (!isCount(input_tokens) || !isCount(cached_input_tokens) || !isCount(output_tokens)) return undefined;
  return { input_tokens, cached_input_tokens, output_tokens };
}

export function readLatencySummary(value: unknown): LatencySummary | undefined {
  if (!isObject(value)) return undefined;
  return {
    end_of_turn: readStageLatency(value.end_of_turn),
    stt_final: readStageLatency(value.stt_final),
    llm_ttft: readStageLatency(value.llm_ttft),
    tts_ttfb: readStageLatency(value.tts_ttfb),
    response: readStageLatency(value.response),
  };
}

function readStageLatency(value: unknown): StageLatency | undefined {
  if (!isObject(value)) return undefined;
  const { avg_ms, max_ms } = value;
  return isFiniteNumber(avg_ms) && isFiniteNumber(max_ms) ? { avg_ms, max_ms } : undefined;
}

export function readUsageSummary(value: unknown): UsageSummary | undefined {
  if (!isObject(value)) return undefined;
  return { llm: readLlmUsage(value.llm), stt: readSttUsage(value.stt), tts: readTtsUsage(value.tts) };
}

function readLlmUsage(value: unknown): LlmUsage | undefined {
  const tokens = readTokenUsage(value);
  if (tokens === undefined || !isObject(value)) return undefined;
  const model = readModel(value);
  const { responses_without_usage } = value;
  if (model === undefined || !isCount(responses_without_usage)) return undefined;
  return { ...model, ...tokens, responses_without_usage };
}

function readSttUsage(value: unknown): SttUsage | undefined {
  if (!isObject(value)) return undefined;
  const model = readModel(value);
  const { audio_seconds } = value;
  return model !== undefined && isFiniteNumber(audio_seconds) ? { ...model, audio_seconds } : undefined;
}

function readTtsUsage(value: unknown): TtsUsage | undefined {
  if (!isObject(value)) return undefined;
  const model = readModel(value);
  const { characters } = value;
  return model !== undefined && isCount(characters) ? { ...model, characters } : undefined;
}

function readModel({ provider, model }: Fields): { provider: string; model: string } | undefined {
  return isString(provider) && isString(model) ? { provider, model } : undefined;
}
