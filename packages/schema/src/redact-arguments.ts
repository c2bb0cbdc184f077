import type { Class } from './class';
import { redactedText } from './sensitive';
import type { ClassPlans, PropertyPlan, Shape } from './shape';

/** What stands for a value that the classes know nothing of. */
const unknownText = '[unknown]';

/** Hears each value that was replaced because it is sensitive. */
export type HiddenValue = (value: unknown) => void;

/**
 * A copy of JSON arguments that may be recorded: sensitive properties are `[sensitive]`, at any depth. What does not have
 * the form of its class, and what the class has no property for, could be anything and is `[unknown]`.
 */
export function redactArguments(
  plans: ClassPlans,
  properties: readonly PropertyPlan[],
  args: unknown,
  hidden: HiddenValue,
): unknown {
  return new ArgumentsRedactor(plans, hidden).object(properties, args);
}

class ArgumentsRedactor {
  readonly #plans: ClassPlans;
  readonly #hidden: HiddenValue;

  constructor(plans: ClassPlans, hidden: HiddenValue) {
    this.#plans = plans;
    this.#hidden = hidden;
  }

  object(properties: readonly PropertyPlan[], json: unknown): unknown {
    if (!isObject(json)) return unknownText;
    return mapped(json, (value, key) => {
      const property = properties.find(({ wireName }) => wireName === key);
      if (property === undefined) return unknownText;
      if (property.sensitive && value !== null) return this.#hide(value);
      return this.#value(property.shape, value);
    });
  }

  #value(shape: Shape, json: unknown): unknown {
    if (json === null || shape.kind === 'date') return json;
    switch (shape.kind) {
      case 'value':
        return json;
      case 'class':
        return this.object(this.#propertiesOf(shape.type), json);
      case 'list':
        return Array.isArray(json) ? json.map((item) => this.#value(shape.items, item)) : unknownText;
      case 'map':
        return isObject(json) ? mapped(json, (value) => this.#value(shape.values, value)) : unknownText;
      case 'variants': {
        if (!isObject(json)) return unknownText;
        const { [shape.tag]: tag, ...rest } = json;
        const variant = shape.variants.find(({ name }) => name === tag);
        if (variant === undefined) return unknownText;
        const properties = this.#propertiesOf(variant.type).filter(({ wireName }) => wireName !== shape.tag);
        return { [shape.tag]: tag, ...(this.object(properties, rest) as object) }; // an object gives an object
      }
    }
  }

  #propertiesOf(type: Class): readonly PropertyPlan[] {
    return this.#plans.get(type)?.properties ?? [];
  }

  /** Everything inside is heard on its own: a text may show a part of it. */
  #hide(value: unknown): string {
    const waiting = [value];
    for (const each of waiting) {
      if (typeof each === 'object' && each !== null) waiting.push(...Object.values(each));
      else this.#hidden(each);
    }
    return redactedText;
  }
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** `fromEntries` makes own properties, of a key `__proto__` too. */
function mapped(
  json: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, change(value, key)]));
}
