import type { CallScope } from '@callwright/di';
import type { Clock, ClockTimer } from './clock';
import { CallClosed } from './failures';
import { Logger } from './logger';
import type { RunnableMethod } from './method-plan';
import { TimerPassage } from './passages';
import type { TimerRecord } from './records';
import { isThenable } from './thenable';

/** The timers of one call, from its accept to its end. What they throw is logged and ends nothing. */
export class CallTimers {
  readonly #scope: CallScope;
  readonly #clock: Clock;
  readonly #running = new Set<ClockTimer>();
  #isStopped = false;

  constructor(
    timers: readonly { readonly record: TimerRecord; readonly method: RunnableMethod }[],
    scope: CallScope,
    clock: Clock,
  ) {
    this.#scope = scope;
    this.#clock = clock;
    for (const { record, method } of timers) this.#wait(record, method, record.delayMs);
  }

  /** The call ended: nothing ticks any more. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#running) timer.cancel();
    this.#running.clear();
  }

  #wait(record: TimerRecord, method: RunnableMethod, delayMs: number): void {
    const timer = this.#clock.setTimer(() => {
      this.#running.delete(timer);
      this.#tick(record, method);
    }, delayMs);
    this.#running.add(timer);
  }

  #tick(record: TimerRecord, method: RunnableMethod): void {
    const startedMs = this.#clock.nowMs();
    const goOn = (): void => {
      if (!record.repeats || this.#isStopped) return;
      // In step with the clock; what the tick itself took is part of the interval.
      const tookMs = this.#clock.nowMs() - startedMs;
      this.#wait(record, method, Math.max(0, record.delayMs - tookMs));
    };
    let returned: unknown;
    try {
      returned = new TimerPassage(method, this.#scope).run();
    } catch (error) {
      this.#failed(method, error);
    }
    if (!isThenable(returned)) goOn();
    else
      returned.then(goOn, (error) => {
        this.#failed(method, error);
        goOn();
      });
  }

  #failed(method: RunnableMethod, error: unknown): void {
    const level = CallClosed.is(error) ? 'debug' : 'error';
    this.#scope.get(Logger)[level]('a timer failed', { method: method.where, error });
  }
}
