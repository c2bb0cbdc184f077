import type { Class } from './class';
import type { Rule } from './class-validator';
import { isBuiltIn } from './keywords/table';
import { isSensitive } from './sensitive';
import type { Check, ClassPlans, PropertyPlan, Shape } from './shape';

/** Finds what class-validator's rules refuse, beyond the schema. Each finding is a sentence with its path. */
export type Checker = (value: unknown, findings: string[]) => void;

/** The checker of a class; `undefined` where the schema says everything. */
export function checkerOfClass(plans: ClassPlans, root: Class): Checker | undefined {
  const relevant = relevantClasses(plans);
  if (!relevant.has(root)) return undefined;
  const walker = new CheckWalker(plans, relevant);
  return (value, findings) => walker.object(root, value as object, '', findings);
}

/** The checker of named arguments, whose values stand in a list. */
export function checkerOfList(plans: ClassPlans, properties: readonly PropertyPlan[]): Checker | undefined {
  const relevant = relevantClasses(plans);
  const isNeeded = properties.some((property) => isRelevant(property, relevant));
  if (!isNeeded) return undefined;
  const walker = new CheckWalker(plans, relevant);
  return (values, findings) => {
    const named = Object.fromEntries(
      properties.map(({ name }, index) => [name, (values as unknown[])[index]]),
    );
    for (const property of properties) walker.property(property, named, '', findings);
  };
}

/** Walks bound instances. Their depth is bounded: the arguments passed the schema. */
class CheckWalker {
  readonly #plans: ClassPlans;
  readonly #relevant: ReadonlySet<Class>;
  readonly #properties = new Map<Class, readonly PropertyPlan[]>();

  constructor(plans: ClassPlans, relevant: ReadonlySet<Class>) {
    this.#plans = plans;
    this.#relevant = relevant;
  }

  object(type: Class, object: object, path: string, findings: string[]): void {
    let properties = this.#properties.get(type);
    if (properties === undefined) {
      properties = (this.#plans.get(type)?.properties ?? []).filter((own) => isRelevant(own, this.#relevant));
      this.#properties.set(type, properties);
    }
    for (const property of properties)
      this.property(property, object as Record<string, unknown>, path, findings);
  }

  property(property: PropertyPlan, object: Record<string, unknown>, path: string, findings: string[]): void {
    const bound = object[property.name];
    const value = isSensitive(bound) ? bound.reveal() : bound;
    if (property.nullable && (value === undefined || value === null)) return;
    for (const condition of property.conditions) if (!condition(object, value)) return;
    const own = path === '' ? property.wireName : `${path}.${property.wireName}`;
    if (property.loose && property.shape.kind !== 'value' && !isBound(property.shape, value)) {
      findings.push(`${own} must have the form that its description says`);
      return;
    }
    const before = findings.length;
    for (const check of property.checks) runCheck(check, value, object, own, findings);
    if (findings.length === before) this.#nested(property.shape, value, own, findings);
  }

  #nested(shape: Shape, value: unknown, path: string, findings: string[]): void {
    if (typeof value !== 'object' || value === null) return;
    switch (shape.kind) {
      case 'class':
        if (this.#relevant.has(shape.type)) this.object(shape.type, value, path, findings);
        return;
      case 'variants': {
        const variant = shape.variants.find(({ type }) => value.constructor === type);
        if (variant !== undefined && this.#relevant.has(variant.type))
          this.object(variant.type, value, path, findings);
        return;
      }
      case 'list': {
        if (shape.items.kind === 'value' || shape.items.kind === 'date') return;
        let index = 0;
        for (const item of value as Iterable<unknown>)
          this.#nested(shape.items, item, `${path}[${index++}]`, findings);
        return;
      }
      case 'map':
        for (const [key, item] of value as Map<string, unknown>)
          this.#nested(shape.values, item, `${path}.${key.slice(0, 40)}`, findings);
        return;
      default:
        return;
    }
  }
}

function runCheck(
  { rule, expectation }: Check,
  value: unknown,
  object: object,
  path: string,
  findings: string[],
): void {
  if (rule.validateIf !== undefined && !rule.validateIf(object, value)) return;
  const isMany = Array.isArray(value) || value instanceof Set || value instanceof Map;
  if (!rule.each || !isMany) {
    // class-validator's rules of arrays know no Set, so they are asked about its items.
    const asked = value instanceof Set ? [...value] : value;
    if (!isAccepted(answerOf(rule, asked, object))) findings.push(`${path} ${expectation}`);
    return;
  }
  let index = 0;
  for (const item of value instanceof Map ? value.values() : value) {
    if (!isAccepted(answerOf(rule, item, object))) {
      findings.push(`${path}[${index}] ${expectation}`);
      return;
    }
    index++;
  }
}

/** class-validator's own rules can throw on odd numbers (`1e-7`): that refuses. The program's rules throw through. */
function answerOf(rule: Rule, value: unknown, object: object): unknown {
  try {
    return rule.accepts(value, object);
  } catch (error) {
    if (isBuiltIn(rule.name)) return false;
    throw error;
  }
}

// A promise is no answer: a validator that gives one without saying so at boot refuses.
function isAccepted(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return Boolean(answer);
  if ('then' in answer) void Promise.resolve(answer).catch(() => undefined);
  return !('then' in answer);
}

function isBound(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'value':
      return true;
    case 'date':
      return value instanceof Date && !Number.isNaN(value.getTime());
    case 'class':
      return value instanceof shape.type;
    case 'variants':
      return shape.variants.some(({ type }) => value instanceof type);
    case 'list':
      return (
        (Array.isArray(value) || value instanceof Set) &&
        [...value].every((item) => isBound(shape.items, item))
      );
    case 'map':
      return value instanceof Map && [...value.values()].every((item) => isBound(shape.values, item));
  }
}

function isRelevant(property: PropertyPlan, relevant: ReadonlySet<Class>): boolean {
  if (property.checks.length > 0 || (property.loose && property.shape.kind !== 'value')) return true;
  return reachedBy(property.shape).some((type) => relevant.has(type));
}

/** Classes with a check, and classes that reach one. */
function relevantClasses(plans: ClassPlans): ReadonlySet<Class> {
  const relevant = new Set<Class>();
  for (let size = -1; size !== relevant.size; ) {
    size = relevant.size;
    for (const [type, plan] of plans)
      if (plan.properties.some((property) => isRelevant(property, relevant))) relevant.add(type);
  }
  return relevant;
}

/** The classes directly inside a shape. */
export function reachedBy(shape: Shape): readonly Class[] {
  switch (shape.kind) {
    case 'class':
      return [shape.type];
    case 'variants':
      return shape.variants.map(({ type }) => type);
    case 'list':
      return reachedBy(shape.items);
    case 'map':
      return reachedBy(shape.values);
    default:
      return [];
  }
}
