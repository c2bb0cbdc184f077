import { type Annotation, designTypeOf } from './annotations';
import { type Class, isClass, resolveClass } from './class';
import { type TypeRecord, typeRecordOf } from './class-transformer';
import type { JsonScalar, JsonType } from './json';
import { valuesOfEnum } from './keywords/types-and-values';
import { isSensitiveType } from './sensitive';

/** What the program's types say about a value, before any validator is asked. */
export type DeclaredType =
  | { readonly kind: 'scalar'; readonly types: readonly JsonType[]; readonly isExplicit: boolean }
  | { readonly kind: 'date' }
  | { readonly kind: 'enum'; readonly values: readonly JsonScalar[] }
  | { readonly kind: 'class'; readonly type: Class }
  | { readonly kind: 'list'; readonly container: 'array' | 'set' }
  | { readonly kind: 'map' }
  | { readonly kind: 'sensitive' }
  | { readonly kind: 'unsupported'; readonly name: string }
  /** `Object` or `Function`: an interface, a union, an import cycle … */
  | { readonly kind: 'opaque'; readonly emitted: string }
  | { readonly kind: 'missing' };

/** The declared type of a property and that of its items. */
export interface Declaration {
  readonly type: DeclaredType;
  /** From `@Nested`, `@ArrayOf` or `@Type`: the class of the value, or of each item of a list or map. */
  readonly element?: DeclaredType;
  readonly discriminator?: NonNullable<TypeRecord['discriminator']>;
  /** Whether `@ArrayOf` says that there are items. */
  readonly each: boolean;
  /** Whether `@Nested`, `@ArrayOf` or `@Type` names a class that cannot be had. */
  readonly elementIsBroken: boolean;
}

/** Reads what is declared: explicit types first, then `@Type`, then what the compiler emitted. */
export function readDeclaration(type: Class, property: string, annotation: Annotation): Declaration {
  const typeRecord = typeRecordOf(type, property);
  const element =
    annotation.element === undefined
      ? typeRecord?.type
      : (resolveClass(annotation.element) ?? typeRecord?.type);
  const hasElement = annotation.element !== undefined || typeRecord !== undefined;
  return {
    type: explicitType(annotation) ?? classify(designTypeOf(type, property)),
    each: annotation.each === true,
    elementIsBroken: hasElement && element === undefined && typeRecord?.discriminator === undefined,
    ...(element === undefined ? {} : { element: classify(element) }),
    ...(typeRecord?.discriminator === undefined ? {} : { discriminator: typeRecord.discriminator }),
  };
}

function explicitType({ fragment }: Annotation): DeclaredType | undefined {
  const type = fragment?.type;
  if (type === undefined) return undefined;
  if (typeof type === 'function') return classify(type);
  const types: readonly JsonType[] = typeof type === 'string' ? [type] : (type as readonly JsonType[]);
  return types.length === 1 && types[0] === 'array'
    ? { kind: 'list', container: 'array' }
    : { kind: 'scalar', types, isExplicit: true };
}

const unsupported = new Set<unknown>([
  BigInt,
  Symbol,
  Promise,
  Buffer,
  ArrayBuffer,
  RegExp,
  WeakMap,
  WeakSet,
  Error,
  Object.getPrototypeOf(Uint8Array),
]);

/** What a type at run time (a class, an enum object, or what stands for a lost type) means. */
export function classify(type: unknown): DeclaredType {
  if (type === undefined || type === null) return { kind: 'missing' };
  if (type === String) return { kind: 'scalar', types: ['string'], isExplicit: false };
  if (type === Number) return { kind: 'scalar', types: ['number'], isExplicit: false };
  if (type === Boolean) return { kind: 'scalar', types: ['boolean'], isExplicit: false };
  if (type === Date) return { kind: 'date' };
  if (type === Array) return { kind: 'list', container: 'array' };
  if (type === Set) return { kind: 'list', container: 'set' };
  if (type === Map) return { kind: 'map' };
  if (type === Object || type === Function) return { kind: 'opaque', emitted: (type as Class).name };
  if (isSensitiveType(type)) return { kind: 'sensitive' };
  if (typeof type === 'object') return enumOrOpaque(type);
  if (isUnsupported(type)) return { kind: 'unsupported', name: (type as Class).name };
  return isClass(type) ? { kind: 'class', type } : { kind: 'opaque', emitted: typeof type };
}

// swc emits the enum object itself where tsc emits String or Number.
function enumOrOpaque(type: object): DeclaredType {
  const values = valuesOfEnum(type);
  return values.length > 0 ? { kind: 'enum', values } : { kind: 'opaque', emitted: 'Object' };
}

function isUnsupported(type: unknown): boolean {
  for (let current = type; typeof current === 'function'; current = Object.getPrototypeOf(current))
    if (unsupported.has(current)) return true;
  return false;
}
