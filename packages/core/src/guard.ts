import type { Class } from './class-types';
import type { ExecutionContext, OfferContext } from './execution-context';
import { ToolError } from './failures';

/**
 * Decides whether a tool or an event handler may run. Refused is whatever is not `true`. Bound by `@UseGuards` on a
 * method or a class, or for everything by an `APP_GUARD` provider.
 *
 * A refused tool is answered with a text that the model can speak: that of a `ToolError` that the guard throws, else a plain one.
 * A refused event skips the handler. An exception counts as a failure of what it guards, never as a yes.
 *
 * @example
 * ```ts
 * import { type CanActivate, type ExecutionContext, Injectable, Tool, ToolError, UseGuards, VoiceAgent } from 'callwright';
 *
 * @Injectable()
 * class KnownCaller implements CanActivate {
 *   canActivate(context: ExecutionContext): boolean {
 *     if (context.call.caller?.from) return true;
 *     throw new ToolError('bookings need a caller whose number is shown');
 *   }
 * }
 *
 * @VoiceAgent({ name: 'luigi' })
 * class LuigiAgent {
 *   @Tool({ description: 'Books a table.', kind: 'side_effect' })
 *   @UseGuards(KnownCaller)
 *   bookTable(): string {
 *     return 'booked';
 *   }
 * }
 * ```
 */
export interface CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean>;
  /**
   * Whether a tool is offered in this call at all; asked once per call, after the start hooks. A tool that some guard
   * does not offer is not in the accept, cannot be set by `setTools`, and is unknown if it is called.
   * @default every tool is offered
   */
  offers?(context: OfferContext): boolean | Promise<boolean>;
}

/** What stands in `@UseGuards`: a class that the container makes, or an instance made by hand. */
export type GuardReference = Class<CanActivate> | CanActivate;

/** A guard said no; the message is for the model. */
export class GuardRefused extends ToolError {
  constructor(where: string) {
    super(`${where} is not allowed in this call`);
  }
}
