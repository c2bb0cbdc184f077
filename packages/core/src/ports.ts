import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from './clock';
import { Deadlines } from './deadlines';
import { lineSink } from './log-lines';
import { Logger } from './logger';

/** What a call needs of the outside beside its link; one set for all calls of an application. */
export interface CallPorts {
  readonly clock: Clock;
  /** A new id, unique for ever: for calls. */
  readonly newId: () => string;
  readonly logger: Logger;
  /** Time limits of running tools, all on one timer. */
  readonly deadlines: Deadlines;
}

/** The ports of a running application; each can be replaced. */
export function callPorts(given: Partial<CallPorts> = {}): CallPorts {
  const clock = given.clock ?? systemClock;
  return {
    clock,
    newId: given.newId ?? newUuid,
    logger: given.logger ?? new Logger({ sink: lineSink() }),
    deadlines: given.deadlines ?? new Deadlines(clock),
  };
}

/** Node puts an id together from pairs of digits, which stay sixteen strings until something looks into the whole. */
function newUuid(): string {
  const id = randomUUID();
  id.charCodeAt(0);
  return id;
}
