/** A class that can be constructed; the parameters are whatever the container finds for them. */
// biome-ignore lint/suspicious/noExplicitAny: constructor parameters are contravariant, `unknown` would refuse every class
export type Class<T = unknown> = abstract new (...args: any[]) => T;

/** A method of any shape: parameter types are read from metadata, not from here. */
// biome-ignore lint/suspicious/noExplicitAny: parameters are contravariant, `unknown` would refuse every method
export type AnyMethod = (...args: any[]) => unknown;
