/**
 * Marks the classes that are injected by their type, so that those of a second copy of this package in one tree are
 * recognised too.
 */
const BRAND = Symbol.for('callwright:core:class');

type Branded = 'Call' | 'ToolContext';

/** Marks `type`. */
export function brandClass(type: object, brand: Branded): void {
  Object.defineProperty(type, BRAND, { value: brand });
}

/** Whether `type` is the class of that brand, of whichever copy. */
export function hasClassBrand(type: unknown, brand: Branded): boolean {
  return typeof type === 'function' && Object.getOwnPropertyDescriptor(type, BRAND)?.value === brand;
}
