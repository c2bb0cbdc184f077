import { type Class, type ClassOrThunk, lineageOf } from './class';
import type { SchemaFragment } from './fragment';

/** What this package's own decorators recorded about one property. */
export interface Annotation {
  description?: string;
  fragment?: SchemaFragment;
  /** From `@Nested` and `@ArrayOf`: the class of the value, or of each item. */
  element?: ClassOrThunk;
  /** Whether `element` speaks of each item. */
  each?: boolean;
  timeZone?: string;
  sensitive?: boolean;
  /** Whether `Reflect.metadata` existed when the decorators ran: tells a late import from a build without metadata. */
  metadataLibraryPresent?: boolean;
}

type Annotations = Map<string, Annotation>;

// One registry for all copies of this package in a process.
const registryKey = Symbol.for('callwright:schema:annotations');
const holder = globalThis as { [registryKey]?: WeakMap<Class, Annotations> };

function registry(): WeakMap<Class, Annotations> {
  holder[registryKey] ??= new WeakMap();
  return holder[registryKey];
}

/** Adds to what is known about a property. Decorators call this and nothing else. */
export function annotate(prototype: object, property: string | symbol, annotation: Annotation): void {
  if (typeof property === 'symbol') return; // JSON has no symbol keys, so there is nothing to describe
  const type = prototype.constructor as Class; // a prototype's `constructor` is its class
  const annotations = registry().get(type) ?? new Map<string, Annotation>();
  registry().set(type, annotations);
  annotations.set(property, {
    ...annotations.get(property),
    ...annotation,
    metadataLibraryPresent: hasMetadataLibrary(),
  });
}

/** What was recorded about the property, the nearest class winning for each kind of record. */
export function annotationOf(type: Class, property: string): Annotation {
  const merged: Annotation = {};
  for (const owner of [...lineageOf(type)].reverse())
    Object.assign(merged, registry().get(owner)?.get(property));
  return merged;
}

/** Names of the properties that the class itself (not its bases) annotated, in the order of their decorators. */
export function annotatedProperties(type: Class): readonly string[] {
  return [...(registry().get(type)?.keys() ?? [])];
}

interface MetadataLibrary {
  metadata?: unknown;
  getMetadata?: (key: string, target: object, property: string) => unknown;
}

function hasMetadataLibrary(): boolean {
  return typeof (Reflect as MetadataLibrary).metadata === 'function';
}

/** The compiler's `design:type` of the property; `undefined` where none was emitted. */
export function designTypeOf(type: Class, property: string): unknown {
  return (Reflect as MetadataLibrary).getMetadata?.('design:type', type.prototype as object, property);
}
