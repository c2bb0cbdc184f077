import type { Class } from './class';
import { readDate } from './date';
import { copyJson } from './json';
import { Sensitive } from './sensitive';
import type { ClassPlans, PropertyPlan, Shape } from './shape';

/** What a binding that went wrong leaves behind. */
export interface BindingState {
  /** Whether a date could not be read. The others' types and sizes were checked before. */
  hasBadDate: boolean;
}

/** Makes an instance, or an array of values, from arguments that passed the schema. */
export type Binder = (args: unknown, state: BindingState) => unknown;

/** What the generated code is given beside the plan. */
export interface BinderOptions {
  /** Whether `null` means absent for every property that may be left out (the strict dialect). */
  readonly nullForAbsent: boolean;
  /** Judges a loose value of a class before it is bound; the names are those of {@link looseKey}. */
  readonly isValidLoose: (property: PropertyPlan) => (value: unknown) => boolean;
}

/** Writes and compiles the binder of a class. */
export function compileClassBinder(plans: ClassPlans, root: Class, options: BinderOptions): Binder {
  const writer = new BinderWriter(plans, options);
  return writer.compile(writer.classFunction(root));
}

/** Writes and compiles the binder of named arguments: it gives their values in order. */
export function compileListBinder(
  plans: ClassPlans,
  properties: readonly PropertyPlan[],
  defaults: readonly unknown[],
  options: BinderOptions,
): Binder {
  const writer = new BinderWriter(plans, options);
  return writer.compile(writer.listFunction(properties, defaults));
}

/**
 * Writes JavaScript that builds instances without looking anything up: one function a class, one assignment a
 * property. Names from the program stand in it only as JSON string literals; values and functions are passed in.
 */
class BinderWriter {
  readonly #plans: ClassPlans;
  readonly #options: BinderOptions;
  readonly #functions: string[] = [];
  readonly #names = new Map<Class, string>();
  readonly #given: unknown[] = [];

  constructor(plans: ClassPlans, options: BinderOptions) {
    this.#plans = plans;
    this.#options = options;
  }

  compile(entry: string): Binder {
    const names = this.#given.map((_, index) => `given${index}`);
    const body = `'use strict';\n${this.#functions.join('\n')}\nreturn ${entry};`;
    // The text is made here from a plan, never from arguments.
    return new Function(...names, body)(...this.#given) as Binder; // the text above returns a function of this type
  }

  classFunction(type: Class): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const name = `bind${this.#names.size}`;
    this.#names.set(type, name);
    const properties = this.#plans.get(type)?.properties ?? [];
    const lines = properties.map((property) =>
      this.#assignment(property, `object[${JSON.stringify(property.name)}]`),
    );
    this.#functions.push(
      `function ${name}(raw, state) {\nconst object = new ${this.#give(type)}();\nlet value;\n${lines.join('\n')}\nreturn object;\n}`,
    );
    return name;
  }

  listFunction(properties: readonly PropertyPlan[], defaults: readonly unknown[]): string {
    const declared = properties.map((_, index) => `let result${index} = ${this.#give(defaults[index])};`);
    const lines = properties.map((property, index) => this.#assignment(property, `result${index}`));
    const results = properties.map((_, index) => `result${index}`).join(', ');
    this.#functions.push(
      `function bindList(raw, state) {\nlet value;\n${declared.join('\n')}\n${lines.join('\n')}\nreturn [${results}];\n}`,
    );
    return 'bindList';
  }

  #assignment(property: PropertyPlan, target: string): string {
    const skipsNull = property.nullable || (this.#options.nullForAbsent && !property.required);
    const isThere = skipsNull ? 'value !== undefined && value !== null' : 'value !== undefined';
    let expression = this.#value(property);
    for (const transform of property.transforms)
      expression = `${this.#give(transform)}(${expression}, ${JSON.stringify(property.name)}, raw)`;
    if (property.wrapped) expression = `new ${this.#give(Sensitive)}(${expression})`;
    return `value = raw[${JSON.stringify(property.wireName)}];\nif (${isThere}) ${target} = ${expression};`;
  }

  #value(property: PropertyPlan): string {
    const plain = this.#expression(property.shape, 'value');
    if (!property.loose || property.shape.kind === 'value') return plain;
    const isValid = this.#give(this.#options.isValidLoose(property));
    return `(${isValid}(value) ? ${plain} : ${this.#give(copyJson)}(value))`;
  }

  #expression(shape: Shape, value: string): string {
    switch (shape.kind) {
      case 'value':
        return isScalar(shape) ? value : `${this.#give(copyJson)}(${value})`;
      case 'date':
        return `${this.#give(bindDate)}(${value}, ${JSON.stringify(shape.timeZone)}, state)`;
      case 'class':
        return `${this.classFunction(shape.type)}(${value}, state)`;
      case 'variants':
        return `${this.#variantsFunction(shape)}(${value}, state)`;
      case 'list':
        return this.#list(shape, value);
      case 'map':
        return `${this.#mapFunction(shape)}(${value}, state)`;
    }
  }

  #list(shape: Shape & { kind: 'list' }, value: string): string {
    if (shape.items.kind === 'value' && isScalar(shape.items))
      return shape.container === 'set' ? `new Set(${value})` : `${value}.slice()`;
    const name = this.#reserve();
    const item = this.#expression(shape.items, 'raw[index]');
    const loop = `for (let index = 0; index < raw.length; index++) items[index] = ${item};`;
    const result = shape.container === 'set' ? 'new Set(items)' : 'items';
    this.#functions.push(
      `function ${name}(raw, state) {\nconst items = new Array(raw.length);\n${loop}\nreturn ${result};\n}`,
    );
    return `${name}(${value}, state)`;
  }

  #mapFunction(shape: Shape & { kind: 'map' }): string {
    const name = this.#reserve();
    const item = this.#expression(shape.values, 'raw[key]');
    this.#functions.push(
      `function ${name}(raw, state) {\nconst map = new Map();\nfor (const key of Object.keys(raw)) map.set(key, ${item});\nreturn map;\n}`,
    );
    return name;
  }

  #variantsFunction(shape: Shape & { kind: 'variants' }): string {
    const name = this.#reserve();
    const tag = JSON.stringify(shape.tag);
    const cases = shape.variants.map((variant) => {
      const bound = `${this.classFunction(variant.type)}(raw, state)`;
      const keep = shape.keepTag ? `object[${tag}] = raw[${tag}]; ` : '';
      return `case ${JSON.stringify(variant.name)}: { const object = ${bound}; ${keep}return object; }`;
    });
    this.#functions.push(`function ${name}(raw, state) {\nswitch (raw[${tag}]) {\n${cases.join('\n')}\n}\n}`);
    return name;
  }

  #reserve(): string {
    return `step${this.#functions.length}_${this.#given.length}_${this.#reserved++}`;
  }
  #reserved = 0;

  #give(value: unknown): string {
    if (value === undefined) return 'undefined';
    const known = this.#given.indexOf(value);
    if (known >= 0) return `given${known}`;
    this.#given.push(value);
    return `given${this.#given.length - 1}`;
  }
}

function isScalar({ types }: Shape & { kind: 'value' }): boolean {
  return types?.every((type) => type !== 'object' && type !== 'array') ?? false;
}

function bindDate(text: unknown, timeZone: string | undefined, state: BindingState): Date | undefined {
  const date = typeof text === 'string' ? readDate(text, timeZone) : undefined;
  if (date === undefined) state.hasBadDate = true;
  return date;
}
