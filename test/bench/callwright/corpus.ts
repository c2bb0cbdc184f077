/** Values that stand where others should. */
const STRANGE_VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  1,
  -1,
  1.5,
  12,
  13,
  20,
  21,
  '',
  '4',
  'terrace',
  'garden',
  '2026-12-24',
  '19:30',
  '+390612345678',
  '+0',
  'x'.repeat(60),
  'x'.repeat(81),
  {},
  { name: 'Ada' },
  { name: 'Ada', phone: '12' },
  { name: 'Ada', extra: 1 },
  [],
  [1],
  [{}],
  [{ name: 'soup', count: 1 }],
  [{ name: 'soup', count: 0 }],
  Array.from({ length: 20 }, () => ({ name: 'soup', count: 1 })),
  Array.from({ length: 21 }, () => ({ name: 'soup', count: 1 })),
];

/**
 * Variations of a valid object: at every path each strange value, and at every object one member more. The valid one
 * is the first. JSON has no `undefined`: there the member is left out.
 *
 * An array never stands where one nested object should: class-validator takes it and checks its items, so the method
 * would receive an array under the type of a class. The plan refuses that on purpose.
 */
export function corpusOf(valid: object): unknown[] {
  const corpus: unknown[] = [structuredClone(valid)];
  for (const path of pathsOf(valid)) {
    const nested = isObject(valueAt(valid, path));
    for (const value of STRANGE_VALUES) {
      if (nested && Array.isArray(value)) continue;
      corpus.push(withValue(valid, path, value));
    }
  }
  for (const path of [[], ...pathsOf(valid)]) {
    const member = [...path, 'surplus'];
    if (isObject(valueAt(valid, path))) corpus.push(withValue(valid, member, 'x'));
  }
  return corpus;
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => branch(item, [...path, index]));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, member]) => branch(member, [...path, key]));
  return [];
}

function branch(value: unknown, path: Path): Path[] {
  return [path, ...pathsOf(value, path)];
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((current, key) => (current as Record<string | number, unknown>)[key], value);
}

function withValue(valid: object, path: Path, value: unknown): unknown {
  const copy = structuredClone(valid);
  const last = path.at(-1);
  // The path was read from an object of this shape.
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  if (last === undefined) return value;
  if (value === undefined && !Array.isArray(parent)) delete parent[last];
  else parent[last] = value === undefined ? null : value;
  return copy;
}
