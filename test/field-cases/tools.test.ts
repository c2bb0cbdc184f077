import { Arg, Call, Tool, ToolContext, ToolError, VoiceAgent } from 'callwright';
import { answersTo, closeAll, dealtWith, Gate, serve, until } from './served';

let gates: Record<string, Gate<unknown>>;
let ran: string[];
let aborted: string[];

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const cycle = (): unknown => {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
};
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

/** Values that JSON has no form for. */
const unspeakable: Readonly<Record<string, () => unknown>> = {
  BigInt: () => 10n,
  cycle,
  NaN: () => Number.NaN,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  'NaN in an object': () => ({ price: Number.NaN }),
  Map: () => new Map([['a', 1]]),
  Set: () => new Set([1]),
  'Date(NaN)': () => new Date(Number.NaN),
  Symbol: () => Symbol('s'),
  function: () => () => 1,
  'throwing getter': () =>
    Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('getter');
      },
    }),
  'throwing toJSON': () => ({
    toJSON: () => {
      throw new Error('toJSON');
    },
  }),
  'revoked proxy': revoked,
  Buffer: () => Buffer.from('abc'),
  '130 levels': () => nested(130),
  '5,000 levels': () => nested(5_000),
};

@VoiceAgent({ name: 'cases', default: true, resume: true })
class CasesAgent {
  constructor(private readonly call: Call) {}

  @Tool({ description: 'Books.', kind: 'side_effect' })
  async book(@Arg('name') name: string): Promise<string> {
    ran.push(name);
    return `${name} ${String(await gates.book?.promise)}`;
  }

  @Tool('Shows.')
  async show(@Arg('x') x: number): Promise<object> {
    if (x === 1) await gates.show?.promise;
    return { x };
  }

  @Tool('Waits for its signal.')
  async wait(tool: ToolContext): Promise<unknown> {
    if (tool.signal.aborted) aborted.push('before it began');
    tool.signal.addEventListener('abort', () => aborted.push('while it ran'));
    return gates.wait?.promise;
  }

  @Tool({ description: 'Talks and ends.', kind: 'side_effect' })
  async talk(): Promise<string> {
    await this.call.say('one moment', { interrupt: true });
    await this.call.end({ say: 'bye' });
    return 'talked';
  }

  @Tool('Returns what JSON cannot say.')
  odd(@Arg('what') what: string): unknown {
    return unspeakable[what]?.();
  }

  @Tool('Returns a text of a length.')
  sized(@Arg('length') length: number, @Arg('character') character: string): string {
    return character.repeat(length);
  }

  @Tool('Answers.')
  ping(): string {
    return 'pong';
  }

  @Tool('Not offered in this call.')
  hidden(): string {
    throw new ToolError('it ran');
  }

  onCallStart(): { tools: string[] } {
    return { tools: ['book', 'show', 'wait', 'talk', 'odd', 'sized', 'ping'] };
  }
}

beforeEach(() => {
  gates = { book: new Gate(), show: new Gate(), wait: new Gate() };
  ran = [];
  aborted = [];
});

afterEach(async () => {
  for (const gate of Object.values(gates)) gate.open('open');
  await closeAll();
});

const booking = { kind: 'side_effect', idempotency_key: '00000000000000b7' };

it('B01: the same call three times, while it runs and after it was answered, runs once and is answered once', async () => {
  const client = await (await serve(CasesAgent)).call();
  client.toolCall(7, 'book', { name: 'Ada' }, booking);
  client.toolCall(7, 'book', { name: 'Ada' }, booking);
  await dealtWith(client, 'ping');
  gates.book?.open('booked');
  expect(await client.result(7)).toMatchObject({ result: 'Ada booked' });
  client.toolCall(7, 'book', { name: 'Ada' }, booking);
  await dealtWith(client, 'ping');
  expect(ran).toEqual(['Ada']);
  expect(answersTo(client, 7)).toHaveLength(1);
});

it('B04: two calls of one name and one call_id are answered each with its own value, the faster one first', async () => {
  const client = await (await serve(CasesAgent)).call();
  client.toolCall(1, 'show', { x: 1 }, { call_id: 'same' });
  client.toolCall(2, 'show', { x: 2 }, { call_id: 'same' });
  expect(await client.result(2)).toMatchObject({ result: { x: 2 } });
  expect(answersTo(client, 1)).toEqual([]);
  gates.show?.open('');
  expect(await client.result(1)).toMatchObject({ result: { x: 1 } });
});

it('B06: a read that ends as it is cancelled is answered at most once, a cancelled side effect exactly once, and the next call is served', async () => {
  const client = await (await serve(CasesAgent)).call();
  client.toolCall(3, 'wait');
  await dealtWith(client, 'ping');
  gates.wait?.open('ended');
  client.send({ type: 'tool.cancel', id: 3, reason: 'interrupted' });
  client.toolCall(4, 'book', { name: 'Ada' }, booking);
  client.send({ type: 'tool.cancel', id: 4, reason: 'interrupted' });
  await dealtWith(client, 'ping');
  gates.book?.open('booked');
  expect(await client.result(4)).toMatchObject({ result: 'Ada booked' });
  client.toolCall(5, 'show', { x: 5 });
  expect(await client.result(5)).toMatchObject({ result: { x: 5 } });
  expect(answersTo(client, 3).length).toBeLessThanOrEqual(1);
  expect(answersTo(client, 4)).toHaveLength(1);
});

