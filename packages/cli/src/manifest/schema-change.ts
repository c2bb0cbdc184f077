import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../project';

/** One difference between two schemas of arguments. Breaking: arguments that were taken may be refused now. */
export interface SchemaChange {
  readonly where: string;
  readonly what: string;
  readonly isBreaking: boolean;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** Words for people only; they change no answer. */
const ANNOTATIONS = ['description', 'title', 'examples', 'default', '$comment', '$schema', '$id'];
/** A smaller number takes less. */
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** A larger number takes less. */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const STRUCTURE = ['properties', 'required', 'items', 'enum', 'type', 'additionalProperties'];

/**
 * What changed from one schema to the next. A keyword whose change cannot be judged (a pattern, a combination of schemas) counts as
 * breaking, so that nothing breaking passes unseen.
 */
export function schemaChanges(before: JsonSchema, after: JsonSchema, where = ''): readonly SchemaChange[] {
  return [
    ...typeChanges(before, after, where),
    ...enumChanges(before, after, where),
    ...propertyChanges(before, after, where),
    ...additionalChanges(before, after, where),
    ...(isObject(before.items) && isObject(after.items)
      ? schemaChanges(before.items, after.items, `${where}[]`)
      : keywordChange('items', before, after, where)),
    ...boundChanges(before, after, where),
    ...otherChanges(before, after, where),
  ];
}

function typeChanges(before: JsonSchema, after: JsonSchema, where: string): readonly SchemaChange[] {
  if (isDeepStrictEqual(before.type, after.type)) return [];
  const [old, now] = [typesOf(before), typesOf(after)];
  const isWider = now === undefined || old?.every((type) => takes(now, type)) === true;
  const what = `type ${text(before.type)} → ${text(after.type)}`;
  return [{ where, what, isBreaking: !isWider }];
}

/** Undefined: any type. */
function typesOf({ type }: JsonSchema): readonly unknown[] | undefined {
  if (type === undefined) return undefined;
  return Array.isArray(type) ? type : [type];
}

function takes(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function enumChanges(before: JsonSchema, after: JsonSchema, where: string): readonly SchemaChange[] {
  const [old, now] = [before.enum, after.enum];
  if (!Array.isArray(old) || !Array.isArray(now)) return keywordChange('enum', before, after, where);
  const gone = old.filter((value) => !now.some((each) => isDeepStrictEqual(each, value)));
  const added = now.filter((value) => !old.some((each) => isDeepStrictEqual(each, value)));
  return [
    ...gone.map((value) => ({ where, what: `the value ${text(value)} is gone`, isBreaking: true })),
    ...added.map((value) => ({ where, what: `the value ${text(value)} is new`, isBreaking: false })),
  ];
}

function propertyChanges(before: JsonSchema, after: JsonSchema, where: string): readonly SchemaChange[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)];
  const isClosed = after.additionalProperties === false;
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((name): readonly SchemaChange[] => {
    const at = where === '' ? name : `${where}.${name}`;
    const [was, is] = [old[name], now[name]];
    if (is === undefined)
      return [{ where: at, what: 'is gone', isBreaking: isClosed || isRequired.has(name) }];
    if (was === undefined) {
      const isNeeded = isRequired.has(name);
      return [
        { where: at, what: `is new, ${isNeeded ? 'and required' : 'and optional'}`, isBreaking: isNeeded },
      ];
    }
    const need: SchemaChange[] = [];
    if (isRequired.has(name) && !wasRequired.has(name))
      need.push({ where: at, what: 'is required now', isBreaking: true });
    if (!isRequired.has(name) && wasRequired.has(name))
      need.push({ where: at, what: 'is optional now', isBreaking: false });
    return [...need, ...(isObject(was) && isObject(is) ? schemaChanges(was, is, at) : [])];
  });
}

function propertiesOf(schema: JsonSchema): JsonSchema {
  return isObject(schema.properties) ? schema.properties : {};
}

function requiredOf({ required }: JsonSchema): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

function additionalChanges(before: JsonSchema, after: JsonSchema, where: string): readonly SchemaChange[] {
  const name = 'additionalProperties';
  if (isDeepStrictEqual(before[name] ?? true, after[name] ?? true)) return [];
  const isOpened = (after[name] ?? true) === true;
  return [
    { where, what: `other members: ${text(before[name])} → ${text(after[name])}`, isBreaking: !isOpened },
  ];
}

function boundChanges(before: JsonSchema, after: JsonSchema, where: string): readonly SchemaChange[] {
  const changed = (
    name: string,
    isTighter: (old: number, now: number) => boolean,
  ): readonly SchemaChange[] => {
    const [old, now] = [before[name], after[name]];
    if (isDeepStrictEqual(old, now)) return [];
    const isBreaking =
      now !== undefined && (typeof old !== 'number' || typeof now !== 'number' || isTighter(old, now));
    return [{ where, what: `${name} ${text(old)} → ${text(now)}`, isBreaking }];
  };
  return [
    ...UPPER_BOUNDS.flatMap((name) => changed(name, (old, now) => now < old)),
    ...LOWER_BOUNDS.flatMap((name) => changed(name, (old, now) => now > old)),
  ];
}

/** Everything that no other rule knows. */
function otherChanges(before: JsonSchema, after: JsonSchema, where: string): readonly SchemaChange[] {
  const known = [...STRUCTURE, ...UPPER_BOUNDS, ...LOWER_BOUNDS];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !known.includes(name),
  );
  return names.flatMap((name) => keywordChange(name, before, after, where));
}

/** A keyword as a whole: new or changed is narrower, gone is wider, an annotation is neither. */
function keywordChange(
  name: string,
  before: JsonSchema,
  after: JsonSchema,
  where: string,
): readonly SchemaChange[] {
  if (isDeepStrictEqual(before[name], after[name])) return [];
  const isBreaking = after[name] !== undefined && !ANNOTATIONS.includes(name);
  return [{ where, what: `${name} ${text(before[name])} → ${text(after[name])}`, isBreaking }];
}

const MAX_CHARACTERS = 60;

function text(value: unknown): string {
  if (value === undefined) return 'none';
  const written = JSON.stringify(value) ?? 'none';
  return written.length <= MAX_CHARACTERS ? written : `${written.slice(0, MAX_CHARACTERS - 1)}…`;
}
