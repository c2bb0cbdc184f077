import { createApplication } from '@callwright/gateway';
import { type Connection, type FrameReceiver, VirtualClock } from '@callwright/testing';
import { connectApplication } from '../../packages/testing/src/memory-application';
import { seededRandom } from '../../packages/testing/src/seeded-random';
import { simulatedModule } from './agents';
import { type Entry, History } from './history';
import type { Schedule } from './schedule';
import { SimulatedCall } from './simulated-call';
import { Stage } from './stage';
import { Wire } from './wire';

/** Virtual time that a world gets; calls of an hour do not occur. */
const LONGEST_WORLD_MS = 3_600_000;
const STRIDE_MS = 10_000;
/** After the close everything must be over: the longest limits are 30 s of grace and 120 s of memory. */
const AFTERMATH_MS = 240_000;

/** Lines of the log that say that the framework itself failed. */
const FAULT_LINES: ReadonlySet<string> = new Set([
  'a message could not be handled',
  'a frame could not be parsed',
]);

/** Plays a schedule against a real application, on a virtual clock. @returns all that happened. */
export async function playWorld(schedule: Schedule): Promise<readonly Entry[]> {
  const clock = new VirtualClock();
  const history = new History(() => clock.nowMs());
  const stopWatching = watchProcess(history);
  try {
    await play(schedule, clock, history);
  } finally {
    stopWatching();
  }
  return history.entries;
}

async function play(schedule: Schedule, clock: VirtualClock, history: History): Promise<void> {
  const listenersBefore = countListeners();
  const { lameDuckMs, drainMs } = schedule;
  const application = await createApplication(simulatedModule(new Stage(history, clock)), {
    clock,
    maxCalls: 1_000,
    lameDuckMs,
    drainMs,
    log: {
      level: 'error',
      sink: {
        write: ({ message, fields }) => {
          if (FAULT_LINES.has(message))
            history.add({ kind: 'fault', what: `${message}: ${JSON.stringify(fields)}` });
        },
      },
    },
  });
  const random = seededRandom(schedule.calls.length + 1);
  let wires = 0;
  const connect = async (call: SimulatedCall, receiver: FrameReceiver) => {
    wires += 1;
    const { latencyMs } = call.plan;
    const wire = new Wire({ clock, history, call: call.tag, number: wires, latencyMs });
    const connection: Connection = wire.serverEnd(receiver);
    history.add({ kind: 'dialled', call: call.tag, wire: wires });
    await connectApplication(application, wire.agentEnd(), clock);
    wire.begin();
    return { wire, connection };
  };
  const sessions = [0, 0];
  const calls: SimulatedCall[] = [];
  const running = schedule.calls.map(async (plan, index) => {
    await new Promise<void>((resolve) => {
      clock.setTimer(resolve, plan.afterMs);
    });
    const sessionId = (sessions[plan.server] ?? 0) + 1;
    sessions[plan.server] = sessionId;
    const call = new SimulatedCall(plan, index + 1, sessionId, { clock, history, random, connect });
    calls.push(call);
    await call.run();
  });
  if (schedule.restartsAtMs !== undefined) {
    clock.setTimer(() => {
      sessions[0] = 0;
      for (const call of calls) if (call.plan.server === 0) call.crash();
    }, schedule.restartsAtMs);
  }
  const close = (): Promise<void> => {
    history.add({ kind: 'closing', lameDuckMs, drainMs });
    return application.close().then(() => history.add({ kind: 'closed application' }));
  };
  let closing: Promise<void> | undefined;
  if (schedule.closesAtMs !== undefined) {
    clock.setTimer(() => {
      closing = close();
    }, schedule.closesAtMs);
  }
  await pass(clock, Promise.all(running));
  closing ??= close();
  await pass(clock, closing);
  await clock.advance(AFTERMATH_MS);
  history.add({
    kind: 'over',
    timers: clock.pendingTimerCount,
    calls: application.callCount,
    listeners: countListeners() - listenersBefore,
  });
}

/** Moves the clock until the promise is settled, or for as long as any world may last. */
async function pass(clock: VirtualClock, promise: Promise<unknown>): Promise<void> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let passedMs = 0; !isSettled && passedMs < LONGEST_WORLD_MS; passedMs += STRIDE_MS) {
    await clock.advance(STRIDE_MS);
  }
  if (isSettled) await promise;
}

/** What user code or a frame does must never reach the process. */
function watchProcess(history: History): () => void {
  const failed =
    (what: string) =>
    (error: unknown): void => {
      history.add({ kind: 'fault', what: `${what}: ${error instanceof Error ? error.stack : error}` });
    };
  const rejected = failed('unhandled rejection');
  const thrown = failed('uncaught exception');
  process.on('unhandledRejection', rejected);
  process.on('uncaughtException', thrown);
  return () => {
    process.off('unhandledRejection', rejected);
    process.off('uncaughtException', thrown);
  };
}

function countListeners(): number {
  return process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
}
