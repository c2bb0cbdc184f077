import { room } from './room.test-support';
import { tool } from './tiny-agent.test-support';

/** A tool whose answer the test sends itself. */
const SLOW = {
  tools: [tool('read', { timeout_ms: 300 }), tool('write', { kind: 'side_effect', timeout_ms: 300 })],
  run: {},
};

describe('a tool call', () => {
  it('gives the model a text as it is, anything else as JSON, an error as tool_failed', async () => {
    const answers: unknown[] = ['plain', { a: 1 }, null];
    const { server } = room({
      tools: [tool('any'), tool('bad')],
      run: {
        any: () => answers.shift(),
        bad: () => {
          throw new Error('no tables left');
        },
      },
    });
    const call = await server.call();
    await expect(call.tool('any')).resolves.toMatchObject({ status: 'ok', text: 'plain', value: 'plain' });
    await expect(call.tool('any')).resolves.toMatchObject({ status: 'ok', text: '{"a":1}', value: { a: 1 } });
    await expect(call.tool('any')).resolves.toMatchObject({ status: 'ok', text: 'null', value: null });
    const failed = await call.tool('bad');
    expect(failed.status).toBe('failed');
    expect(JSON.parse(failed.text)).toEqual({ error: 'tool_failed', tool: 'bad', detail: 'no tables left' });
  });

  it('shows the model about 4,000 bytes of a long result', async () => {
    const { server } = room({ tools: [tool('long')], run: { long: () => 'x'.repeat(20_000) } });
    const call = await server.call();
    const { text } = await call.tool('long');
    expect(text.length).toBeLessThan(4_100);
    expect(text).toMatch(/x \[clipped\]$/);
  });

  it('that only reads is cancelled at its time-out, and its late result is no fault', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    const outcome = call.tool('read');
    await clock.advance(299);
    expect(agent.heardOf('tool.cancel')).toEqual([]);
    await clock.runUntil(outcome);
    await expect(outcome).resolves.toMatchObject({ status: 'timed_out' });
    expect(agent.heardOf('tool.cancel')).toMatchObject([{ id: 1, reason: 'timeout' }]);
    agent.send({ type: 'tool.result', id: 1, result: 'late' });
    await clock.settle();
    expect(call.violations).toEqual([]);
  });

  it('with a side effect goes on after its time-out, and its result becomes a late note', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    await expect(clock.runUntil(call.tool('write'))).resolves.toMatchObject({ status: 'timed_out' });
    await clock.advance(59_000);
    expect(agent.heardOf('tool.cancel')).toEqual([]);
    agent.send({ type: 'tool.result', id: 1, result: 'table 4' });
    await clock.settle();
    expect(call.messages).toEqual([{ role: 'system', text: expect.stringMatching(/Late result .*table 4/) }]);
    expect(call.transcript).toContainEqual(expect.objectContaining({ kind: 'tool', lateText: 'table 4' }));
  });

  it('with a side effect is given up after 60 s: the outcome is unknown, a later result is ignored', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    await clock.runUntil(call.tool('write'));
    await clock.advance(59_699);
    expect(agent.heardOf('tool.cancel')).toEqual([]);
    await clock.advance(1);
    expect(agent.heardOf('tool.cancel')).toMatchObject([{ id: 1, reason: 'timeout' }]);
    expect(call.messages.at(-1)?.text).toMatch(/outcome is unknown/);
    agent.send({ type: 'tool.result', id: 1, result: 'table 4' });
    await clock.settle();
    expect(call.messages).toHaveLength(1);
  });

  it('that only reads is cancelled by a barge-in; one with a side effect is not', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    const outcomes = Promise.all([call.tool('read'), call.tool('write')]);
    await clock.settle();
    call.interrupt();
    await expect(outcomes).resolves.toMatchObject([{ status: 'interrupted' }, { status: 'interrupted' }]);
    expect(agent.heardOf('tool.cancel')).toMatchObject([{ id: 1, reason: 'interrupted' }]);
    expect(() => call.interrupt()).toThrow(/CW_CALL_NOTHING_TO_INTERRUPT/);
  });

  it('of both kinds is cancelled when the caller hangs up', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    const outcomes = [call.tool('read'), call.tool('write')].map((outcome) => outcome.catch(() => undefined));
    await clock.settle();
    await call.hangUp();
    await Promise.all(outcomes);
    expect(agent.heard.slice(-4)).toMatchObject([
      { type: 'tool.cancel', id: 1, reason: 'interrupted' },
      { type: 'tool.cancel', id: 2, reason: 'interrupted' },
      { type: 'session.usage' },
      { type: 'session.end' },
    ]);
    expect(clock.pendingTimerCount).toBe(0);
  });

  it('hears nothing of a server that shuts down but the end', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    void call.tool('write').catch(() => undefined);
    await clock.settle();
    await call.shutDown();
    expect(agent.heard.slice(-2)).toMatchObject([{ type: 'tool.call' }, { type: 'session.end' }]);
  });

  it('that equals one the model stopped waiting for is not sent again', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    await clock.runUntil(call.tool('write', { table: 4 }));
    await expect(call.tool('write', { table: 4 })).resolves.toMatchObject({ status: 'duplicate_call' });
    agent.send({ type: 'tool.result', id: 1, result: 'booked' });
    await clock.settle();
    await expect(call.tool('write', { table: 4 })).resolves.toMatchObject({ status: 'ok', text: 'booked' });
    await call.user('hello');
    await expect(call.tool('write', { table: 4 })).resolves.toMatchObject({ status: 'already_reported' });
    expect(agent.heardOf('tool.call')).toHaveLength(1);
    await clock.advance(120_001);
    await clock.runUntil(call.tool('write', { table: 4 }));
    expect(agent.heardOf('tool.call')).toHaveLength(2);
  });

  it('that waits beside 31 others is sent; one more is refused without a word to the agent', async () => {
    const { server, agent, clock } = room(SLOW);
    const call = await server.call();
    const outcomes = Array.from({ length: 33 }, (_, table) => call.tool('write', { table }));
    await clock.settle();
    expect(agent.heardOf('tool.call')).toHaveLength(32);
    await expect(outcomes[32]).resolves.toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/too many/),
    });
    await Promise.all(outcomes.slice(0, 32).map((outcome) => clock.runUntil(outcome)));
  });

  it('of 16,384 bytes of arguments is sent, of one more is not', async () => {
    const { server, agent } = room({ tools: [tool('any')], run: { any: () => 'ok' } });
    const call = await server.call();
    const frame = JSON.stringify({ text: '' }).length;
    await expect(call.tool('any', { text: 'x'.repeat(16_384 - frame) })).resolves.toMatchObject({
      status: 'ok',
    });
    await expect(call.tool('any', { text: 'x'.repeat(16_385 - frame) })).resolves.toMatchObject({
      status: 'arguments_too_large',
    });
    expect(agent.heardOf('tool.call')).toHaveLength(1);
  });

  it('has the declared timeout within the bounds of the server', async () => {
    const { server, agent } = room({
      tools: [tool('plain'), tool('long', { timeout_ms: 30_000 })],
      run: { plain: () => 1, long: () => 2 },
    });
    const call = await server.call();
    await call.tool('plain');
    await call.tool('long');
    expect(agent.heardOf('tool.call').map(({ timeout_ms }) => timeout_ms)).toEqual([5_000, 30_000]);
  });

  it('that takes longer than 1.2 s is bridged by a filler, unless the tool wants none', async () => {
    const tools = [tool('slow'), tool('quiet', { filler_after_ms: 0 })];
    const { server, clock, agent } = room({ tools, run: {} });
    const call = await server.call();
    for (const name of ['slow', 'quiet']) {
      const outcome = call.tool(name);
      await clock.advance(1_300);
      const { id } = agent.heardOf('tool.call').at(-1) ?? { id: 0 };
      agent.send({ type: 'tool.result', id, result: 1 });
      await outcome;
    }
    expect(call.transcript.filter((entry) => entry.kind === 'bot')).toMatchObject([
      { source: 'filler', atMs: 1_200 },
    ]);
  });
});

