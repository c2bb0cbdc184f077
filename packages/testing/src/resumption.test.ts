import { room } from './room.test-support';
import { tool } from './tiny-agent.test-support';

const startsOf = (agent: { starts: readonly unknown[] }): unknown[] => agent.starts.slice(1);

describe('a lost link', () => {
  it('is reopened after a short wait, with the numbers going on', async () => {
    const { server, agent, clock } = room({ resume: true });
    const call = await server.call();
    await call.user('hello');
    const lastSeq = agent.heard.at(-1)?.seq ?? 0;
    call.cut();
    await clock.runUntil(call.resume());
    expect(startsOf(agent)).toMatchObject([
      { seq: lastSeq + 1, session_id: '1', resume: { attempt: 1, previous_seq: lastSeq } },
    ]);
    const downMs = (agent.starts[1] as { resume: { down_ms: number } }).resume.down_ms;
    expect(downMs).toBeGreaterThanOrEqual(50);
    expect(downMs).toBeLessThanOrEqual(100);
    expect(agent.closes).toEqual([1006]);
    await expect(call.user('hello')).resolves.toMatchObject({ said: 'Hello there.' });
    await call.hangUp();
    expect(clock.pendingTimerCount).toBe(0);
  });

  it('burns a number for each attempt that fails, and gives up after five', async () => {
    const { server, agent, clock } = room({ resume: true });
    const call = await server.call();
    call.refuseDials(2);
    call.cut();
    await clock.runUntil(call.resume());
    expect(startsOf(agent)).toMatchObject([{ seq: 4, resume: { attempt: 3, previous_seq: 1 } }]);
    call.refuseDials(9);
    call.cut();
    await expect(clock.runUntil(call.resume())).rejects.toThrow(/used up/);
    expect(call.transcript.at(-1)).toMatchObject({ kind: 'link', what: 'gone' });
  });

  it('begins to count attempts anew only after a connection that lived 5 s', async () => {
    const { server, agent, clock } = room({ resume: true });
    const call = await server.call();
    for (const livedMs of [4_900, 5_000]) {
      call.cut();
      await clock.runUntil(call.resume());
      await clock.advance(livedMs);
    }
    call.cut();
    await clock.runUntil(call.resume());
    expect(
      agent.starts.map((start) => (start.type === 'session.start' ? start.resume?.attempt : undefined)),
    ).toEqual([undefined, 1, 2, 1]);
  });

  it('is not reopened for an agent that does not keep its calls', async () => {
    const { server, clock } = room();
    const call = await server.call();
    call.cut();
    await clock.advance(60_000);
    expect(call.transcript.filter((entry) => entry.kind === 'link')).toMatchObject([
      { what: 'connected' },
      { what: 'lost' },
      { what: 'gone' },
    ]);
    await expect(call.user('hello')).resolves.toMatchObject({ said: 'Hello there.' });
  });

  it('is final when the agent rejects the resumption or forgets `resume`', async () => {
    for (const second of [
      '{"type":"session.reject","code":"unknown_session"}',
      '{"type":"session.accept","version":1}',
    ]) {
      let answers = 0;
      const accept = '{"type":"session.accept","version":1,"resume":true}';
      const { server, agent, clock } = room({ answer: () => (answers++ === 0 ? accept : second) });
      const call = await server.call();
      call.cut();
      await expect(clock.runUntil(call.resume())).rejects.toThrow(
        /refused the resumption|without `resume: true`/,
      );
      await clock.advance(60_000);
      expect(agent.starts).toHaveLength(2);
    }
  });

  it('counts what the agent missed and says so before the next event', async () => {
    const { server, agent, clock } = room({ resume: true });
    const call = await server.call();
    call.cut();
    await call.user('hello');
    await clock.runUntil(call.resume());
    await call.user('hello');
    const lost = agent.heardOf('events.lost');
    expect(lost).toMatchObject([{ count: 10 }]);
    expect(agent.heard.indexOf(lost[0] as never) + 1).toBe(
      agent.heard.indexOf(agent.heardOf('user.text')[0] as never),
    );
  });

  it('fails the tools that wait, and offers none while the agent is away', async () => {
    const { server, clock } = room({ resume: true, tools: [tool('slow', { kind: 'side_effect' })], run: {} });
    const call = await server.call();
    const outcome = call.tool('slow');
    await clock.settle();
    call.cut();
    await expect(outcome).resolves.toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/outcome is unknown/),
    });
    await call.user('hello');
    expect(call.tools).toEqual([]);
    await clock.runUntil(call.resume());
    await clock.advance(10);
    await call.user('hello');
    expect(call.tools.map(({ name }) => name)).toEqual(['slow']);
  });

  it('undoes a tools.set, and one sent right behind the accept of a resumption too', async () => {
    const { server, agent, clock } = room({ resume: true });
    const call = await server.call();
    agent.onMessage((message) => {
      if (message.type !== 'session.start') return;
      agent.send({ type: 'tools.set', id: `set ${message.seq}`, enabled: ['hours'] });
    });
    call.cut();
    await clock.runUntil(call.resume());
    await clock.advance(9);
    await call.user('hello');
    expect(call.tools.map(({ name }) => name)).toContain('book');
    agent.send({ type: 'tools.set', id: 'again', enabled: ['hours'] });
    await clock.settle();
    await call.user('hello');
    expect(call.tools.map(({ name }) => name)).toEqual(['hours']);
  });

  it('may be half open: the old connection still looks alive when the new one comes', async () => {
    const { server, agent, clock } = room({ resume: true });
    const call = await server.call();
    call.halfOpen();
    await clock.runUntil(call.resume());
    expect(agent.closes).toEqual([]);
    expect(agent.starts).toHaveLength(2);
    await call.hangUp();
  });

  it('is noticed after three silent pings when the network dies in silence', async () => {
    const { server, agent, clock } = room({ resume: true });
    const call = await server.call();
    call.silence();
    await clock.advance(39_999);
    expect(call.isLinked).toBe(true);
    await clock.advance(1);
    expect(call.isLinked).toBe(false);
    await clock.runUntil(call.resume());
    expect(agent.starts).toHaveLength(2);
  });

  it('stays up as long as pongs come', async () => {
    const { server, clock } = room({ resume: true });
    const call = await server.call();
    await clock.advance(600_000);
    expect(call.isLinked).toBe(true);
  });

  it('is not reopened after the agent asked for the end', async () => {
    const { server, agent, clock } = room({ resume: true }, { speechMsPerCharacter: 50 });
    const call = await server.call();
    agent.send({ type: 'end', id: 'e', say: 'Goodbye.' });
    await clock.settle();
    agent.connection.close(1000, '');
    await clock.runUntil(call.ended);
    expect(call.endReason).toBe('ended_by_agent');
    expect(agent.starts).toHaveLength(1);
    expect(call.transcript).toContainEqual(
      expect.objectContaining({ kind: 'bot', text: 'Goodbye.', source: 'farewell' }),
    );
  });
});

