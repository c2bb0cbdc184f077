import { CommandPromise, type CommandPromiseOwner } from './command-promise';

function owner(refusal?: Error): CommandPromiseOwner & { reported: unknown[] } {
  const reported: unknown[] = [];
  return {
    reported,
    refuseWaiting: () => refusal,
    defer: (run) => void setImmediate(run),
    reportFailure: (_command, error) => reported.push(error),
  };
}

/** Several turns of the loop: reports wait for one, and those of derived promises for the one before. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('command promise', () => {
  it('reports a failure that nobody waits for, and is no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listen);
    const host = owner();
    const failure = new Error('refused');
    void new CommandPromise('say', host, (_resolve, reject) => reject(failure));
    await settled();
    process.off('unhandledRejection', listen);
    expect(host.reported).toEqual([failure]);
    expect(unhandled).toEqual([]);
  });

  it('does not report a failure that somebody awaits', async () => {
    const host = owner();
    const promise = new CommandPromise('say', host, (_resolve, reject) => reject(new Error('refused')));
    await expect(promise).rejects.toThrow('refused');
    await settled();
    expect(host.reported).toEqual([]);
  });

  it('does not report one that failed at once and is awaited, directly or through async functions', async () => {
    const host = owner();
    const failed = () => new CommandPromise('say', host, (_resolve, reject) => reject(new Error('refused')));
    const seen: unknown[] = [];
    const through = async () => await failed();
    for (const attempt of [failed, through, async () => through()]) {
      try {
        await attempt();
      } catch (error) {
        seen.push(error);
      }
    }
    await settled();
    expect(seen).toHaveLength(3);
    expect(host.reported).toEqual([]);
  });

  it('reports a failure behind then and finally that nobody waits for', async () => {
    const host = owner();
    void new CommandPromise('say', host, (_resolve, reject) => reject(new Error('refused')))
      .then(() => 1)
      .finally(() => {});
    await settled();
    expect(host.reported).toHaveLength(1);
  });

  it('refuses waiting while that cannot work, and still lets catch be attached', async () => {
    const refusal = new Error('connecting');
    const host = owner(refusal);
    let finish: () => void = () => {};
    const promise = new CommandPromise('say', host, (resolve) => {
      finish = () => resolve(undefined);
    });
    await expect((async () => await promise)()).rejects.toBe(refusal);
    promise.catch(() => {});
    finish();
    await settled();
    expect(host.reported).toEqual([]);
  });
});
