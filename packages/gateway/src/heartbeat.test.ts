import { Logger, silentSink } from '@callwright/core';
import { VirtualClock } from '@callwright/testing';
import type { BrisvoxConnection } from './connection';
import { HEARTBEAT_INTERVAL_MS, Heartbeat } from './heartbeat';

/** Stands for a connection: what is heard is said by the test, pings and cuts are counted. */
class FakeConnection {
  pings = 0;
  cuts = 0;
  heard = true;
  #silentChecks = 0;
  readonly link = {
    ping: () => {
      this.pings += 1;
    },
    giveUp: () => {
      this.cuts += 1;
    },
  };

  countSilentChecks(): number {
    this.#silentChecks = this.heard ? 0 : this.#silentChecks + 1;
    this.heard = false;
    return this.#silentChecks;
  }
}

// Only what the heartbeat uses of a connection is there.
const asConnection = (fake: FakeConnection): BrisvoxConnection => fake as unknown as BrisvoxConnection;

const setUp = () => {
  const clock = new VirtualClock();
  return { clock, heartbeat: new Heartbeat(clock, new Logger({ sink: silentSink })) };
};

describe('the heartbeat', () => {
  it('gives a link up within 20 s of silence, after it was asked for a sign of life', async () => {
    const { clock, heartbeat } = setUp();
    const connection = new FakeConnection();
    heartbeat.watch(asConnection(connection));
    await clock.advance(15_000);
    expect([connection.pings, connection.cuts]).toEqual([2, 0]);
    await clock.advance(5_000);
    expect(connection.cuts).toBe(1);
  });

  it('neither pings nor cuts a link that is heard', async () => {
    const { clock, heartbeat } = setUp();
    const connection = new FakeConnection();
    heartbeat.watch(asConnection(connection));
    for (let minute = 0; minute < 60_000; minute += HEARTBEAT_INTERVAL_MS) {
      connection.heard = true;
      await clock.advance(HEARTBEAT_INTERVAL_MS);
    }
    expect([connection.pings, connection.cuts]).toEqual([0, 0]);
  });

  it('has one timer for all links, and none without a link', async () => {
    const { clock, heartbeat } = setUp();
    const connections = [new FakeConnection(), new FakeConnection(), new FakeConnection()];
    for (const connection of connections) heartbeat.watch(asConnection(connection));
    expect(clock.pendingTimerCount).toBe(1);
    await clock.advance(HEARTBEAT_INTERVAL_MS);
    expect(clock.pendingTimerCount).toBe(1);
    for (const connection of connections) heartbeat.forget(asConnection(connection));
    expect(clock.pendingTimerCount).toBe(0);
  });
});
