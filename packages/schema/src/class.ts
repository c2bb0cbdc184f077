/** A class as a value. `any` stands for the parameters, because a constructor's parameters are contravariant. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown[]` would refuse every class whose constructor takes a parameter.
export type Class<T = unknown> = abstract new (...parameters: any[]) => T;

/** A class, or a function that gives it: the second form is for classes that are declared further down. */
export type ClassOrThunk<T = unknown> = Class<T> | (() => Class<T>);

/** An enum of TypeScript, or an object used as one. */
export type EnumObject = Readonly<Record<string, string | number>>;

/** Whether the value can be constructed by `new` and has a prototype: classes and constructor functions, never arrows. */
export function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

/**
 * The class itself, or what the thunk gives. A thunk is an arrow, so it has no prototype. `undefined` where the
 * thunk throws (a class read before its declaration) or gives something that is no class.
 */
export function resolveClass(type: ClassOrThunk): Class | undefined {
  if (isClass(type)) return type;
  try {
    const resolved: unknown = (type as () => unknown)();
    return isClass(resolved) ? resolved : undefined;
  } catch {
    return undefined;
  }
}

/** The class and its base classes, nearest first, without `Object`. */
export function lineageOf(type: Class): readonly Class[] {
  const lineage: Class[] = [];
  for (
    let current: unknown = type;
    isClass(current) && current !== Object;
    current = Object.getPrototypeOf(current)
  )
    lineage.push(current);
  return lineage;
}
