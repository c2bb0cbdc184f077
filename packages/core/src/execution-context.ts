import type { Call } from './call';
import type { Class } from './class-types';
import type { Clock } from './clock';
import type { CallEvent } from './events';
import type { CallHooks } from './hooks';
import type { ToolDeclaration } from './link';
import type { Logger } from './logger';
import type { ToolContext } from './tool-context';

/** The method that something is bound around. */
export interface MethodTarget {
  /** The class whose instance the method runs on: the agent, a tool set, or another CALL provider. */
  readonly type: Class;
  readonly method: PropertyKey;
}

/** What every execution tells. */
export interface CommonExecution extends MethodTarget {
  /** `LuigiAgent.bookTable`: for logs. */
  readonly where: string;
  /** The agent that the call belongs to. */
  readonly agent: Class;
  readonly call: Call;
  /** Its lines carry the call's id. */
  readonly logger: Logger;
  /** Time, for measuring and waiting: a test moves it by hand. */
  readonly clock: Clock;
}

/** A tool call on its way. */
export interface ToolExecution extends CommonExecution {
  readonly kind: 'tool';
  readonly tool: ToolContext;
  /** The tool as the model is told of it. */
  readonly declaration: ToolDeclaration;
  /** What the model gave, before it is validated. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The turn that asked for it. */
  readonly epoch: number;
  /** Stop now; see `ToolContext.signal`. */
  readonly signal: AbortSignal;
}

/** An event on its way to a handler. */
export interface EventExecution extends CommonExecution {
  readonly kind: 'event';
  readonly event: CallEvent;
  /** The turn of the event, for those that belong to one. */
  readonly epoch: number | undefined;
}

/** A hook of the call on its way. */
export interface HookExecution extends CommonExecution {
  readonly kind: 'hook';
  readonly hook: keyof CallHooks;
  /** What the hook is given: the `CallStart`, the `CallEnd`, the `CallResumed`. */
  readonly input: unknown;
}

/** One tick of an `@Interval` or `@Timeout`. */
export interface TimerExecution extends CommonExecution {
  readonly kind: 'timer';
}

/**
 * What guards, interceptors, pipes and filters are told of the method they stand around. `kind` narrows it.
 *
 * @example
 * ```ts
 * import { type CanActivate, type ExecutionContext, Injectable } from 'callwright';
 *
 * @Injectable()
 * export class KnownCaller implements CanActivate {
 *   canActivate(context: ExecutionContext): boolean {
 *     return context.call.caller?.from !== undefined;
 *   }
 * }
 * ```
 */
export type ExecutionContext = ToolExecution | EventExecution | HookExecution | TimerExecution;

/** A tool that may be offered in a call: what a guard's `offers` is asked about. */
export interface OfferContext extends CommonExecution {
  readonly kind: 'offer';
  readonly declaration: ToolDeclaration;
}

/** Whether what runs only looks something up: it may be repeated, given up, and answered from memory. */
export function isReadOnlyTool(context: ExecutionContext): context is ToolExecution {
  // What the program declares counts, not what the wire says.
  return context.kind === 'tool' && context.declaration.kind === 'read_only';
}
