import { type Brain, rules, script, when } from '.';
import { room } from './room.test-support';

const play = async (brain: Brain): Promise<(text: string) => Promise<string>> => {
  const call = await room({}, { brain }).server.call();
  return async (text) => (await call.user(text)).said;
};

describe('rules', () => {
  it('play the first rule that matches, again and again', async () => {
    const say = await play(
      rules([when(/^a/).say('first'), when(/a/).say('second'), when('xyz').say('third')]),
    );
    expect([await say('ab'), await say('ba'), await say('ab'), await say(' xyz ')]).toEqual([
      'first',
      'second',
      'first',
      'third',
    ]);
  });

  it('fail on words that nothing matches, naming the nearest rule', async () => {
    const say = await play(rules([when(/opening hours/).say('Six.'), when(/book a table/).say('Booked.')]));
    await expect(say('could you book me tables')).rejects.toThrow(
      /CW_BRAIN_NO_MATCH[\s\S]*"could you book me tables" \(2 rules\)[\s\S]*when\(\/book a table\/\)/,
    );
    await expect((await play(rules([])))('hello')).rejects.toThrow(/There are no rules/);
  });

  it('give arguments the match, and lines the outcomes', async () => {
    const brain = rules([
      when(/on (\w+)/gi)
        .call('hours', (match) => ({ day: match[1] }))
        .call('hours', (_match, heard) => ({ day: heard.outcomes[0]?.text }))
        .say((heard) => `${heard.text}: ${heard.outcomes.map(({ args }) => args.day).join(', ')}`),
    ]);
    const say = await play(brain);
    await expect(say('On Friday')).resolves.toBe('On Friday: Friday, six to eleven');
    await expect(say('On Monday')).resolves.toBe('On Monday: Monday, six to eleven');
  });

  it('call tools together in one round', async () => {
    const brain = rules([
      when(/both/)
        .callTogether(['hours', { day: 'monday' }], ['hours', { day: 'friday' }])
        .say('Both.'),
    ]);
    const { server, agent } = room({}, { brain });
    await (await server.call()).user('both');
    expect(agent.heardOf('tool.call').map(({ call_id }) => call_id)).toEqual(['t0.0', 't0.1']);
    expect(agent.heardOf('bot.llm_started')).toHaveLength(2);
  });
});

describe('a script', () => {
  it('plays its steps in order, from the start in each call, and knows what is left', async () => {
    const brain = script([when('one').say('1'), when('two').say('2')]);
    const first = await play(brain);
    expect([await first('one'), brain.remaining]).toEqual(['1', ['"two"']]);
    expect([await first('two'), brain.remaining]).toEqual(['2', []]);
    const second = await play(brain);
    await expect(second('one')).resolves.toBe('1');
  });

  it('fails on words out of order and after the end', async () => {
    const say = await play(script([when('one').say('1')]));
    await expect(say('two')).rejects.toThrow(/CW_BRAIN_OUT_OF_SCRIPT[\s\S]*step 1 of 1[\s\S]*expects "one"/);
    const again = await play(script([when('one').say('1')]));
    await again('one');
    await expect(again('one')).rejects.toThrow(/no more steps/);
  });
});

describe('a brain', () => {
  it('never answers with silence', async () => {
    expect(() => rules([when(/a/).call('hours')])).toThrow(/CW_BRAIN_STEP_SILENT/);
    expect(() => script([when('a')])).toThrow(/CW_BRAIN_STEP_SILENT/);
    const silent: Brain = { startCall: () => ({ respond: () => ({ say: '  ' }) }) };
    await expect((await play(silent))('hello')).rejects.toThrow(/CW_BRAIN_SILENT/);
  });

  it('runs tools in 6 rounds of a turn, is refused in the next, and is stopped after that', async () => {
    const endless: Brain = {
      startCall: () => ({ respond: () => ({ calls: [{ name: 'hours', args: { day: 'friday' } }] }) }),
    };
    const { server, agent } = room({}, { brain: endless });
    const call = await server.call();
    await expect(call.user('hello')).rejects.toThrow(/CW_BRAIN_ENDLESS_ROUNDS/);
    expect(agent.heardOf('tool.call')).toHaveLength(6);
    expect(call.transcript.filter((entry) => entry.kind === 'tool').at(-1)).toMatchObject({
      status: 'budget_exhausted',
    });
  });

  it('may say something and call a tool in the same round', async () => {
    const brain: Brain = {
      startCall: () => ({
        respond: ({ round }) =>
          round === 0
            ? { say: 'Let me see. ', calls: [{ name: 'hours', args: { day: 'friday' } }] }
            : { say: 'Six.' },
      }),
    };
    await expect((await play(brain))('hello')).resolves.toBe('Let me see. Six.');
  });

  it('is refused after two malformed rounds of a turn', async () => {
    const bad: Brain = {
      startCall: () => ({
        respond: ({ round }) => (round < 3 ? { calls: [{ name: 'nobody', args: {} }] } : { say: 'Sorry.' }),
      }),
    };
    const call = await room({}, { brain: bad }).server.call();
    await call.user('hello');
    const statuses = call.transcript.map((entry) => (entry.kind === 'tool' ? entry.status : undefined));
    expect(statuses.filter(Boolean)).toEqual(['unknown_tool', 'unknown_tool', 'budget_exhausted']);
  });
});
