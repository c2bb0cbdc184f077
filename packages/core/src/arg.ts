import type { ArgOptions } from '@callwright/schema';
import type { Class } from './class-types';
import type { ParameterCheck } from './parameter-check';
import { type ParameterRecord, recordsToWrite } from './records';

/** The values that an `enum` option allows: of a list, or of an enum object (numeric enums have reverse names). */
type EnumValues<E> = E extends readonly (infer V)[] ? V : E[keyof E];

type ArgumentCheck<O> = O extends { readonly enum: infer E }
  ? ParameterCheck<EnumValues<E>>
  : ParameterCheck<never>;

/**
 * One scalar argument of a tool, by its name in the model's arguments object. The type comes from the parameter's
 * emitted metadata; `type` gives it where none is emitted. With `enum`, a parameter that cannot hold every value does not compile.
 *
 * @example
 * ```ts
 * import { Arg, Tool, VoiceAgent } from 'callwright';
 *
 * const DAYS = ['saturday', 'sunday'] as const;
 *
 * @VoiceAgent({ name: 'weekend' })
 * class WeekendAgent {
 *   @Tool('Opening hours on a day of the weekend.')
 *   openingHours(@Arg('day', { enum: DAYS }) day: (typeof DAYS)[number]): string {
 *     return day === 'sunday' ? 'closed' : 'ten to four';
 *   }
 * }
 * ```
 */
export function Arg<const O extends ArgOptions = Record<never, never>>(
  name: string,
  options?: O,
): ArgumentCheck<O> {
  return recordParameter({ source: 'argument', name, options: options ?? {} }) as ArgumentCheck<O>;
}

/**
 * The whole arguments object as an instance of `type`. Needed only where no metadata is emitted; with it, the
 * parameter's own class is enough.
 */
export function Args<T>(type: Class<T>): ParameterCheck<T> {
  return recordParameter({ source: 'arguments', type }) as ParameterCheck<T>;
}

/** Records what a decorator says of one parameter of an instance method. */
export function recordParameter(
  record: ParameterRecord,
): (target: object, key: PropertyKey, index: number) => void {
  return (target, key, index) => {
    const parameters = recordsToWrite(target.constructor).parameters;
    const ofMethod = parameters.get(key) ?? new Map<number, ParameterRecord>();
    ofMethod.set(index, record);
    parameters.set(key, ofMethod);
  };
}
