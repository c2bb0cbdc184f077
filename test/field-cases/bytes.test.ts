import { Arg, Call, DeclineCall, Tool, VoiceAgent } from 'callwright';
import { closeAll, dealtWith, serve } from './served';

let received: unknown[] = [];

@VoiceAgent({ name: 'bytes' })
class BytesAgent {
  constructor(readonly call: Call) {}

  onCallStart(): void {
    const { sessionId } = this.call;
    if (sessionId === 'long') throw new DeclineCall('é'.repeat(200), 'é'.repeat(700));
    if (sessionId === 'half') throw new DeclineCall(`${'x'.repeat(121)}\ud83d\ude00`, 'half \ud83d');
  }

  @Tool('Answers.')
  ping(): string {
    return 'pong';
  }

  @Tool('Takes a text.')
  take(@Arg('text') text: string): string {
    received.push(text);
    return text;
  }

  @Tool('Says and returns ill-formed texts.')
  async illFormed(@Arg('how') how: string): Promise<unknown> {
    const lone = `ok ${String.fromCharCode(0xd83d)}`;
    if (how === 'say') return this.call.say(lone).catch((error: { code: string }) => error.code);
    if (how === 'context') {
      return this.call
        .updateContext({ append: [{ role: 'system', text: lone }] })
        .catch((error: { code: string }) => error.code);
    }
    return how === 'key' ? { [lone]: 1 } : { text: lone };
  }
}

beforeEach(() => {
  received = [];
});

afterEach(closeAll);

it('B61: arguments 8,000 levels deep are answered with one error, brackets without end are ignored, the link stays', async () => {
  const client = await (await serve(BytesAgent)).call();
  const depth = 8_000;
  const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  client.socket.send(
    `{"type":"tool.call","seq":9,"t_ms":1,"id":1,"call_id":"c","name":"take","arguments":${deep},"kind":"read_only","epoch":1,"idempotency_key":"k","timeout_ms":5000}`,
  );
  client.socket.send('['.repeat(20_000));
  expect(await client.result(1)).toMatchObject({ error: expect.any(String) });
  await dealtWith(client, 'ping');
  expect(received).toEqual([]);
});

it.each([127, 129])('B61: a message %d levels deep', async (depth) => {
  const client = await (await serve(BytesAgent)).call();
  // The message and its arguments are two levels.
  const value = `${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}`;
  client.socket.send(
    `{"type":"tool.call","seq":9,"t_ms":1,"id":1,"call_id":"c","name":"take","arguments":{"text":${value}},"kind":"read_only","epoch":1,"idempotency_key":"k","timeout_ms":5000}`,
  );
  const { error } = await client.result(1);
  // Read or not, the argument is no text; what differs is who says so.
  expect(error).toBe(depth > 128 ? 'the tool call could not be read' : 'text must be a string');
});

it.each(['long', 'half'])(
  'B63: a reason that is too long or ends in half a character is cut, and nothing throws: %s',
  async (sessionId) => {
    const served = await serve(BytesAgent);
    const client = await served.connect();
    client.start({ session_id: sessionId });
    const { code, reason } = await client.whenClosed;
    expect(code).toBe(1000);
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
    expect(reason.isWellFormed?.() ?? true).toBe(true);
    const [reject] = client.received;
    expect(Buffer.byteLength(String(reject?.message))).toBeLessThanOrEqual(512);
    expect(JSON.stringify(reject)).not.toContain('\\ud');
  },
);

it.each([
  ['say', 'invalid_argument'],
  ['context', 'invalid_argument'],
])('B64: half an emoji in %s is refused before it is sent', async (how, result) => {
  const client = await (await serve(BytesAgent)).call();
  client.toolCall(1, 'illFormed', { how });
  expect(await client.result(1)).toMatchObject({ result });
  expect(client.received.map(({ type }) => type)).toEqual(['session.accept', 'tool.result']);
});

it.each(['value', 'key'])('B64: half an emoji in a %s of a result reaches no voice server', async (how) => {
  const client = await (await serve(BytesAgent)).call();
  client.toolCall(1, 'illFormed', { how });
  const answer = await client.result(1);
  expect(JSON.stringify(answer)).not.toMatch(/\\ud[89ab]/);
});
