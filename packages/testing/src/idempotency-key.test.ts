import { idempotencyKey } from './idempotency-key';

describe('idempotencyKey', () => {
  it.each([
    // Seen on the wire of the real voice server.
    ['1795971218946001', 2, 't2.0', 'e715c6fdf2bcfc3a'],
    ['1795971210663001', 4, 't4.0', '671e7f9b5faa0c42'],
  ])('of session %s, epoch %i, call %s is %s', (sessionId, epoch, callId, key) => {
    expect(idempotencyKey(sessionId, epoch, callId)).toBe(key);
  });

  it('is the same for two servers that count their calls alike', () => {
    expect(idempotencyKey('1', 1, 't1.0')).toBe(idempotencyKey('1', 1, 't1.0'));
    expect(idempotencyKey('1', 1, 't1.0')).not.toBe(idempotencyKey('2', 1, 't1.0'));
  });
});
