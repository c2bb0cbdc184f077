import { FakeVoiceServer, type FakeVoiceServerOptions, memoryTransport, rules, VirtualClock, when } from '.';
import { TinyAgent, type TinyAgentOptions, tool } from './tiny-agent.test-support';

export const TOOLS = [
  tool('hours', {
    parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  }),
  tool('book', { kind: 'side_effect' }),
  tool('pay', { kind: 'side_effect', confirm: true }),
];
export const RUN = { hours: () => 'six to eleven', book: () => ({ table: 4 }), pay: () => 'paid' };

export const BRAIN = rules([
  when(/hours on (\w+)/)
    .call('hours', (m) => ({ day: m[1] }))
    .say((heard) => `Open ${heard.outcomes[0]?.text}.`),
  when(/pay/).call('pay', { amount: 5 }).say('Shall I pay?'),
  when(/yes/).confirm().say('Paid.'),
  when(/hello/).say('Hello there.'),
  when(/bye/).say('Goodbye.'),
]);

export interface Room {
  readonly agent: TinyAgent;
  readonly clock: VirtualClock;
  readonly server: FakeVoiceServer;
}

/** A voice server and an agent in one process, on one virtual clock. */
export function room(
  agentOptions: TinyAgentOptions = {},
  options: Partial<FakeVoiceServerOptions> = {},
): Room {
  const clock = new VirtualClock();
  const agent = new TinyAgent({ tools: TOOLS, run: RUN, ...agentOptions });
  const transport = memoryTransport(agent.accept, { clock });
  return { agent, clock, server: new FakeVoiceServer({ transport, clock, brain: BRAIN, ...options }) };
}
