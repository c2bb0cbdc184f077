import { VirtualClock } from '@callwright/testing';
import { WRITE_TIMEOUT_MS, WriteWatch } from './write-watch';

function watched() {
  const clock = new VirtualClock();
  const transport = { writableLength: 0, bytesWritten: 0 };
  let stuck = 0;
  const watch = new WriteWatch(transport, clock, () => {
    stuck += 1;
  });
  return { clock, transport, watch, stuckCount: () => stuck };
}

describe('a link that writes', () => {
  it('has no timer while the system takes everything', () => {
    const { clock, watch } = watched();
    watch.look();
    expect(clock.pendingTimerCount).toBe(0);
  });

  it('is stuck when nothing of what waits was taken for 2 s, and not before', async () => {
    const { clock, transport, watch, stuckCount } = watched();
    Object.assign(transport, { writableLength: 500, bytesWritten: 700 });
    watch.look();
    await clock.advance(WRITE_TIMEOUT_MS - 1);
    Object.assign(transport, { writableLength: 900, bytesWritten: 1_100 });
    watch.look();
    expect(stuckCount()).toBe(0);
    await clock.advance(1);
    expect(stuckCount()).toBe(1);
    expect(clock.pendingTimerCount).toBe(0);
  });

  it('is not stuck while the peer takes something, however much waits', async () => {
    const { clock, transport, watch, stuckCount } = watched();
    Object.assign(transport, { writableLength: 500, bytesWritten: 700 });
    watch.look();
    for (let taken = 1; taken < 5; taken += 1) {
      transport.writableLength -= 1;
      await clock.advance(WRITE_TIMEOUT_MS);
    }
    transport.writableLength = 0;
    await clock.advance(WRITE_TIMEOUT_MS);
    expect(stuckCount()).toBe(0);
    expect(clock.pendingTimerCount).toBe(0);
  });

  it('is never stuck after its socket is gone', async () => {
    const { clock, transport, watch, stuckCount } = watched();
    transport.writableLength = 1;
    watch.look();
    watch.stop();
    watch.look();
    await clock.advance(WRITE_TIMEOUT_MS);
    expect(stuckCount()).toBe(0);
    expect(clock.pendingTimerCount).toBe(0);
  });
});
