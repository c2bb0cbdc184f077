/**
 * The one file that knows how class-transformer keeps its metadata: it has no public way to read it. Only the storage
 * module is loaded, not the library.
 */
import { type Class, isClass } from './class';

/** One class of `@Type(..., { discriminator })`, by the value of the tag property. */
export interface Variant {
  readonly name: string;
  readonly type: Class;
}

/** What `@Type` says about a property. */
export interface TypeRecord {
  /** The class it gives; `undefined` where the function throws or gives no class. */
  readonly type: Class | undefined;
  readonly discriminator?: {
    readonly property: string;
    readonly variants: readonly Variant[];
    readonly keep: boolean;
  };
}

/** `@Transform`: called with the value after nested classes and dates were made. */
export type Transform = (value: unknown, key: string, object: unknown) => unknown;

interface ExposureOptions {
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
}
interface StoredType {
  readonly typeFunction?: (options?: unknown) => unknown;
  readonly options?: {
    readonly keepDiscriminatorProperty?: boolean;
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly name: string; readonly value: unknown }[];
    };
  };
}
interface StoredTransform {
  readonly transformFn: (parameters: object) => unknown;
  readonly options?: ExposureOptions;
}
interface StoredExposure {
  readonly propertyName: string;
  readonly options?: ExposureOptions;
}
interface Storage {
  /** Private in class-transformer: nothing public lists the properties with `@Type`. */
  readonly _typeMetadatas: ReadonlyMap<Class, ReadonlyMap<string, StoredType>>;
  findTypeMetadata(target: Class, property: string): StoredType | undefined;
  findTransformMetadatas(target: Class, property: string, direction: number): readonly StoredTransform[];
  findExposeMetadata(target: Class, property: string): StoredExposure | undefined;
  findExcludeMetadata(target: Class, property: string): StoredExposure | undefined;
  getExposedMetadatas(target: Class): readonly StoredExposure[];
  getStrategy(target: Class): 'none' | 'excludeAll' | 'exposeAll';
}

/** From JSON into an instance, or from an instance into JSON. The numbers are class-transformer's. */
export type Direction = 'in' | 'out';
const plainToClass = 0;
const classToPlain = 1;

let loaded: Storage | undefined;

function storage(): Storage {
  if (loaded !== undefined) return loaded;
  const found = (require('class-transformer/cjs/storage') as { defaultMetadataStorage?: Storage })
    .defaultMetadataStorage;
  if (typeof found?.findTypeMetadata !== 'function' || !(found._typeMetadatas instanceof Map))
    throw new Error(
      'class-transformer keeps its metadata elsewhere than version 0.5 does. Install class-transformer@^0.5.1.',
    );
  loaded = found;
  return found;
}

/** What `@Type` recorded on the property, its base classes included. */
export function typeRecordOf(target: Class, property: string): TypeRecord | undefined {
  const stored = storage().findTypeMetadata(target, property);
  if (stored === undefined) return undefined;
  const type = callTypeFunction(stored);
  const discriminator = stored.options?.discriminator;
  if (discriminator === undefined) return { type };
  const variants = discriminator.subTypes.flatMap(({ name, value }) =>
    isClass(value) ? [{ name, type: value }] : [],
  );
  return {
    type,
    discriminator: {
      property: discriminator.property,
      variants,
      keep: stored.options?.keepDiscriminatorProperty === true,
    },
  };
}

function callTypeFunction(stored: StoredType): Class | undefined {
  try {
    const type = stored.typeFunction?.({ newObject: {}, object: {}, property: '' });
    return isClass(type) ? type : undefined;
  } catch {
    return undefined;
  }
}

/** The transforms of the property in the order in which class-transformer runs them. */
export function transformsOf(
  target: Class,
  property: string,
  direction: Direction,
  groups: readonly string[] | undefined,
): readonly Transform[] {
  const type = direction === 'in' ? plainToClass : classToPlain;
  return storage()
    .findTransformMetadatas(target, property, type)
    .filter((stored) => inGroups(stored.options?.groups, groups))
    .map(
      (stored) => (value, key, object) => stored.transformFn({ value, key, obj: object, type, options: {} }),
    );
}

/** The name under which the property stands in JSON, or `undefined` where it is excluded. */
export function exposedName(
  target: Class,
  property: string,
  direction: Direction,
  groups: readonly string[] | undefined,
): string | undefined {
  const expose = storage().findExposeMetadata(target, property);
  const exclude = storage().findExcludeMetadata(target, property);
  if (exclude !== undefined && appliesTo(exclude.options, direction)) return undefined;
  const exposed = expose !== undefined && appliesTo(expose.options, direction);
  if (expose !== undefined && !inGroups(expose.options?.groups, groups)) return undefined;
  if (storage().getStrategy(target) === 'excludeAll' && !exposed) return undefined;
  return (exposed ? expose?.options?.name : undefined) ?? property;
}

/** Properties that `@Expose` names, for classes that have nothing else on them. */
export function exposedProperties(target: Class): readonly string[] {
  return storage()
    .getExposedMetadatas(target)
    .map((exposed) => exposed.propertyName);
}

/** Properties of the class itself (not its bases) that `@Type` names. */
export function typedProperties(target: Class): readonly string[] {
  return [...(storage()._typeMetadatas.get(target)?.keys() ?? [])];
}

function appliesTo(options: ExposureOptions | undefined, direction: Direction): boolean {
  const { toClassOnly = false, toPlainOnly = false } = options ?? {};
  if (toClassOnly === toPlainOnly) return true;
  return direction === 'in' ? toClassOnly : toPlainOnly;
}

function inGroups(own: readonly string[] | undefined, selected: readonly string[] | undefined): boolean {
  if (selected !== undefined && selected.length > 0)
    return own === undefined || own.some((group) => selected.includes(group));
  return own === undefined || own.length === 0;
}

/** Records the type of a property as `@Type` of class-transformer does. Needs reflect-metadata; without it does nothing. */
export function recordType(prototype: object, property: string, type: () => Class): void {
  if (typeof (Reflect as { getMetadata?: unknown }).getMetadata !== 'function') return;
  const { Type } = require('class-transformer') as typeof import('class-transformer');
  Type(type as () => new () => unknown)(prototype, property); // class-transformer's type asks for a constructor without parameters
}
