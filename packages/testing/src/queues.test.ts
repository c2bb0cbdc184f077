import * as fc from 'fast-check';
import type { FakeCall } from '.';
import { type Room, room } from './room.test-support';

describe('the queues of the server', () => {
  it('hold 256 events; what comes above is lost, and reported in front of the next that fits', async () => {
    const { server, agent, clock } = room();
    const call = await server.call();
    for (let index = 0; index < 300; index += 1)
      call.emit({ type: 'language.switched', from: 'en', to: `${index}` });
    await clock.settle();
    expect(agent.heardOf('language.switched')).toHaveLength(256);
    call.emit({ type: 'language.switched', from: 'en', to: 'it' });
    await clock.settle();
    expect(agent.heard.slice(-2)).toMatchObject([
      { type: 'events.lost', count: 44 },
      { type: 'language.switched', to: 'it' },
    ]);
  });

  it('hold 64 control messages; a result above is dropped without a word', async () => {
    const { server, agent, clock } = room({}, { strict: false });
    await server.call();
    for (let index = 0; index < 70; index += 1) agent.send({ type: 'fly', id: `${index}` });
    await clock.settle();
    expect(agent.heardOf('command.result')).toHaveLength(64);
  });
});

type Action = (made: Room, call: FakeCall) => Promise<unknown>;

const ACTIONS: Readonly<Record<string, Action>> = {
  hello: ({ clock }, call) => clock.runUntil(call.user('hello')),
  hours: ({ clock }, call) => clock.runUntil(call.user('hours on friday')),
  begin: async (_made, call) => void call.user('hello').catch(() => undefined),
  tool: ({ clock }, call) => clock.runUntil(call.tool('book', { table: 4 })),
  say: async ({ agent }) => agent.send({ type: 'say', id: 's', text: 'A line.' }),
  cutIn: async ({ agent }) => agent.send({ type: 'say', text: 'Cut in.', interrupt: true }),
  narrow: async ({ agent }) => agent.send({ type: 'tools.set', id: 't', enabled: ['hours'] }),
  wait: ({ clock }) => clock.advance(700),
  cut: async (_made, call) => call.cut(),
  halfOpen: async (_made, call) => call.halfOpen(),
  resume: ({ clock }, call) => clock.runUntil(call.resume().catch(() => undefined)),
};

describe('any call', () => {
  it('counts its messages without a gap but those that failed redials burn, and leaves nothing running', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(ACTIONS)), { maxLength: 25 }),
        async (names) => {
          const made = room({ resume: true, greeting: 'Good evening!' }, { speechMsPerCharacter: 10 });
          const call = await made.server.call();
          for (const name of names) await ACTIONS[name]?.(made, call);
          await made.clock.runUntil(call.hangUp());
          const written = call.frames
            .filter(({ from }) => from === 'server')
            .map(({ text }) => JSON.parse(text));
          written.forEach((message, index) => {
            const before = index === 0 ? 0 : written[index - 1].seq;
            if (message.resume === undefined) expect(message.seq).toBe(before + 1);
            else expect(message.resume.previous_seq).toBe(before);
          });
          expect(call.violations).toEqual([]);
          await made.clock.advance(60_000);
          expect(made.clock.pendingTimerCount).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});
