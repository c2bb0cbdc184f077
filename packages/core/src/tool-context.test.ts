import { EventEmitter, getMaxListeners } from 'node:events';
import type { Call } from './call';
import { ToolContext } from './tool-context';

const request = {
  id: 1,
  callId: 't1.1',
  name: 'book',
  args: {},
  kind: 'side_effect',
  epoch: 1,
  wireKey: 'k1',
  timeoutMs: 5_000,
  source: '{}',
  readArgs: () => ({}),
} as const;

describe('the signal of a tool', () => {
  it('may be given to any number of operations without a warning', () => {
    const { signal } = new ToolContext({} as Call, request); // the call is not looked at
    expect(listenerLimit(signal)).toBe(0);
    expect(listenerLimit(new EventTarget())).toBeGreaterThan(0);
  });

  it('leaves the limit of everything else alone', () => {
    const before = EventEmitter.defaultMaxListeners;
    void new ToolContext({} as Call, request).signal; // the call is not looked at
    expect(EventEmitter.defaultMaxListeners).toBe(before);
    expect(before).toBeGreaterThan(0);
  });
});

/** Node 20 throws where a target has no limit. */
function listenerLimit(target: EventTarget): number {
  try {
    return getMaxListeners(target);
  } catch {
    return 0;
  }
}
