import type { Problem } from './problem';

/** Where a problem was found. */
export interface Place {
  /** `BookTable.time`, or `LuigiAgent.openingHours, parameter 0 ("day")`. */
  readonly where: string;
}

/** Which kind of thing has no readable type, so that the advice can be written as it would stand there. */
export interface Untyped extends Place {
  /** The name in `@Arg`, where it is a parameter; a property of a class has none. */
  readonly argument?: string | undefined;
}

/** Every problem this package reports: code → message. The codes are explained in `docs/reference/errors.md`. */
export const schemaErrors = {
  CW_META_OPAQUE: ({ where, emitted, argument }: Untyped & { emitted: string }) =>
    `${where}: the type cannot be read (${emitted}).\n` +
    'Nothing says what the model should send: `any`, an interface, a union, a type alias, `import type` or an import cycle leaves no type at run time.\n' +
    (argument === undefined
      ? 'Add a validator that decides the type (@IsString(), @IsInt(), @IsEnum(E) …), a class, or @Schema({ type }).\n' +
        'To take any JSON value, add @Allow().'
      : `Give the type (${typedArgument(argument)}), or annotate the parameter with string, number or boolean.`),
  CW_META_MISSING: ({ where, argument, mayBeLate }: Untyped & { mayBeLate: boolean }) =>
    `${where}: no type is known at run time. One of these is why:\n` +
    (argument === undefined
      ? '- there is no type annotation (`= 5` alone is not enough): write `partySize: number = 5`;\n'
      : '') +
    (mayBeLate
      ? "- reflect-metadata was loaded after this class: make `import 'callwright'` the first line of main.ts;\n"
      : '') +
    '- the build emits no metadata (tsx and esbuild never do): set "emitDecoratorMetadata": true and build with tsc or swc.\n' +
    (argument === undefined
      ? 'Or give the type: @Schema({ type }), @Nested(() => X), @ArrayOf(X).'
      : `Or give the type: ${typedArgument(argument)}.`),
  CW_META_LATE: ({ where }: Place) =>
    `${where}: the type is not known, because reflect-metadata was loaded after this class.\n` +
    "Make `import 'callwright'` (or `import 'reflect-metadata'`) the first line of main.ts.",
  CW_META_UNSUPPORTED: ({ where, type }: Place & { type: string }) =>
    `${where}: ${type} has no JSON form.\n` +
    'Arguments arrive as JSON: strings, numbers, booleans, arrays and objects.\n' +
    'Use a string or a number here and convert it in the method.',
  CW_SCHEMA_CONTRADICTION: ({ where, first, second }: Place & { first: string; second: string }) =>
    `${where}: no value can satisfy both ${first} and ${second}.\n` +
    'Every call of the tool would be refused.\n' +
    'Remove one of them. For an array of values give the decorator `{ each: true }`.',
  CW_SCHEMA_REFUSED: ({ where, decorator, why }: Place & { decorator: string; why: string }) =>
    `${where}: ${decorator} cannot be used for arguments: ${why}.\nReplace or remove it.`,
  CW_SCHEMA_NESTED_TYPE: ({ where }: Place) =>
    `${where}: @ValidateNested does not say which class the items have.\n` +
    'Use @ArrayOf(() => Guest) for an array and @Nested(() => Guest) for one object, or add @Type(() => Guest).',
  CW_SCHEMA_NESTED_ARRAY: ({ where }: Place) =>
    `${where}: an array of arrays cannot be checked item by item.\n` +
    'Give the inner array a class of its own: a property with the array in it, and @ArrayOf(() => Row) here.',
  CW_SCHEMA_EMPTY_CLASS: ({ where, type }: Place & { type: string }) =>
    `${where}: ${type} has no validated property.\n` +
    'Only decorated properties are arguments, so no key would be accepted.\n' +
    'Decorate its properties (with @IsString(), @Describe() …), or inject the value instead.',
  CW_SCHEMA_RESERVED_NAME: ({ where, name }: Place & { name: string }) =>
    `${where}: "${name}" cannot be the name of an argument.\n` +
    'Every object already has it, or it would make the object something else (a promise, another class).\n' +
    'Rename it.',
  CW_SCHEMA_DUPLICATE_NAME: ({ where, name }: Place & { name: string }) =>
    `${where}: the name "${name}" is used twice in JSON.\nEach argument needs a name of its own: change one @Expose({ name }) or @Arg name.`,
  CW_SCHEMA_DISCRIMINATOR: ({ where, why }: Place & { why: string }) =>
    `${where}: the discriminator of @Type cannot be used: ${why}.\n` +
    "It needs a tag property and, for each value of it, a class: { property: 'kind', subTypes: [{ name: 'card', value: Card }] }.",
  CW_SCHEMA_KEYWORD: ({ where, keyword }: Place & { keyword: string }) =>
    `${where}: @Schema has "${keyword}", which is no keyword that can be used here.\n` +
    'References ($ref, $defs) and unknown keywords are refused, because models and servers read them differently.\n' +
    'Correct the spelling, or use @Nested for a class.',
  CW_SCHEMA_RECURSIVE: ({ where, type }: Place & { type: string }) =>
    `${where}: ${type} contains itself, and "refuseRecursive" is set, because some servers and models take no such schema.\n` +
    'Give the inner level a class of its own that ends, or leave the option out.',
  CW_SCHEMA_STRICT: ({ where, why }: Place & { why: string }) =>
    `${where}: the "strict" dialect cannot say this: ${why}.\n` +
    'Models that want that dialect take only objects with known keys. Name the keys in a class, or use the dialect 2020-12.',
  CW_SCHEMA_TIME_ZONE: ({ where, timeZone }: Place & { timeZone: string }) =>
    `${where}: "${timeZone}" is no time zone that this system knows.\nUse a name of the IANA list, such as Europe/Rome.`,
  CW_VALIDATOR_ASYNC: ({ where, decorator }: Place & { decorator: string }) =>
    `${where}: ${decorator} answers with a promise, and arguments are checked without waiting.\n` +
    'Do that check in the tool, where it may wait, and throw a ToolError there.',
  CW_SCHEMA_COMPILE: ({ where, why }: Place & { why: string }) =>
    `${where}: the schema does not compile: ${why}.\nA keyword given by hand (@Schema, a registered validator) is most likely wrong. Correct it.`,
  CW_SCHEMA_TRANSFORM: ({ where }: Place) =>
    `${where}: @Transform changes the value before it is checked, so the schema says nothing about what the model should send.\n` +
    'Add @Schema({ type, … }) that describes the value as it arrives.',
  CW_SCHEMA_CUSTOM: ({ where, name }: Place & { name: string }) =>
    `${where}: nothing is known of the custom validator "${name}", so the model is not told what it wants.\n` +
    'Register it with registerValidator(name, …), or add @Describe or @Schema beside it.',
  CW_SCHEMA_UNDECORATED: ({ where }: Place) =>
    `${where}: the property has no decorator, so it is no argument; the model cannot set it.\n` +
    'Decorate it, or make it a #private field, which is never an argument.',
  CW_SCHEMA_ITEMS: ({ where }: Place) =>
    `${where}: the type of the items is not known, so the model is not told and any item is accepted.\n` +
    'Use @ArrayOf(String) or @ArrayOf(() => Guest), or a validator with { each: true }.',
  CW_SCHEMA_OVERRIDE: ({ where, base }: Place & { base: string }) =>
    `${where}: the decorators here replace those of the same property in ${base}.\nRepeat the ones of ${base} that should still hold.`,
  CW_SCHEMA_CONSTRUCTOR: ({ where, type, why }: Place & { type: string; why: string }) =>
    `${where}: ${type} cannot be constructed without arguments (${why}), so its initialisers are not read as defaults.\n` +
    'A class of arguments should have no constructor, or one that needs nothing.',
  CW_SCHEMA_SLOW_PATTERN: ({ where, pattern }: Place & { pattern: string }) =>
    `${where}: the regular expression ${pattern} can take very long on some strings.\n` +
    'All calls share one thread, so one string could stop them all.\n' +
    'Rewrite it without nested repetition, or limit the length with a shorter pattern.',
} as const;

function typedArgument(name: string): string {
  return `@Arg(${JSON.stringify(name).replaceAll('"', "'")}, { type: 'string' })`;
}

/** A code of this package. */
export type SchemaErrorCode = keyof typeof schemaErrors;

/** Makes a problem from its code and the details its message needs. */
export function problem<Code extends SchemaErrorCode>(
  code: Code,
  details: Parameters<(typeof schemaErrors)[Code]>[0],
): Problem {
  // The table's functions take different details; the parameter above ties code and details together.
  const message = (schemaErrors[code] as (details: unknown) => string)(details);
  return { code, message };
}
