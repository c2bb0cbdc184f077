import { AsyncLocalStorage } from 'node:async_hooks';

/** The event whose handler is running, by the sequence number that commands name as what they react to. */
export interface Reaction {
  /** The session of the call the event belongs to. */
  readonly session: object;
  readonly seq: number;
}

/** Entered by event handlers only; tools and hooks have none. */
export const reacting = new AsyncLocalStorage<Reaction>();
