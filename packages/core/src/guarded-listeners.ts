import { isThenable } from './thenable';

type AddListener = AbortSignal['addEventListener'];
type RemoveListener = AbortSignal['removeEventListener'];
type Listener = Parameters<AddListener>[1];

/** Hears what listeners of a signal throw; found through the reason that the signal is aborted with. */
const reporters = new WeakMap<object, (error: unknown) => void>();

/**
 * Makes a signal report what its listeners throw. Node would throw it anew where nobody can catch it, and one listener of one
 * tool call would end the process with all its calls. A prototype of its own is the cheapest way: about a quarter of what two
 * properties of the signal cost.
 */
export function guardListeners(signal: AbortSignal): void {
  Object.setPrototypeOf(signal, GUARDED);
}

/** Says who hears what listeners throw when a guarded signal is aborted with that reason. */
export function reportListenersOf(reason: object, report: (error: unknown) => void): void {
  reporters.set(reason, report);
}

const { addEventListener, removeEventListener } = EventTarget.prototype;

const GUARDED: object = Object.create(AbortSignal.prototype, {
  addEventListener: {
    value(this: AbortSignal, ...[type, listener, options]: Parameters<AddListener>): void {
      addEventListener.call(this, type, guardOf(listener), options);
    },
  },
  removeEventListener: {
    value(this: AbortSignal, ...[type, listener, options]: Parameters<RemoveListener>): void {
      removeEventListener.call(this, type, guardOf(listener), options);
    },
  },
});

/** The same listener has the same guard on every signal, so that it can be removed, and counts once. */
const guards = new WeakMap<object, (this: AbortSignal, event: Event) => void>();

function guardOf(listener: Listener): Listener {
  if (listener === null || (typeof listener !== 'function' && typeof listener !== 'object')) return listener;
  const known = guards.get(listener);
  if (known) return known;
  const guard = function (this: AbortSignal, event: Event): void {
    const report = reporters.get(this.reason);
    try {
      const returned: unknown =
        typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event);
      if (report && isThenable(returned)) Promise.resolve(returned).then(undefined, report);
    } catch (error) {
      if (!report) throw error; // somebody else made the event
      report(error);
    }
  };
  guards.set(listener, guard);
  return guard;
}
