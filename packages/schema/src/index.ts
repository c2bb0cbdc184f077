export type { Class, ClassOrThunk, EnumObject } from './class';
export {
  type AnyPropertyDecorator,
  ArrayOf,
  type CollectionOf,
  Describe,
  InTimeZone,
  type ItemOf,
  Nested,
  type PropertyDecoratorOf,
  Schema,
} from './decorators';
export type { Dialect } from './dialect';
export { type Place, type SchemaErrorCode, schemaErrors } from './errors';
export type { SchemaFragment } from './fragment';
export type { JsonType } from './json';
export { registerValidator, type ValidatorImage } from './keywords/custom';
export type { ArgumentsPlan, Bound, SchemaOptions } from './plan';
export { planDto } from './plan-dto';
export { planResult, type ResultPlan } from './plan-result';
export { type ArgOptions, type ArgumentType, planScalars, type ScalarParameter } from './plan-scalars';
export type { Problem } from './problem';
export { isDtoClass } from './read-class';
export { redact } from './redact';
export { Sensitive, type SensitiveConstructor } from './sensitive';
