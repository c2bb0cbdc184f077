import type { TransferOutcome } from '.';
import { room } from './room.test-support';

describe('a command', () => {
  it('is answered only when it has an id', async () => {
    const { server, agent, clock } = room();
    await server.call();
    agent.send({ type: 'say', text: 'One.' });
    agent.send({ type: 'say', id: 's2', text: 'Two.' });
    await clock.settle();
    expect(agent.heardOf('command.result')).toMatchObject([{ id: 's2', ok: true }]);
    expect(agent.heardOf('bot.text').map(({ text }) => text)).toEqual(['One.', 'Two.']);
  });

  it('say: 16 at once are queued, more are refused; 8 are held while the bot speaks, the others are dropped', async () => {
    const { server, agent, clock } = room({}, { speechMsPerCharacter: 10 });
    const call = await server.call();
    const turn = call.user('hello');
    await clock.settle();
    for (let line = 0; line < 20; line += 1)
      agent.send({ type: 'say', id: `s${line}`, text: `Line ${line}.` });
    await clock.settle();
    const codes = agent.heardOf('command.result').map(({ ok, error }) => (ok ? 'ok' : error?.code));
    expect(codes).toEqual([...Array(16).fill('ok'), ...Array(4).fill('queue_full')]);
    await clock.runUntil(turn);
    await clock.advance(60_000);
    const lines = agent
      .heardOf('bot.text')
      .map(({ text }) => text)
      .filter((text) => text.startsWith('Line'));
    expect(lines).toEqual(Array.from({ length: 8 }, (_, line) => `Line ${line}.`));
  });

  it('say with interrupt cuts the answer and drops the lines that wait', async () => {
    const { server, agent, clock } = room({}, { speechMsPerCharacter: 10 });
    const call = await server.call();
    const turn = call.user('hello');
    await clock.settle();
    agent.send({ type: 'say', text: 'Waits.' });
    await clock.settle();
    agent.send({ type: 'say', text: 'Cut in.', interrupt: true });
    await clock.advance(1_000);
    await expect(turn).resolves.toMatchObject({ interrupted: true });
    expect(agent.heardOf('turn.interrupted')).toMatchObject([{ epoch: 1 }]);
    expect(agent.heardOf('bot.tts_text').map(({ text, epoch }) => [text, epoch])).toEqual([
      ['Hello there.', 0],
      ['Cut in.', 1],
    ]);
  });

  it('context.update is applied before the next answer, all of it or nothing, 64 changes at most', async () => {
    const { server, agent, clock } = room({}, { strict: false });
    const call = await server.call();
    const append = Array(32).fill({ role: 'system', text: 'n' });
    for (const id of ['a', 'b', 'c']) agent.send({ type: 'context.update', id, append });
    await clock.settle();
    expect(agent.heardOf('command.result').map(({ id, ok, error }) => [id, ok || error?.code])).toEqual([
      ['a', true],
      ['b', true],
      ['c', 'queue_full'],
    ]);
    expect(call.messages).toEqual([]);
    await call.user('hello');
    expect(call.messages.slice(0, 65).at(-1)).toEqual({ role: 'user', text: 'hello' });
  });

  it('tools.set narrows what the model is offered from the next answer on', async () => {
    const { server, agent } = room();
    const call = await server.call();
    agent.send({ type: 'tools.set', id: 't', enabled: ['pay', 'nobody knows this'] });
    await call.user('hello');
    await call.user('hello');
    expect(call.tools.map(({ name }) => name)).toEqual(['pay', 'confirm_pending']);
    await expect(call.tool('hours', { day: 'friday' })).resolves.toMatchObject({ status: 'unknown_tool' });
  });

  it.each(['ok', 'rejected', 'unavailable', 'outcome_unknown', 'unsupported'] as const)(
    'transfer: the carrier says %s',
    async (outcome: TransferOutcome) => {
      const { server, agent, clock } = room({}, { transfer: outcome });
      await server.call();
      agent.send({ type: 'transfer', id: 't', destination: '+390612345678', mode: 'warm' });
      await clock.settle();
      const [result] = agent.heardOf('command.result');
      expect(result?.ok ? 'ok' : result?.error?.code).toBe(outcome);
    },
  );

  it('transfer is unsupported without call control, and unknown when the carrier takes more than 10 s', async () => {
    const without = room({}, { transfer: 'none' });
    await without.server.call();
    expect(without.agent.starts[0]).toMatchObject({ capabilities: { transfer: false, tools: true } });
    without.agent.send({ type: 'transfer', id: 't', destination: '+390612345678' });
    await without.clock.settle();
    expect(without.agent.heardOf('command.result')).toMatchObject([{ error: { code: 'unsupported' } }]);
    const slow = room({}, { transfer: () => new Promise(() => undefined) });
    await slow.server.call();
    slow.agent.send({ type: 'transfer', id: 't', destination: '+390612345678' });
    await slow.clock.advance(10_000);
    expect(slow.agent.heardOf('command.result')).toMatchObject([{ error: { code: 'outcome_unknown' } }]);
  });

  it('transfer and end run one at a time; four more wait, the next is refused', async () => {
    const { server, agent, clock } = room({}, { transfer: () => new Promise(() => undefined) });
    await server.call();
    for (let index = 0; index < 8; index += 1) {
      agent.send({ type: 'transfer', id: `t${index}`, destination: '+390612345678' });
    }
    await clock.settle();
    expect(agent.heardOf('command.result').map(({ id, error }) => [id, error?.code])).toEqual([
      ['t5', 'queue_full'],
      ['t6', 'queue_full'],
      ['t7', 'queue_full'],
    ]);
  });

  it('end waits for the bot to fall silent, for 30 s at most', async () => {
    const { server, agent, clock } = room({}, { speechMsPerCharacter: 10_000 });
    const call = await server.call();
    agent.send({ type: 'end', id: 'e', say: 'A very long farewell.' });
    await clock.advance(29_999);
    expect(call.endReason).toBeUndefined();
    await clock.runUntil(call.ended);
    expect(clock.nowMs()).toBe(30_000);
    expect(agent.heard.slice(-3)).toMatchObject([
      { type: 'command.result', ok: true },
      { type: 'session.usage' },
      { type: 'session.end' },
    ]);
  });

  it('that breaks a rule is answered with its code', async () => {
    const { server, agent, clock } = room({}, { strict: false });
    const call = await server.call();
    agent.send({ type: 'say', id: '1', text: 'x'.repeat(4_096) });
    agent.send({ type: 'say', id: '2', text: 'x'.repeat(4_097) });
    agent.send({ type: 'transfer', id: '3', destination: '12345' });
    agent.send({ type: 'tools.set', id: '4', enabled: Array(257).fill('t') });
    agent.send({ type: 'end', id: '5', say: ' ' });
    await clock.settle();
    expect(agent.heardOf('command.result').map(({ id, ok, error }) => [id, ok || error?.code])).toEqual([
      ['1', true],
      ['2', 'invalid_argument'],
      ['3', 'invalid_argument'],
      ['4', 'too_large'],
      ['5', 'invalid_argument'],
    ]);
    expect(call.violations).toHaveLength(4);
  });
});
