import { annotatedProperties } from './annotations';
import { type Class, lineageOf } from './class';
import { type Direction, exposedName, exposedProperties, typedProperties } from './class-transformer';
import { hasRules, hasRulesInOtherGroups, rulesOf } from './class-validator';
import { type Initializer, readProperty } from './read-property';
import { ProblemList, type Reading } from './reading';
import type { ClassPlan, ClassPlans, PropertyPlan } from './shape';
import { warnOfSlowPatterns } from './slow-pattern';

/** What decides how classes are read. */
export interface ReadOptions {
  readonly groups?: readonly string[] | undefined;
  readonly timeZone?: string | undefined;
  readonly where?: string | undefined;
  /** @default 'in' */
  readonly direction?: Direction | undefined;
}

/** Whether the class has validated or described properties, so that it can stand for arguments. */
export function isDtoClass(type: unknown): boolean {
  if (typeof type !== 'function' || typeof type.prototype !== 'object' || type.prototype === null)
    return false;
  const lineage = lineageOf(type as Class); // a function with a prototype object can be constructed
  return hasRules(type as Class) || lineage.some((owner) => annotatedProperties(owner).length > 0);
}

/** Reads a class and every class it reaches. */
export function readClasses(roots: readonly Class[], options: ReadOptions, list: ProblemList): ClassPlans {
  const plans = new Map<Class, ClassPlan>();
  const waiting = [...roots];
  const reading: Reading = {
    list,
    groups: options.groups,
    timeZone: options.timeZone,
    direction: options.direction ?? 'in',
    prefix: options.where === undefined ? '' : `${options.where}: `,
    reach: (type) => void waiting.push(type),
  };
  for (let type = waiting.shift(); type !== undefined; type = waiting.shift())
    if (!plans.has(type)) plans.set(type, readClass(reading, type));
  return plans;
}

function readClass(reading: Reading, type: Class): ClassPlan {
  const where = `${reading.prefix}${type.name}`;
  const rules = rulesOf(type, reading.groups);
  const names = propertyNames(type, rules.keys());
  const initial = initialValues(reading, type);
  const properties: PropertyPlan[] = [];
  for (const name of names) {
    const accessor = accessorOf(type, name);
    if (accessor !== undefined && accessor.set === undefined && reading.direction === 'in') continue; // computed
    const isInOtherGroup = !rules.has(name) && hasRulesInOtherGroups(type, name);
    if (isInOtherGroup) continue;
    const plan = readProperty(reading, type, name, rules.get(name), initial.get(name));
    if (plan !== undefined) properties.push(plan);
  }
  if (reading.direction === 'out') return { type, properties };
  warnOfUndecorated(reading, where, type, initial, names);
  warnOfSlowPatterns(reading, where, rules);
  reportNames(reading, where, properties);
  if (names.size === 0) reading.list.report('CW_SCHEMA_EMPTY_CLASS', where, { type: type.name });
  return { type, properties };
}

/** Decorated properties, those of base classes first, each class in the order of its decorators. */
function propertyNames(type: Class, ruled: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>(ruled);
  for (const owner of [...lineageOf(type)].reverse())
    for (const name of [...annotatedProperties(owner), ...typedProperties(owner)]) names.add(name);
  for (const name of exposedProperties(type)) names.add(name);
  return names;
}

function accessorOf(type: Class, name: string): PropertyDescriptor | undefined {
  for (const owner of lineageOf(type)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner.prototype, name);
    if (descriptor !== undefined)
      return descriptor.get !== undefined || descriptor.set !== undefined ? descriptor : undefined;
  }
  return undefined;
}

/**
 * Own properties of a fresh instance. The class is constructed twice: a value that differs (a date, a random id) is
 * a default, but none that can be published. A key without a value comes from `useDefineForClassFields`.
 */
function initialValues(reading: Reading, type: Class): ReadonlyMap<string, Initializer | undefined> {
  const values = new Map<string, Initializer | undefined>();
  try {
    const construct = type as unknown as new () => Record<string, unknown>; // an abstract class throws, which is handled
    const first = new construct();
    const second = new construct();
    for (const name of Object.keys(first)) {
      const value = first[name];
      values.set(name, value === undefined ? undefined : { value, isStable: Object.is(value, second[name]) });
    }
  } catch (error) {
    const why = error instanceof Error ? error.name : 'it throws';
    reading.list.warn('CW_SCHEMA_CONSTRUCTOR', `${reading.prefix}${type.name}`, { type: type.name, why });
  }
  return values;
}

// `@Exclude` alone says that the property is no argument.
function isExposed({ groups }: Reading, type: Class, name: string): boolean {
  return exposedName(type, name, 'in', groups) !== undefined;
}

function warnOfUndecorated(
  reading: Reading,
  where: string,
  type: Class,
  initial: ReadonlyMap<string, Initializer | undefined>,
  names: ReadonlySet<string>,
): void {
  for (const name of initial.keys())
    if (!names.has(name) && !hasRulesInOtherGroups(type, name) && isExposed(reading, type, name))
      reading.list.warn('CW_SCHEMA_UNDECORATED', `${where}.${name}`, {});
}

function reportNames(reading: Reading, where: string, properties: readonly PropertyPlan[]): void {
  const seen = new Set<string>();
  for (const { wireName, name } of properties) {
    if (seen.has(wireName))
      reading.list.report('CW_SCHEMA_DUPLICATE_NAME', `${where}.${name}`, { name: wireName });
    seen.add(wireName);
  }
}
