import type { SessionUsageMessage, StageLatency, TokenUsage } from '@callwright/protocol';

/** What one round of the model costs. The fake's numbers are fixed, so that tests can compare them. */
export const ROUND_USAGE: TokenUsage = Object.freeze({
  input_tokens: 10,
  cached_input_tokens: 4,
  output_tokens: 3,
});

/** What a call has used, for `session.usage`. */
export class CallTotals {
  #turns = 0;
  #interruptedTurns = 0;
  #rounds = 0;
  #spokenCharacters = 0;
  #firstTextMs: number[] = [];

  countTurn(): void {
    this.#turns += 1;
  }

  countInterruption(): void {
    this.#interruptedTurns += 1;
  }

  countRound(): void {
    this.#rounds += 1;
  }

  countSpeech(text: string): void {
    this.#spokenCharacters += [...text].length;
  }

  countFirstText(ms: number): void {
    this.#firstTextMs.push(ms);
  }

  summary(durationMs: number): Omit<SessionUsageMessage, 'type' | 'seq' | 't_ms'> {
    const firstText = latencyOf(this.#firstTextMs);
    return {
      duration_ms: Math.round(durationMs),
      turns: this.#turns,
      interrupted_turns: this.#interruptedTurns,
      latency: firstText === undefined ? {} : { llm_ttft: firstText },
      usage: {
        llm: { provider: 'fake', model: 'fake', ...usageOf(this.#rounds), responses_without_usage: 0 },
        stt: { provider: 'fake', model: 'fake', audio_seconds: 0 },
        tts: { provider: 'fake', model: 'fake', characters: this.#spokenCharacters },
      },
    };
  }
}

/** The usage of `rounds` rounds. */
export function usageOf(rounds: number): TokenUsage {
  return {
    input_tokens: ROUND_USAGE.input_tokens * rounds,
    cached_input_tokens: ROUND_USAGE.cached_input_tokens * rounds,
    output_tokens: ROUND_USAGE.output_tokens * rounds,
  };
}

function latencyOf(values: readonly number[]): StageLatency | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  return { avg_ms: sum / values.length, max_ms: Math.max(...values) };
}
