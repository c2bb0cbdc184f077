import { type Class, InjectionToken, identifyToken, type PlanOptions } from '@callwright/di';
import { CALL_INPUTS } from './agent-plan';
import { Call } from './call';
import type { Clock } from './clock';
import { Logger } from './logger';
import { enhancerClasses } from './method-enhancers';
import { Reflector } from './reflector';

/** The application's clock, injectable everywhere; a test moves it by hand. */
export const CLOCK = new InjectionToken<Clock>('CLOCK');

// A program may have two copies of this package in its tree; whichever class it imported, it means the same thing.
identifyToken(CLOCK, 'callwright:core:Clock');
identifyToken(Call, 'callwright:core:Call');
identifyToken(Logger, 'callwright:core:Logger');
identifyToken(Reflector, 'callwright:core:Reflector');

/** What every container of Callwright is planned with: what a call gives in, and what every module sees. */
export function containerOptions(ports: {
  readonly logger: Logger;
  readonly clock: Clock;
}): Required<Pick<PlanOptions, 'callInputs' | 'globals' | 'injectablesOf'>> {
  return {
    callInputs: CALL_INPUTS,
    globals: [
      { provide: Logger, useValue: ports.logger },
      { provide: CLOCK, useValue: ports.clock },
      { provide: Reflector, useValue: new Reflector() },
    ],
    // What decorators name is made by the container, which finds out itself when it cannot be.
    injectablesOf: (type) => enhancerClasses(type) as readonly Class[],
  };
}
