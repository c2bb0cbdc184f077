import type { Socket } from 'node:net';
import { type Application, createApplication } from '@callwright/gateway';
import { VirtualClock } from '@callwright/testing';
import { type Baseline, baselineOf, differencesFrom, watchServers } from './baseline';
import { idleCall, wholeCall } from './calls';
import { instances, ServedModule } from './served-agent';

const atOnce = 16;
/** One call in so many is cut off by a reset, and nobody redials. */
const resetEvery = 10;
const parts = 10;
const warmUpCalls = 500;
/** By so much the heap may grow between the half and the end of a run; a thousand leaked calls are more. */
const heapSlackMiB = 1;
/** How often garbage is collected before what is left counts as leaked. */
const collections = 10;
const kib = 2 ** 10;
const mib = 2 ** 20;
/** A cut off call waits so long for its voice server. */
const resumptionWindowMs = 15_000;
/** All links share one timer; a second one may be the end of something before. */
const mostIdleTimers = 2;

export interface LeakOptions {
  readonly calls: number;
  readonly idleCalls: number;
  /** Collects garbage now. */
  readonly gc: () => void;
}

export interface LeakReport {
  readonly calls: number;
  readonly seconds: number;
  /** The heap in use after each tenth of the calls. */
  readonly heapMiB: readonly number[];
  /** The process's memory after each tenth. */
  readonly rssMiB: readonly number[];
  readonly idleCalls: number;
  readonly idleCallKiB: number;
  /** Timers of the application while all idle calls are open. */
  readonly idleTimers: number;
  /** What stayed behind; nothing if all is well. */
  readonly leaks: readonly string[];
}

/** Runs calls over sockets against an application in this process and looks at what is left of them. */
export async function lookForLeaks({ calls, idleCalls, gc }: LeakOptions): Promise<LeakReport> {
  const search = await LeakSearch.start(gc);
  const beganMs = performance.now();
  for (let part = 1; part <= parts; part += 1) await search.runCalls(Math.floor(calls / parts), part);
  const seconds = rounded((performance.now() - beganMs) / 1_000);
  search.requireFlatHeap();
  const idle = await search.holdIdleCalls(idleCalls);
  await search.stop();
  const { heapMiB, rssMiB, leaks } = search;
  return { calls, seconds, heapMiB, rssMiB, idleCalls, ...idle, leaks };
}

class LeakSearch {
  readonly leaks: string[] = [];
  readonly heapMiB: number[] = [];
  readonly rssMiB: number[] = [];
  readonly #clock: VirtualClock;
  readonly #application: Application;
  readonly #port: number;
  readonly #gc: () => void;
  readonly #before: Baseline;
  readonly #warned = ({ name, message }: Error): void => {
    this.leaks.push(`a warning of Node: ${name}: ${message}`);
  };

  private constructor(clock: VirtualClock, application: Application, gc: () => void) {
    this.#clock = clock;
    this.#application = application;
    this.#port = Number(new URL(application.url).port);
    this.#gc = gc;
    process.on('warning', this.#warned);
    this.#before = baselineOf(application);
  }

  /** Starts an application, and lets it compile and keep what it compiles and keeps once. */
  static async start(gc: () => void): Promise<LeakSearch> {
    const clock = new VirtualClock();
    const application = await createApplication(ServedModule, {
      port: 0,
      clock,
      maxCalls: 100_000,
      log: { level: 'fatal' },
    });
    watchServers();
    const port = Number(new URL(await application.listen()).port);
    await callsInParallel(port, warmUpCalls);
    await clock.advance(2 * resumptionWindowMs);
    return new LeakSearch(clock, application, gc);
  }

  async runCalls(count: number, part: number): Promise<void> {
    await callsInParallel(this.#port, count);
    await this.#requireNothingLeft(`after part ${part} of the calls`);
    const { heapUsed, rss } = process.memoryUsage();
    this.heapMiB.push(rounded(heapUsed / mib));
    this.rssMiB.push(rounded(rss / mib));
  }

  requireFlatHeap(): void {
    const growthMiB = rounded((this.heapMiB.at(-1) ?? 0) - (this.heapMiB[parts / 2 - 1] ?? 0));
    if (growthMiB > heapSlackMiB) {
      this.leaks.push(`the heap grew by ${growthMiB} MiB in the second half of the calls`);
    }
  }

  async holdIdleCalls(count: number): Promise<{ readonly idleCallKiB: number; readonly idleTimers: number }> {
    const heapBefore = process.memoryUsage().heapUsed;
    const timersBefore = this.#clock.pendingTimerCount;
    const sockets: Socket[] = [];
    for (let opened = 0; opened < count; opened += 1) sockets.push(await idleCall(this.#port));
    this.#gc();
    const grownKiB = (process.memoryUsage().heapUsed - heapBefore) / kib;
    const idleTimers = this.#clock.pendingTimerCount - timersBefore;
    if (idleTimers > mostIdleTimers) this.leaks.push(`${count} idle calls have ${idleTimers} timers`);
    const { callCount } = this.#application;
    if (callCount !== count) this.leaks.push(`${callCount} of ${count} idle calls are there`);
    for (const socket of sockets.splice(0)) socket.resetAndDestroy();
    await this.#requireNothingLeft('after the idle calls');
    return { idleCallKiB: rounded(grownKiB / Math.max(1, count)), idleTimers };
  }

  async stop(): Promise<void> {
    await this.#clock.runUntil(this.#application.close());
    process.off('warning', this.#warned);
    const timers = this.#clock.pendingTimerCount;
    if (timers > 0) this.leaks.push(`${timers} timers of the application are left`);
  }

  async #requireNothingLeft(when: string): Promise<void> {
    // The sockets' last events come first; then the calls that were cut off have waited for nothing.
    await this.#clock.settle();
    await this.#clock.advance(2 * resumptionWindowMs);
    const differences = await differencesFrom(this.#before, this.#application);
    this.leaks.push(...differences.map((difference) => `${when}: ${difference}`));
    const alive = await this.#aliveInstances();
    if (alive > 0) this.leaks.push(`${when}: ${alive} instances of ${instances.length} are still there`);
    instances.length = 0;
  }

  /** A collection may come before the engine let go of what it looked at last, so it is tried again. */
  async #aliveInstances(): Promise<number> {
    let alive = instances.length;
    for (let count = 0; alive > 0 && count < collections; count += 1) {
      // A weak reference that was made or looked at in this turn of the loop is kept until its end.
      await this.#clock.advance(1);
      this.#gc();
      alive = instances.filter((instance) => instance.deref() !== undefined).length;
    }
    return alive;
  }
}

async function callsInParallel(port: number, calls: number): Promise<void> {
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < calls) {
      begun += 1;
      await wholeCall(port, begun % resetEvery === 0 ? 'reset' : 'farewell');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
