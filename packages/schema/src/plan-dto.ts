import type { Class } from './class';
import { isKnownTimeZone } from './date';
import { type ArgumentsPlan, createPlan, type SchemaOptions } from './plan';
import { readClasses } from './read-class';
import { ProblemList } from './reading';

/**
 * Plans the arguments of a tool from a class: its JSON Schema, and the way from JSON to an instance. What is wrong
 * with the class stands in `problems`; nothing is thrown.
 *
 * @example
 * ```ts
 * import 'reflect-metadata';
 * import { planDto } from '@callwright/schema';
 * import { IsInt, Max, Min } from 'class-validator';
 *
 * class BookTable {
 *   @IsInt() @Min(1) @Max(12) partySize: number = 2;
 * }
 * const plan = planDto(BookTable);
 * console.log(plan.bind({ partySize: 4 })); // { ok: true, value: BookTable { partySize: 4 } }
 * ```
 */
export function planDto(type: Class, options: SchemaOptions = {}): ArgumentsPlan {
  const list = new ProblemList();
  checkTimeZone(options, list, type.name);
  const plans = readClasses([type], options, list);
  const properties = plans.get(type)?.properties ?? [];
  return createPlan(
    {
      plans,
      properties,
      list,
      compileBinder: (binderOptions) =>
        (require('./binder') as typeof import('./binder')).compileClassBinder(plans, type, binderOptions),
      makeChecker: () => (require('./check') as typeof import('./check')).checkerOfClass(plans, type),
    },
    { ...options, where: options.where ?? type.name },
  );
}

/** Reports a zone that the system does not know. */
export function checkTimeZone({ timeZone, where }: SchemaOptions, list: ProblemList, name: string): void {
  if (timeZone !== undefined && !isKnownTimeZone(timeZone))
    list.report('CW_SCHEMA_TIME_ZONE', where ?? name, { timeZone });
}
