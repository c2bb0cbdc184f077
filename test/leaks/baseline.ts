import type { EventEmitter } from 'node:events';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from '@callwright/gateway';

const settlingTries = 100;
const settlingStepMs = 50;

/** What must be the same before and after any number of calls. */
export interface Baseline {
  /** Listeners on the process, by event. */
  readonly processListeners: Readonly<Record<string, number>>;
  /** The same on the listening servers. */
  readonly serverListeners: Readonly<Record<string, number>>;
  /** Open handles and timers that keep a process alive, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  readonly calls: number;
}

const servers: Server[] = [];

/** Keeps every server that listens from now on, to count its listeners. */
export function watchServers(): void {
  const { listen } = Server.prototype;
  Server.prototype.listen = function watched(this: Server, ...given: never[]): Server {
    servers.push(this);
    return Reflect.apply(listen, this, given);
  };
}

export function baselineOf(application: Application): Baseline {
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return {
    processListeners: listenersOf([process]),
    serverListeners: listenersOf(servers),
    resources,
    calls: application.callCount,
  };
}

function listenersOf(emitters: readonly EventEmitter[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const emitter of emitters) {
    for (const event of emitter.eventNames()) {
      counts[String(event)] = (counts[String(event)] ?? 0) + emitter.listenerCount(event);
    }
  }
  return counts;
}

/** Waits until what is on its way out has gone. @returns what differs; nothing if all is as before. */
export async function differencesFrom(before: Baseline, application: Application): Promise<string[]> {
  let differences: string[] = [];
  for (let count = 0; count < settlingTries; count += 1) {
    const now = baselineOf(application);
    differences = [
      ...compare('listeners on the process for', before.processListeners, now.processListeners),
      ...compare('listeners on servers for', before.serverListeners, now.serverListeners),
      ...compare('resources of the kind', before.resources, now.resources),
      ...compare('the count of', { calls: before.calls }, { calls: now.calls }),
    ];
    if (differences.length === 0) return [];
    await sleep(settlingStepMs);
  }
  return differences;
}

function compare(
  what: string,
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((key) => (now[key] ?? 0) > (before[key] ?? 0))
    .map((key) => `${what} ${key}: ${before[key] ?? 0} before, ${now[key]} now`);
}
