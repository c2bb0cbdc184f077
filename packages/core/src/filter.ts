import type { Class } from './class-types';
import type { ExecutionContext } from './execution-context';
import { CallClosed, CommandError, CommandTimeout, DeclineCall, ToolError } from './failures';
import { ArgumentsError } from './invocation';
import { classChain, ownRecords, recordsToWrite } from './records';

/**
 * Answers exceptions of the types that its {@link Catch} names. An exception has two audiences: the text that `catch` returns
 * is what the model reads; the framework logs the exception by name, code and frames. `undefined` leaves it to the next
 * filter: of the method, then of the class, then of the application. What a filter throws goes on in the exception's place.
 *
 * For events, hooks and timers nobody reads the text; the exception counts as dealt with.
 *
 * @example
 * ```ts
 * import { Catch, type ExceptionFilter, Injectable } from 'callwright';
 *
 * class NoConnection extends Error {}
 *
 * @Catch(NoConnection)
 * @Injectable()
 * export class BookingSystemFilter implements ExceptionFilter<NoConnection> {
 *   catch(): string {
 *     return 'the booking system cannot be reached at the moment';
 *   }
 * }
 * ```
 */
export interface ExceptionFilter<E = unknown> {
  catch(error: E, context: ExecutionContext): string | undefined | Promise<string | undefined>;
}

/** What stands in `@UseFilters`: a class that the container makes, or an instance made by hand. */
// biome-ignore lint/suspicious/noExplicitAny: the exception is contravariant, `unknown` would refuse every typed filter
export type FilterReference = Class<ExceptionFilter<any>> | ExceptionFilter<any>;

/**
 * Says which exceptions a filter takes: instances of these classes. Without any, all but those whose text is meant for
 * somebody already (`ToolError`, refused arguments, `DeclineCall`); name these to take them too.
 */
export function Catch(...types: readonly Class[]): ClassDecorator {
  return (filter) => {
    recordsToWrite(filter).catches = types;
  };
}

/**
 * Whether a filter takes an exception.
 * @param type the class that was bound, for an instance of another class that stands in for it
 */
export function takes(filter: ExceptionFilter, type: Class | undefined, error: unknown): boolean {
  const own = (filter as { readonly constructor?: unknown }).constructor;
  const types = caughtTypes(own) ?? caughtTypes(type) ?? [];
  if (types.length === 0) return !isMeantForSomebody(error);
  return types.some((caught) => isInstance(error, caught));
}

/** What the nearest `@Catch` of a filter's class names; undefined without one. */
function caughtTypes(filter: unknown): readonly Class[] | undefined {
  if (typeof filter !== 'function') return undefined;
  for (const type of classChain(filter as Class)) {
    const types = ownRecords(type)?.catches;
    if (types) return types;
  }
  return undefined;
}

function isMeantForSomebody(error: unknown): boolean {
  return ToolError.is(error) || DeclineCall.is(error) || error instanceof ArgumentsError;
}

type Recognisable = Class & { is(error: unknown): boolean };

/** Our own classes are recognised by their brand, so that an instance of a second copy of this package is too. */
const BRANDED: readonly Recognisable[] = [ToolError, DeclineCall, CommandError, CommandTimeout, CallClosed];

function isInstance(error: unknown, type: Class): boolean {
  try {
    const branded = BRANDED.find((candidate) => candidate === type);
    return branded ? branded.is(error) : error instanceof type;
  } catch {
    return false; // a hostile proxy, or a class with an odd `Symbol.hasInstance`
  }
}