describe('faults of the network', () => {
  it('writes a frame twice', async () => {
    const { server, agent } = room();
    const call = await server.call();
    call.duplicateNext('tool.call');
    await call.tool('hours', { day: 'friday' }).catch(() => undefined);
    const calls = agent.heardOf('tool.call');
    expect(calls).toHaveLength(2);
    expect(calls[0]).toEqual(calls[1]);
    expect(call.violations).toEqual(['a second tool.result for id 1']);
  });

  it('loses a frame, whose number is used up', async () => {
    const { server, agent, clock } = room();
    const call = await server.call();
    call.drop('command.result');
    agent.send({ type: 'say', id: 's', text: 'Well.' });
    await clock.settle();
    expect(agent.heardOf('command.result')).toEqual([]);
    expect(agent.heard[1]).toMatchObject({ type: 'bot.llm_started', seq: 3 });
  });

  it('delays frames, in order, and the end with them', async () => {
    const { server, agent, clock } = room();
    const call = await server.call();
    call.delay(300);
    await call.user('hello');
    expect(agent.heardOf('user.text')).toEqual([]);
    await clock.advance(300);
    expect(agent.heardOf('user.text')).toHaveLength(1);
    await clock.runUntil(call.hangUp());
    expect(agent.heard.at(-1)).toMatchObject({ type: 'session.end' });
    expect(agent.closes).toEqual([1000]);
  });

  it('resets everything when the server restarts, and counts sessions from the first again', async () => {
    const { server, agent } = room({ resume: true });
    const call = await server.call();
    server.restart();
    await expect(call.ended).resolves.toBe('server_crashed');
    await server.call();
    expect(agent.starts).toMatchObject([{ session_id: '1' }, { session_id: '1' }]);
  });
});
