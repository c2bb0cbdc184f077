import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelRequest } from './brain';
import { TestingError } from './errors';
import { type LlmOptions, llm } from './llm';

let server: Server;
let bodies: { messages: { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[] }[];
let authorizations: (string | undefined)[];
let answers: (string | number)[];

const message = (fields: object): string => JSON.stringify({ choices: [{ message: fields }] });
const request = (fields: Partial<ModelRequest> = {}): ModelRequest => ({
  userText: 'Hello',
  round: 0,
  epoch: 1,
  systemPrompt: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [{ name: 'hours', description: 'Hours.', parameters: { type: 'object' } }],
  outcomes: [],
  pendingConfirmation: undefined,
  ...fields,
});
const mind = (options: Partial<LlmOptions> = {}) =>
  llm({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    model: 'm',
    ...options,
  }).startCall() as { respond(request: ModelRequest): Promise<unknown> };

beforeEach(async () => {
  bodies = [];
  authorizations = [];
  answers = [];
  server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.on('data', (chunk) => {
      text += chunk;
    });
    incoming.on('end', () => {
      bodies.push(JSON.parse(text));
      authorizations.push(incoming.headers.authorization);
      const answer = answers.shift();
      if (typeof answer === 'string') outgoing.end(answer);
      else if (answer !== undefined) outgoing.writeHead(answer).end('a secret');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('a language model as the brain', () => {
  it('is told the prompt, the conversation and the tools, and answers in words', async () => {
    answers = [message({ content: 'Good evening!' })];
    expect(await mind({ apiKey: 'key' }).respond(request())).toEqual({
      say: 'Good evening!',
      calls: undefined,
    });
    expect(bodies[0]).toMatchObject({
      model: 'm',
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      tools: [{ type: 'function', function: { name: 'hours' } }],
    });
    expect(authorizations).toEqual(['Bearer key']);
  });

  it('asks for tools and is told their outcomes under the same ids', async () => {
    answers = [
      message({
        content: null,
        tool_calls: [{ function: { name: 'hours', arguments: '{"day":"friday"}' } }],
      }),
      message({ content: 'From six.' }),
    ];
    const model = mind();
    expect(await model.respond(request())).toEqual({
      say: undefined,
      calls: [{ name: 'hours', args: { day: 'friday' } }],
    });
    await model.respond(
      request({
        round: 1,
        messages: [
          { role: 'tool', text: 'of an earlier turn' },
          { role: 'user', text: 'Hello' },
          { role: 'tool', text: 'six' },
        ],
        outcomes: [{ name: 'hours', args: {}, status: 'ok', text: 'six' } as never],
      }),
    );
    expect(bodies[1]?.messages.slice(1)).toMatchObject([
      { role: 'system', content: 'Outcome of a tool: of an earlier turn' },
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_0', function: { name: 'hours', arguments: '{"day":"friday"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'six' },
    ]);
  });

  it.each<[string, string | number, string]>([
    ['an HTTP error', 500, 'CW_LLM_UNREACHABLE'],
    ['no JSON', 'x', 'CW_LLM_UNUSABLE'],
    ['no message', '{"choices":[]}', 'CW_LLM_UNUSABLE'],
    ['null', 'null', 'CW_LLM_UNUSABLE'],
    ['a tool without a name', message({ tool_calls: [{}] }), 'CW_LLM_UNUSABLE'],
    [
      'arguments that are no object',
      message({ tool_calls: [{ function: { name: 'a', arguments: '[]' } }] }),
      'CW_LLM_UNUSABLE',
    ],
    ['silence', message({ content: ' ' }), 'CW_BRAIN_SILENT'],
  ])('fails the turn on %s, without showing key or answer', async (_name, answer, code) => {
    answers = [answer];
    const failure: unknown = await mind({ apiKey: 'canary' })
      .respond(request())
      .then(undefined, (error: unknown) => error);
    expect(failure).toBeInstanceOf(TestingError);
    expect(failure).toMatchObject({ code });
    expect(String(failure)).not.toMatch(/canary|secret/);
  });

  it('fails the turn when there is no server, or no answer in time', async () => {
    await expect(mind({ timeoutMs: 1 }).respond(request())).rejects.toThrow('no answer in 1 ms');
    await expect(mind({ url: 'http://127.0.0.1:1' }).respond(request())).rejects.toThrow('no connection');
  });
});