describe('a tool that wants a yes', () => {
  const PAY = {
    tools: [tool('pay', { kind: 'side_effect', confirm: true })],
    run: { pay: () => 'paid' },
  } as const;

  it('runs once, with its first arguments, when the user agreed', async () => {
    const { server, agent } = room(PAY);
    const call = await server.call();
    await expect(call.tool('pay', { amount: 5 })).resolves.toMatchObject({ status: 'confirmation_required' });
    await expect(call.confirm()).resolves.toMatchObject({ status: 'ok', text: 'paid', args: { amount: 5 } });
    await expect(call.confirm()).rejects.toThrow(/CW_BRAIN_NOTHING_TO_CONFIRM/);
    expect(agent.heardOf('tool.call')).toHaveLength(1);
    expect(call.transcript).toContainEqual(
      expect.objectContaining({ kind: 'tool', status: 'ok', confirmed: true }),
    );
  });

  it('is forgotten after 120 s', async () => {
    const { server, clock } = room(PAY);
    const call = await server.call();
    await call.tool('pay', { amount: 5 });
    await clock.advance(120_001);
    await expect(call.confirm()).rejects.toThrow(/CW_BRAIN_NOTHING_TO_CONFIRM/);
  });

  it('cannot be confirmed in the turn that asked for it', async () => {
    const { server } = room(PAY);
    const call = await server.call();
    const { callId } = await call.tool('pay', { amount: 5 });
    await expect(call.tool('confirm_pending', { call_id: callId })).resolves.toMatchObject({
      status: 'confirmation_refused',
    });
  });
});

describe('an accept', () => {
  it('whose schema does not compile loses that tool only, and a strict test hears of it', async () => {
    const broken = tool('broken', {
      parameters: { type: 'object', properties: { a: { type: 'nonsense' } } },
    });
    const remote = tool('remote', {
      parameters: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
    });
    const { server, agent } = room(
      { tools: [broken, remote, tool('good')], run: { good: () => 1 } },
      { strict: false },
    );
    const call = await server.call();
    await call.user('hello');
    expect(call.tools.map(({ name }) => name)).toEqual(['good']);
    expect(agent.heard.slice(1, 3)).toMatchObject([
      { type: 'error', stage: 'agent_link', fatal: false, message: expect.stringMatching(/elsewhere/) },
      { type: 'error', message: expect.stringMatching(/broken/) },
    ]);
    const strict = await room({ tools: [broken] }).server.call();
    await expect(strict.user('hello')).rejects.toThrow(/CW_FRAME_REFUSED/);
  });

  it.each([
    ['a first message of another type', '{"type":"say","text":"x"}', /bad_handshake|say/],
    ['text that is no JSON', 'hello', /read/],
    ['a version that was not offered', '{"type":"session.accept","version":2}', /version 2/],
    ['null for tools', '{"type":"session.accept","version":1,"tools":null}', /tools/],
    [
      'more than 65,536 bytes',
      `{"type":"session.accept","version":1,"greeting":"${'x'.repeat(65_536)}"}`,
      /65,536/,
    ],
  ])('with %s is refused with the reason', async (_name, answer, reason) => {
    const { server } = room({ answer: () => answer });
    await expect(server.call()).rejects.toThrow(reason);
  });
});
