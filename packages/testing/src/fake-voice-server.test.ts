import { type FakeCall, FakeVoiceServer } from '.';
import { BRAIN, RUN, room, TOOLS } from './room.test-support';
import { serveTinyAgent, TinyAgent } from './tiny-agent.test-support';
import { webSocketTransport } from './web-socket-transport';

const typesFor = (call: FakeCall, from: 'server' | 'agent'): string[] =>
  call.frames.filter((frame) => frame.from === from).map((frame) => frame.type);

describe('FakeVoiceServer', () => {
  it('plays a whole call: start, greeting, tool, answer, usage, end', async () => {
    const { server, agent, clock } = room({ greeting: 'Good evening!' });
    const call = await server.call({ from: '+390612345678' });
    const turn = await call.user('What are the hours on friday?');
    await call.hangUp();
    expect(turn).toMatchObject({ said: 'Open six to eleven.', interrupted: false });
    expect(agent.starts[0]).toMatchObject({
      seq: 1,
      t_ms: 0,
      session_id: '1',
      call: { from: '+390612345678' },
    });
    expect(agent.heard.map(({ seq }) => seq)).toEqual(agent.heard.map((_, index) => index + 1));
    expect(agent.heard.at(-2)).toMatchObject({ type: 'session.usage', turns: 2 });
    expect(agent.heard.at(-1)).toMatchObject({ type: 'session.end', reason: 'call_ended' });
    expect(agent.closes).toEqual([1000]);
    expect(clock.pendingTimerCount).toBe(0);
  });

  it('raises the events of a typed turn in the real order, the tool call in front of them', async () => {
    const { server } = room();
    const call = await server.call();
    await call.user('hours on monday');
    await call.hangUp();
    expect(typesFor(call, 'server')).toEqual([
      'session.start',
      'tool.call',
      'user.text',
      'bot.llm_started',
      'bot.llm_started',
      ...Array(4).fill('bot.text'),
      'bot.llm_stopped',
      'bot.tts_text',
      'bot.tts_stopped',
      'turn.bot_started',
      'turn.metrics',
      'turn.bot_ended',
      'session.usage',
      'session.end',
    ]);
  });

  it('sends only the events that the agent subscribed to', async () => {
    const { server } = room({ events: ['user.text'] });
    const call = await server.call();
    await call.user('hello');
    await call.hangUp();
    expect(typesFor(call, 'server')).toEqual(['session.start', 'user.text', 'session.usage', 'session.end']);
  });

  it('holds a call that wants a yes until a later turn of the user', async () => {
    const { server, agent } = room();
    const call = await server.call();
    await call.user('pay please');
    expect(agent.heardOf('tool.call')).toHaveLength(0);
    await call.user('yes');
    expect(agent.heardOf('tool.call')).toMatchObject([
      { name: 'pay', arguments: { amount: 5 }, call_id: 't1.0' },
    ]);
    await expect(call.user('yes')).rejects.toThrow(/CW_BRAIN_NOTHING_TO_CONFIRM/);
  });

  it('never sends arguments that do not fit, nor unknown tools', async () => {
    const { server, agent } = room();
    const call = await server.call();
    await expect(call.tool('hours', {})).resolves.toMatchObject({ status: 'invalid_arguments' });
    await expect(call.tool('nothing', {})).resolves.toMatchObject({ status: 'unknown_tool' });
    expect(agent.heardOf('tool.call')).toHaveLength(0);
  });

  it('ends the call when the agent asks for it, the farewell spoken and the result in front of the end', async () => {
    const { server, agent } = room();
    const call = await server.call();
    agent.onMessage((message) => {
      if (message.type === 'user.text') agent.send({ type: 'end', id: 'e1', say: 'Ciao!', re: message.seq });
    });
    await call.user('bye');
    await expect(call.ended).resolves.toBe('ended_by_agent');
    expect(agent.heard.slice(-3)).toMatchObject([
      { type: 'command.result', id: 'e1', ok: true },
      { type: 'session.usage' },
      { type: 'session.end', reason: 'ended_by_agent' },
    ]);
    expect(agent.heardOf('bot.tts_text').map(({ text }) => text)).toEqual(['Goodbye.', 'Ciao!']);
  });

  it('fails a strict test with the reason and the timeline when the agent sends what a server refuses', async () => {
    const { server, agent } = room();
    const call = await server.call();
    agent.send({ type: 'say', text: 5 });
    await expect(call.user('hello')).rejects.toThrow(/CW_FRAME_REFUSED: .*bad_message[\s\S]*caller {3}hello/);
  });

  it('answers what it refuses as the real server does when it is not strict', async () => {
    const { server, agent, clock } = room({}, { strict: false });
    const call = await server.call();
    agent.send({ type: 'say', id: 'r1', text: ' ' });
    agent.send({ type: 'fly', id: 'r2' });
    agent.send({ type: 'fly' });
    agent.sendText('not json');
    agent.send({ type: 'session.accept', version: 1 });
    agent.send({ type: 'tool.result', id: 999, result: 1 });
    await clock.settle();
    expect(agent.heardOf('command.result')).toMatchObject([
      { id: 'r1', ok: false, error: { code: 'invalid_argument' } },
      { id: 'r2', ok: false, error: { code: 'unknown_type' } },
    ]);
    expect(agent.heardOf('error').map(({ message }) => message.split(':')[0])).toEqual([
      'unknown_type',
      'bad_message',
      'not_ready',
    ]);
    await call.hangUp();
  });

  it('speaks for as long as the text is long, and can be interrupted', async () => {
    const { server, agent, clock } = room({}, { speechMsPerCharacter: 10 });
    const call = await server.call();
    const first = call.user('hello');
    await clock.advance(50);
    const second = call.user('hours on sunday');
    await expect(first).resolves.toMatchObject({ interrupted: true });
    await clock.runUntil(second);
    expect(agent.heardOf('turn.interrupted')).toMatchObject([{ epoch: 1 }]);
    expect(agent.heardOf('turn.bot_ended')).toMatchObject([{ epoch: 1 }]);
  });

  it('rejects when the agent rejects the call, or cannot be reached', async () => {
    const reject = room({ answer: () => '{"type":"session.reject","code":"busy","message":"not today"}' });
    await expect(reject.server.call()).rejects.toMatchObject({ name: 'LinkRefused', code: 'busy' });
    const silent = room({ answer: () => undefined });
    await expect(silent.clock.runUntil(silent.server.call())).rejects.toThrow(/2000 ms/);
    const nobody = new FakeVoiceServer({ transport: webSocketTransport('ws://127.0.0.1:9'), brain: BRAIN });
    await expect(nobody.call()).rejects.toThrow(/cannot be reached/);
  });

  it('plays the same call over a real socket', async () => {
    const agent = new TinyAgent({ tools: TOOLS, run: RUN, greeting: 'Good evening!' });
    const served = await serveTinyAgent(agent);
    const server = new FakeVoiceServer({ transport: webSocketTransport(served.url), brain: BRAIN });
    const call = await server.call();
    await expect(call.user('hours on friday')).resolves.toMatchObject({ said: 'Open six to eleven.' });
    await call.hangUp();
    await served.close();
    expect(agent.heard.at(-1)).toMatchObject({ type: 'session.end' });
  });
});
