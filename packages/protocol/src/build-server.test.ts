import { buildServerMessage } from './build-server';
import { serverExamples } from './examples.test-support';
import { parseServerMessage } from './parse-server';
import type { ServerMessage } from './server-messages';

describe('a built server message', () => {
  test.each(Object.entries(serverExamples))('%s is read back whole', (_type, example) => {
    const frame = buildServerMessage(example);
    expect(parseServerMessage(frame)).toEqual(example);
    expect(buildServerMessage(parseServerMessage(frame) as ServerMessage)).toBe(frame);
  });

  test.each([
    { type: 'user.text', epoch: 1 },
    { type: 'turn.interrupted', epoch: Number.NaN },
    { type: 'user.smell' },
    { type: 'unknown', wire_type: 'x' },
    { ...serverExamples['tool.call'], arguments: { when: 1n } },
  ])('case %# is refused', (message) => {
    expect(() => buildServerMessage(message as unknown as ServerMessage)).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });

  test('is refused when its arguments are a cycle', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const message = { ...serverExamples['tool.call'], arguments: cycle } as ServerMessage;
    expect(() => buildServerMessage(message)).toThrow('is not JSON data');
  });
});
