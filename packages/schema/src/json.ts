/** The types of JSON Schema; `integer` is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** A value that JSON can hold and that compares by `===`. */
export type JsonScalar = string | number | boolean | null;

/** A JSON Schema, or a part of one. */
export type JsonSchema = { [keyword: string]: unknown };

/** Whether the value is a scalar that JSON can hold; `NaN` and the infinities are not. */
export function isJsonScalar(value: unknown): value is JsonScalar {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

/** The narrowest JSON type of a scalar. */
export function typeOfScalar(value: JsonScalar): JsonType {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean';
}

/** Whether the value is an object of JSON: no array, no `null`. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy that shares nothing with the value. The recursion is bounded by the caller: arguments with free parts
 * passed the depth check before.
 */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = copyJson((value as Record<string, unknown>)[key]);
  return copy;
}
