import './jest';
import {
  calledTool,
  confirmedBeforeRunning,
  endedWith,
  type FakeCall,
  neverLeaked,
  noSilenceLongerThan,
  ranOnce,
  said,
  transferredWith,
  verify,
} from '.';
import { type Room, room } from './room.test-support';
import { tool } from './tiny-agent.test-support';

async function playedCall(): Promise<Room & { call: FakeCall }> {
  const made = room({ greeting: 'Good evening!' });
  const call = await made.server.call({ from: '+39 06 1234 5678' });
  await call.user('hours on friday');
  await call.user('pay please');
  await call.user('yes');
  made.agent.send({
    type: 'transfer',
    destination: '+390612345678',
    mode: 'warm',
    summary: 'Wants a table.',
  });
  await made.clock.settle();
  await call.hangUp();
  return { ...made, call };
}

describe('expectations', () => {
  it('hold of a call that went as wanted', async () => {
    const { call } = await playedCall();
    verify(
      said(call, 'Good evening!'),
      said(call, /^open six/i),
      calledTool(call, 'hours', { day: 'friday' }),
      ranOnce(call, 'pay', { amount: 5 }),
      confirmedBeforeRunning(call, 'pay'),
      transferredWith(call, { destination: '+390612345678', mode: 'warm', summary: /table/ }),
      endedWith(call, 'call_ended'),
      neverLeaked(call, 'a secret', 'a log line'),
      noSilenceLongerThan(call, 0),
    );
  });

  it.each([
    ['said', (call: FakeCall) => said(call, 'Good morning'), /never said "Good morning"/],
    [
      'calledTool',
      (call: FakeCall) => calledTool(call, 'hours', { day: 'monday' }),
      /sent to the agent 0 times/,
    ],
    ['ranOnce', (call: FakeCall) => ranOnce(call, 'book'), /book was sent to the agent 0 times/],
    [
      'confirmedBeforeRunning',
      (call: FakeCall) => confirmedBeforeRunning(call, 'hours'),
      /1 times without a yes/,
    ],
    ['confirmedBeforeRunning', (call: FakeCall) => confirmedBeforeRunning(call, 'book'), /book never ran/],
    ['transferredWith', (call: FakeCall) => transferredWith(call, { mode: 'cold' }), /wanted: mode "cold"/],
    ['endedWith', (call: FakeCall) => endedWith(call, 'ended_by_agent'), /ended with call_ended/],
    ['neverLeaked', (call: FakeCall) => neverLeaked(call, '+39 06-12345678'), /found in a transfer/],
    [
      'neverLeaked',
      (call: FakeCall) => neverLeaked(call, 'blue', 'a blue log line'),
      /found in the given texts/,
    ],
  ])('%s fails with the reason and the timeline', async (_name, expectation, reason) => {
    const { call } = await playedCall();
    expect(() => verify(expectation(call))).toThrow(reason);
    expect(() => verify(expectation(call))).toThrow(/caller {3}hours on friday/);
  });

  it('noSilenceLongerThan counts from the words of the caller to the next words of the bot', async () => {
    const { server, clock, agent } = room({ tools: [tool('hours', { filler_after_ms: 0 })], run: {} });
    const call = await server.call();
    const turn = call.user('hours on friday');
    await clock.advance(3_000);
    agent.send({ type: 'tool.result', id: 1, result: 'six' });
    await turn;
    verify(noSilenceLongerThan(call, 3_000));
    expect(() => verify(noSilenceLongerThan(call, 2_999))).toThrow(
      /longest silence was 3000 ms, from 0 ms on/,
    );
  });

  it('are matchers of jest too', async () => {
    const { call } = await playedCall();
    expect(call).toHaveSaid('Good evening!');
    expect(call).not.toHaveSaid('Good morning!');
    expect(call).toHaveCalledTool('hours');
    expect(call).toHaveRunOnce('pay');
    expect(call).toHaveConfirmedBeforeRunning('pay');
    expect(call).toHaveTransferredWith({ mode: 'warm' });
    expect(call).toHaveEndedWith('call_ended');
    expect(call).not.toHaveLeaked('a secret');
    expect(call).not.toHaveSilenceLongerThan(0);
    expect(() => expect(call).toHaveEndedWith('ended_by_agent')).toThrow(
      /ended with call_ended[\s\S]*timeline|caller/,
    );
  });
});
