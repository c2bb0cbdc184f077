import { type Class } from './class';
import { dateText } from './date';
import { isJsonScalar, type JsonScalar, type JsonSchema, type JsonType, typeOfScalar } from './json';
import { keywordsFor } from './merge-images';
import { maxUnits } from './scan';
import type { ClassPlan, ClassPlans, PropertyPlan, Shape, ValueShape } from './shape';

/** How schemas are written. */
export interface EmitOptions {
  /** Whether classes that do not contain themselves are written in place, not as definitions. */
  readonly inline: boolean;
  /** Whether the schema is for the own validator: with limits, loose values open, and no texts for the model. */
  readonly forValidation: boolean;
  /** Whether `null` is taken where a property may be absent: the strict dialect has no other way to leave it out. */
  readonly nullForAbsent: boolean;
}

/** Items an array may have where the program sets no limit of its own. */
export const defaultMaxItems = 1_000;

/** Writes the JSON Schema of a root: the properties of a class, or of named arguments. */
export class SchemaWriter {
  readonly #plans: ClassPlans;
  readonly #options: EmitOptions;
  readonly #recursive: ReadonlySet<Class>;
  readonly #names = new Map<Class, string>();
  readonly #definitions: JsonSchema = {};

  constructor(plans: ClassPlans, options: EmitOptions) {
    this.#plans = plans;
    this.#options = options;
    this.#recursive = recursiveClasses(plans);
  }

