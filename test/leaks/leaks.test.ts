import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lookForLeaks } from './look-for-leaks';

it('nothing of a call stays behind: no instance, listener, timer, handle; idle calls share one timer', async () => {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  const report = await lookForLeaks({ calls: 400, idleCalls: 100, gc });
  expect(report.leaks).toEqual([]);
  expect(report.idleTimers).toBe(1);
});
