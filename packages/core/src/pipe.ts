import type { Class } from './class-types';
import type { ExecutionContext } from './execution-context';

/** Which parameter a pipe works on. */
export interface PipeTarget {
  /** One `@Arg`, the whole arguments object, or a custom parameter. */
  readonly source: 'argument' | 'arguments' | 'custom';
  /** The argument's name in the model's object; only for `argument`. */
  readonly name: string | undefined;
  /** The parameter's emitted type, or the one given to its decorator. */
  readonly type: unknown;
  /** `LuigiAgent.bookTable, parameter 0`. */
  readonly where: string;
}

/**
 * Changes or refuses the value of a parameter, after it was validated and before the method runs. Throw `ToolError`
 * to refuse it with a text for the model. Bound to one parameter (`@Arg('phone', {}, ParseE164Pipe)`), to a method's or a class's
 * arguments by `@UsePipes`, or to all tools by an `APP_PIPE` provider.
 *
 * @example
 * ```ts
 * import { Injectable, type Pipe, ToolError } from 'callwright';
 *
 * @Injectable()
 * export class EvenPipe implements Pipe<number, number> {
 *   transform(value: number): number {
 *     if (value % 2 === 0) return value;
 *     throw new ToolError('tables are for an even number of guests');
 *   }
 * }
 * ```
 */
export interface Pipe<In = unknown, Out = unknown> {
  transform(value: In, target: PipeTarget, context: ExecutionContext): Out | Promise<Out>;
}

/** What stands in `@UsePipes` and behind a parameter: a class that the container makes, or an instance made by hand. */
// biome-ignore lint/suspicious/noExplicitAny: the value a pipe takes is contravariant, `unknown` would refuse every typed pipe
export type PipeReference<Out = any> = Class<Pipe<any, Out>> | Pipe<any, Out>;
