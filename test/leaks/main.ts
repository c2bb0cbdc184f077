import { parseArgs } from 'node:util';
import { type LeakReport, lookForLeaks } from './look-for-leaks';

/** `npm run leaks -- --calls N --idle N --json`: exit code 1 when anything stays behind. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '20000' },
      idle: { type: 'string', default: '2000' },
      json: { type: 'boolean', default: false },
    },
  });
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Start it as `npm run leaks`: Node needs --expose-gc.');
  const report = await lookForLeaks({ calls: Number(values.calls), idleCalls: Number(values.idle), gc });
  if (values.json) console.log(JSON.stringify(report));
  else print(report);
  if (report.leaks.length > 0) process.exitCode = 1;
}

function print({ calls, seconds, heapMiB, idleCalls, idleCallKiB, idleTimers, leaks }: LeakReport): void {
  console.log(
    `${calls} calls in ${seconds} s; the heap behind each tenth of them, in MiB: ${heapMiB.join(' ')}`,
  );
  console.log(
    `${idleCalls} idle calls: ${idleCallKiB} KiB of heap each, client included, and ${idleTimers} timers in all`,
  );
  console.log(`leaks: ${leaks.length}`);
  for (const leak of leaks) console.log(`  ${leak}`);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
