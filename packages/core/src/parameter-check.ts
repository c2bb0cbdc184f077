/** Private methods are invisible to types, so there anything goes. */
// biome-ignore lint/suspicious/noExplicitAny: the unchecked case must accept every parameter
type Unchecked = any[];

/** The parameter list of a method. */
type ParametersOf<T, K> = K extends keyof T
  ? T[K] extends (...args: infer P) => unknown
    ? P
    : Unchecked
  : Unchecked;

/**
 * A parameter decorator that only compiles where a `V` may be passed. TypeScript hands the index over as a literal
 * type, so the parameter's own type is known here.
 */
export type ParameterCheck<V> = <T, K extends PropertyKey, I extends number>(
  target: T,
  key: K,
  index: I & (ParametersOf<T, K>[I] extends infer P ? ([V] extends [P] ? unknown : never) : unknown),
) => void;

/** A parameter decorator of any method's parameter. */
export type ParameterDecoratorOfMethods = (target: object, key: PropertyKey, index: number) => void;