  /** The whole document. */
  document(properties: readonly PropertyPlan[]): JsonSchema {
    const schema = this.#object(properties, {});
    return Object.keys(this.#definitions).length === 0 ? schema : { ...schema, $defs: this.#definitions };
  }

  #object(properties: readonly PropertyPlan[], keywords: JsonSchema): JsonSchema {
    const entries = properties.map((property) => [property.wireName, this.#property(property)] as const);
    const required = properties.filter((property) => property.required).map((property) => property.wireName);
    return {
      type: 'object',
      properties: Object.fromEntries(entries),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
      ...keywords,
    };
  }

  #property(property: PropertyPlan): JsonSchema {
    const { forValidation, nullForAbsent } = this.#options;
    if (forValidation && property.loose && property.shape.kind !== 'value') return {};
    const isOpen = property.loose && !(property.transforms.length > 0 && property.shape.kind === 'value');
    const nullable = property.nullable || (nullForAbsent && !property.required);
    const schema = isOpen ? {} : this.#shape(property.shape, nullable);
    if (forValidation) return schema;
    const description = describe(property);
    return {
      ...(description === undefined ? {} : { description }),
      ...schema,
      ...(property.defaultValue === undefined ? {} : { default: property.defaultValue }),
    };
  }

  #shape(shape: Shape, nullable: boolean): JsonSchema {
    switch (shape.kind) {
      case 'value':
        return this.#value(shape, nullable);
      case 'date':
        return withNull(this.#string({ ...this.#dateFormat(shape.timeZone), ...shape.keywords }), nullable);
      case 'class':
        return this.#classValue(shape.type, shape.keywords, nullable);
      case 'variants':
        return this.#variants(shape, nullable);
      case 'list':
        return withNull(this.#array(shape.keywords, shape.items), nullable);
      case 'map':
        return withNull(
          { type: 'object', additionalProperties: this.#shape(shape.values, false), ...shape.keywords },
          nullable,
        );
    }
  }

  #dateFormat(timeZone: string | undefined): JsonSchema {
    return timeZone === undefined && !this.#options.forValidation ? { format: 'date-time' } : {};
  }

  #string(keywords: JsonSchema): JsonSchema {
    if (!this.#options.forValidation) return { type: 'string', ...keywords };
    return { type: 'string', maxUnits, ...keywords };
  }

  #array(keywords: JsonSchema, items: Shape): JsonSchema {
    const limit = this.#options.forValidation ? { maxItems: defaultMaxItems } : {};
    const own = this.#shape(items, false);
    return { type: 'array', ...(Object.keys(own).length === 0 ? {} : { items: own }), ...limit, ...keywords };
  }

  #value({ types, keywords }: ValueShape, nullable: boolean): JsonSchema {
    if (types === undefined) return nullable ? orNull(keywords) : keywords;
    const wanted = nullable && !types.includes('null') ? [...types, 'null' as const] : types;
    if ('enum' in keywords) return closedValue(types, keywords, nullable);
    const named = wanted.filter((type) => type !== 'null');
    if (named.length === 1 && named[0] !== undefined)
      return withNull(this.#typed(named[0], keywords), wanted.length > 1);
    const alternatives = wanted.map((type) => this.#typed(type, keywordsFor(type, keywords)));
    return alternatives.length === 1 && alternatives[0] !== undefined
      ? alternatives[0]
      : { anyOf: alternatives };
  }

  #typed(type: JsonType, keywords: JsonSchema): JsonSchema {
    if (type === 'string') return this.#string(keywords);
    return {
      type,
      ...(type === 'array' && this.#options.forValidation ? { maxItems: defaultMaxItems } : {}),
      ...keywords,
    };
  }

  #classValue(type: Class, keywords: JsonSchema, nullable: boolean): JsonSchema {
    if (this.#options.inline && !this.#recursive.has(type))
      return withNull(this.#object(this.#plan(type).properties, keywords), nullable);
    const reference = { $ref: `#/$defs/${this.#define(type)}` };
    const whole =
      Object.keys(keywords).length === 0 ? reference : { allOf: [reference], ...keywords, type: 'object' };
    return nullable ? { anyOf: [whole, { type: 'null' }] } : whole;
  }

  #variants({ tag, variants }: Shape & { kind: 'variants' }, nullable: boolean): JsonSchema {
    const oneOf = variants.map(({ name, type }) => {
      const own = this.#plan(type).properties.filter((property) => property.wireName !== tag);
      const schema = this.#object(own, {});
      const required = [tag, ...((schema.required as string[] | undefined) ?? [])];
      const properties = { [tag]: { const: name }, ...(schema.properties as JsonSchema) };
      return { ...schema, properties, required };
    });
    return nullable ? { anyOf: [{ oneOf }, { type: 'null' }] } : { oneOf };
  }

  #plan(type: Class): ClassPlan {
    return this.#plans.get(type) ?? { type, properties: [] };
  }

  #define(type: Class): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const base = type.name.replace(/[^A-Za-z0-9_.-]/g, '_') || 'Class';
    let name = base;
    for (let suffix = 2; name in this.#definitions; suffix++) name = `${base}_${suffix}`;
    this.#names.set(type, name);
    this.#definitions[name] = {}; // keeps the name and the order while its properties are written
    this.#definitions[name] = this.#object(this.#plan(type).properties, {});
    return name;
  }
}

function closedValue(types: readonly JsonType[], keywords: JsonSchema, nullable: boolean): JsonSchema {
  const isNullable = nullable || types.includes('null');
  const named = types.filter((type) => type !== 'null');
  const { enum: values, ...rest } = keywords;
  const list = values as unknown[];
  const closed = isNullable && !list.includes(null) ? [...list, null] : list;
  const own = closed.length === 1 ? { const: closed[0] } : { enum: closed };
  if (named.length === 1) return { type: isNullable ? [named[0], 'null'] : named[0], ...own, ...rest };
  if (Object.keys(rest).length === 0) return own;
  // Keywords of one type need that type beside them.
  const anyOf = [...new Set([...named, ...(isNullable ? (['null'] as const) : [])])].flatMap((type) => {
    const ofType = closed.filter((value) => isJsonScalar(value) && isOfType(value, type));
    return ofType.length === 0 ? [] : [{ type, enum: ofType, ...keywordsFor(type, rest) }];
  });
  return { anyOf };
}

function isOfType(value: JsonScalar, type: JsonType): boolean {
  const own = typeOfScalar(value);
  return own === type || (own === 'integer' && type === 'number');
}

/** Keywords without a type, with `null` taken too. */
function orNull(keywords: JsonSchema): JsonSchema {
  return Object.keys(keywords).length === 0 ? keywords : { anyOf: [keywords, { type: 'null' }] };
}

/** The schema, which has a `type`, with `null` taken too. */
function withNull(schema: JsonSchema, nullable: boolean): JsonSchema {
  return nullable ? { ...schema, type: [schema.type, 'null'] } : schema;
}

function describe({ description, shape }: PropertyPlan): string | undefined {
  const dated = shape.kind === 'list' ? shape.items : shape.kind === 'map' ? shape.values : shape;
  if (dated.kind !== 'date') return description;
  const text = dateText(dated.timeZone);
  return description === undefined ? text : `${description} (${text})`;
}

/** Classes that contain themselves, directly or through others. */
export function recursiveClasses(plans: ClassPlans): ReadonlySet<Class> {
  const reaches = new Map(
    [...plans].map(([type, plan]) => [type, new Set(plan.properties.flatMap(classesOf))]),
  );
  const recursive = new Set<Class>();
  for (const type of plans.keys()) {
    const seen = new Set<Class>();
    const waiting = [...(reaches.get(type) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...(reaches.get(next) ?? []));
    }
    if (seen.has(type)) recursive.add(type);
  }
  return recursive;
}

function classesOf({ shape }: PropertyPlan): readonly Class[] {
  const inner = shape.kind === 'list' ? shape.items : shape.kind === 'map' ? shape.values : shape;
  if (inner.kind === 'class') return [inner.type];
  return inner.kind === 'variants' ? inner.variants.map((variant) => variant.type) : [];
}
