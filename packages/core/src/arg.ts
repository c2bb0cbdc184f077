import type { ArgOptions } from '@callwright/schema';
import type { Class } from './class-types';
import type { ParameterCheck } from './parameter-check';
import type { PipeReference } from './pipe';
import { type ParameterRecord, recordsToWrite } from './records';
import type { StandardSchema } from './standard-schema';

/** The values that an `enum` option allows: of a list, or of an enum object (numeric enums have reverse names). */
type EnumValues<E> = E extends readonly (infer V)[] ? V : E[keyof E];

/** What the last pipe gives is what the parameter must take; without pipes, it is what the options allow. */
type ArgumentCheck<O, P extends readonly PipeReference[]> = P extends readonly [
  ...unknown[],
  PipeReference<infer Out>,
]
  ? ParameterCheck<unknown extends Out ? never : Awaited<Out>>
  : O extends { readonly enum: infer E }
    ? ParameterCheck<EnumValues<E>>
    : ParameterCheck<never>;

/**
 * One scalar argument of a tool, by its name in the model's arguments object. The type comes from the parameter's
 * emitted metadata; `type` gives it where none is emitted. With `enum`, a parameter that cannot hold every value does not compile;
 * nor, with pipes behind the options, one that cannot hold what the last pipe gives.
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
export function Arg<
  const O extends ArgOptions = Record<never, never>,
  const P extends readonly PipeReference[] = [],
>(name: string, options?: O, ...pipes: P): ArgumentCheck<O, P> {
  return recordParameter({
    source: 'argument',
    name,
    options: options ?? {},
    pipes,
  }) as ArgumentCheck<O, P>;
}

/** Options of {@link Args} with a schema. */
export interface SchemaArgumentsOptions {
  /**
   * The JSON Schema that the model is told, its own type `object`. @default the schema's own, where it can give one (zod does)
   */
  readonly jsonSchema?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The whole arguments object: as an instance of a class of arguments (needed only where no metadata is emitted; with it,
 * the parameter's own class is enough), or as what a schema of the Standard Schema kind (zod, valibot, arktype, …) makes of it. Such a
 * schema must validate synchronously.
 *
 * @example
 * ```ts no-run
 * import { Args, Tool, VoiceAgent } from 'callwright';
 * import { z } from 'zod';
 *
 * const Booking = z.object({ guests: z.number().int().min(1).max(12) });
 *
 * @VoiceAgent({ name: 'luigi' })
 * class LuigiAgent {
 *   @Tool({ description: 'Books a table.', kind: 'side_effect' })
 *   bookTable(@Args(Booking) booking: z.infer<typeof Booking>): string {
 *     return `a table for ${booking.guests}`;
 *   }
 * }
 * ```
 */
export function Args<T>(type: Class<T>): ParameterCheck<T>;
export function Args<T>(
  schema: StandardSchema<unknown, T>,
  options?: SchemaArgumentsOptions,
): ParameterCheck<T>;
export function Args(type: unknown, options: SchemaArgumentsOptions = {}): ParameterCheck<unknown> {
  const { jsonSchema } = options;
  return recordParameter({
    source: 'arguments',
    type,
    jsonSchema,
    pipes: [],
  }) as ParameterCheck<unknown>;
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