it('B07: a cancel in the same segment as its call reaches the tool; unknown and repeated cancels do nothing', async () => {
  const served = await serve(CasesAgent);
  const client = await served.call();
  client.toolCall(3, 'wait');
  client.send({ type: 'tool.cancel', id: 3, reason: 'timeout' });
  client.send({ type: 'tool.cancel', id: 3, reason: 'timeout' });
  client.send({ type: 'tool.cancel', id: 99, reason: 'timeout' });
  await dealtWith(client, 'ping');
  expect(aborted).toHaveLength(1);
  expect(answersTo(client, 3)).toEqual([]);
  // One line for the tool that ran out of time; none for the cancels that were repeated or meant nothing.
  const warnings = served.log
    .filter(({ level }) => level === 'warn' || level === 'error')
    .map(({ message }) => message);
  expect(warnings.filter((message) => !message.includes('there is no token'))).toEqual([
    'a tool ran out of time',
  ]);
});

it('B11: a tool may wait for its own commands: both settle while it runs, then its result follows', async () => {
  const client = await (await serve(CasesAgent)).call();
  client.toolCall(1, 'talk', {}, booking);
  const say = await client.next(({ type }) => type === 'say');
  expect(say).toMatchObject({ text: 'one moment', interrupt: true });
  client.send({ type: 'command.result', id: say.id, ok: true });
  const end = await client.next(({ type }) => type === 'end');
  client.send({ type: 'command.result', id: end.id, ok: true });
  expect(await client.result(1)).toMatchObject({ result: 'talked' });
  expect(client.received.map(({ type }) => type)).toEqual(['session.accept', 'say', 'end', 'tool.result']);
});

it('B12: unknown names, names of Object.prototype and tools not offered are answered once each; the log has the name only', async () => {
  const served = await serve(CasesAgent);
  const client = await served.call();
  const names = ['nope', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'hidden'];
  for (const [id, name] of names.entries()) client.toolCall(id + 1, name, { secret: 'argument value' });
  for (const [id, name] of names.entries()) {
    expect(await client.result(id + 1)).toMatchObject({ error: `unknown tool "${name}"` });
  }
  await dealtWith(client, 'ping');
  for (const id of names.keys()) expect(answersTo(client, id + 1)).toHaveLength(1);
  const text = JSON.stringify(served.log);
  expect(text).toContain('nope');
  expect(text).not.toContain('argument value');
});

it.each(Object.keys(unspeakable))(
  'B14: a result that JSON has no form for is answered with an error: %s',
  async (what) => {
    const client = await (await serve(CasesAgent)).call();
    client.toolCall(1, 'odd', { what });
    expect(await client.result(1)).toMatchObject({ error: expect.any(String) });
    await dealtWith(client, 'ping');
    expect(answersTo(client, 1)).toHaveLength(1);
  },
);

it('B15: a result is bounded in bytes: exactly 65,536 with its envelope pass, one more does not, and the link stays', async () => {
  const client = await (await serve(CasesAgent)).call();
  const envelopeBytes = JSON.stringify({ type: 'tool.result', id: 2, result: '' }).length;
  client.toolCall(1, 'sized', { length: 33_000, character: 'é' });
  client.toolCall(2, 'sized', { length: 65_536 - envelopeBytes, character: 'x' });
  client.toolCall(3, 'sized', { length: 65_537 - envelopeBytes, character: 'x' });
  expect(await client.result(1)).toMatchObject({ error: 'tool result is too large' });
  expect(String((await client.result(2)).result)).toHaveLength(65_536 - envelopeBytes);
  expect(await client.result(3)).toMatchObject({ error: 'tool result is too large' });
  await dealtWith(client, 'ping');
});

it('B16: a command that nobody awaits and a reset link: no unhandled rejection, a debug line, other calls go on', async () => {
  const rejected: unknown[] = [];
  const note = (error: unknown): void => void rejected.push(error);
  process.on('unhandledRejection', note);
  let last: Call | undefined;

  @VoiceAgent({ name: 'careless' })
  class CarelessAgent {
    constructor(readonly call: Call) {}

    @Tool('Says something and looks away.')
    careless(): string {
      last = this.call;
      void this.call.say('hello');
      return 'said';
    }
  }
  const served = await serve(CarelessAgent);
  const clients = await Promise.all(
    ['1', '2', '3', '4', '5'].map((session_id) => served.call({ session_id })),
  );
  const [lost, ...others] = clients;
  lost?.toolCall(1, 'careless');
  await lost?.result(1);
  lost?.socket.terminate();
  await until(() => served.application.callCount === 4);
  void last?.say('too late');
  await until(() => served.log.filter(({ message }) => message.includes('command')).length > 0);
  for (const other of others) await dealtWith(other, 'careless');
  process.off('unhandledRejection', note);
  expect(rejected).toEqual([]);
});
