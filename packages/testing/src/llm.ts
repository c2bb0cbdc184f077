import type { Brain, Mind, ModelCall, ModelReply, ModelRequest } from './brain';
import { TestingError, testingErrors } from './errors';

/** Options of {@link llm}. */
export interface LlmOptions {
  /** Base address of an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; stands in no error. @default none */
  readonly apiKey?: string | undefined;
  /** @default 0, so that runs are alike */
  readonly temperature?: number | undefined;
  /** How long one answer may take. @default 30000 */
  readonly timeoutMs?: number | undefined;
}

/** What of a chat completion is used. */
interface CompletionMessage {
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_ANSWER_CHARACTERS = 1_048_576;

/**
 * A brain that is a real language model behind an OpenAI-compatible server, for trying an agent out on one's own machine. It
 * is not for tests: its answers are its own.
 *
 * @example
 * ```ts no-run
 * import { FakeVoiceServer, llm, webSocketTransport } from '@callwright/testing';
 *
 * const server = new FakeVoiceServer({
 *   transport: webSocketTransport('ws://127.0.0.1:8765'),
 *   brain: llm({ url: 'http://127.0.0.1:11434/v1', model: 'llama3.2' }),
 * });
 * void server;
 * ```
 * Its turns fail with TestingError `CW_LLM_UNREACHABLE` or `CW_LLM_UNUSABLE`.
 */
export function llm(options: LlmOptions): Brain {
  return { startCall: () => new LanguageModelMind(options) };
}

class LanguageModelMind implements Mind {
  readonly #options: LlmOptions;
  /** What the model asked for in the round before: its outcomes are told under the same ids. */
  #asked: readonly ModelCall[] = [];

  constructor(options: LlmOptions) {
    this.#options = options;
  }

  async respond(request: ModelRequest): Promise<ModelReply> {
    const answer = await this.#complete({
      model: this.#options.model,
      temperature: this.#options.temperature ?? 0,
      messages: this.#messages(request),
      ...(request.tools.length > 0 ? { tools: request.tools.map(toolOf) } : {}),
    });
    const reply = replyOf(answer, request.userText);
    this.#asked = reply.calls ?? [];
    return reply;
  }

  #messages(request: ModelRequest): object[] {
    const system = request.systemPrompt ? [{ role: 'system', content: request.systemPrompt }] : [];
    const told = request.round > 0 ? Math.min(this.#asked.length, request.outcomes.length) : 0;
    const earlier = request.messages.slice(0, request.messages.length - told);
    return [
      ...system,
      // Outcomes of earlier turns have lost their ids, which the interface wants; as notes they say the same.
      ...earlier.map(({ role, text }) =>
        role === 'tool' ? { role: 'system', content: `Outcome of a tool: ${text}` } : { role, content: text },
      ),
      ...(told > 0 ? this.#askedAndTold(request, told) : []),
    ];
  }

  #askedAndTold(request: ModelRequest, told: number): object[] {
    const asked = this.#asked.slice(0, told);
    return [
      {
        role: 'assistant',
        content: null,
        tool_calls: asked.map(({ name, args }, index) => ({
          id: callId(index),
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        })),
      },
      ...request.messages
        .slice(request.messages.length - told)
        .map(({ text }, index) => ({ role: 'tool', tool_call_id: callId(index), content: text })),
    ];
  }

  async #complete(body: object): Promise<string> {
    const { url, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    let status: number;
    let text: string;
    try {
      const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      const timedOut = (error as { name?: unknown } | undefined)?.name === 'TimeoutError';
      throw unreachable(timedOut ? `no answer in ${timeoutMs} ms` : 'no connection');
    }
    if (status !== 200) throw unreachable(`HTTP status ${status}`);
    return text;
  }
}

function callId(index: number): string {
  return `call_${index}`;
}

function toolOf({ name, description, parameters }: ModelRequest['tools'][number]): object {
  return { type: 'function', function: { name, description, parameters } };
}

function replyOf(answer: string, userText: string): ModelReply {
  const message = messageOf(answer);
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(callOf) : [];
  const say =
    typeof message.content === 'string' && message.content.trim() !== '' ? message.content : undefined;
  if (say === undefined && calls.length === 0) {
    throw new TestingError('CW_BRAIN_SILENT', testingErrors.CW_BRAIN_SILENT({ text: userText }));
  }
  return { say, calls: calls.length > 0 ? calls : undefined };
}

function messageOf(answer: string): CompletionMessage {
  if (answer.length > MAX_ANSWER_CHARACTERS) throw unusable('it is longer than a mebibyte');
  const message = (parsed(answer) as { choices?: { message?: unknown }[] } | null)?.choices?.[0]?.message;
  if (typeof message !== 'object' || message === null) throw unusable('it has no choices[0].message');
  return message;
}

function callOf(call: unknown): ModelCall {
  const { name, arguments: text } =
    (call as { function?: { name?: unknown; arguments?: unknown } } | null)?.function ?? {};
  if (typeof name !== 'string') throw unusable('a tool call has no name');
  const args = typeof text === 'string' && text !== '' ? parsed(text) : {};
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw unusable(`the arguments of ${name.slice(0, 64)} are no object`);
  }
  return { name, args: args as Readonly<Record<string, unknown>> };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable('it is no JSON');
  }
}

function unreachable(reason: string): TestingError {
  return new TestingError('CW_LLM_UNREACHABLE', testingErrors.CW_LLM_UNREACHABLE({ reason }));
}

function unusable(reason: string): TestingError {
  return new TestingError('CW_LLM_UNUSABLE', testingErrors.CW_LLM_UNUSABLE({ reason }));
}
