const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * How deep arrays and objects nest in a value made of plain arrays and objects, counted without recursion; a scalar
 * has depth 0. Counting stops at the first path deeper than `limit`, and the answer is then `limit + 1`: so a cycle is
 * too deep, and costs no more than `limit` steps.
 * @example
 * import { jsonDepth } from '@callwright/protocol';
 * jsonDepth({ a: [1] }, 128); // 2
 */
export function jsonDepth(value: unknown, limit: number): number {
  if (!isContainer(value)) return 0;
  const containers: object[] = [value];
  const depths: number[] = [1];
  let deepest = 0;
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    const depth = depths.pop() ?? 0;
    if (depth > deepest) deepest = depth;
    if (depth > limit) return depth;
    for (const member of Array.isArray(container) ? container : Object.values(container)) {
      if (!isContainer(member)) continue;
      containers.push(member);
      depths.push(depth + 1);
    }
  }
  return deepest;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The JSON text of a value, undefined when it is no JSON data or nests deeper than `maxDepth`. What a getter or a
 * `toJSON` of the value throws ends here, as it may quote anything.
 */
export function plainJson(value: unknown, maxDepth: number): string | undefined {
  try {
    // JSON.stringify recurses, so the depth is looked at first.
    return jsonDepth(value, maxDepth) > maxDepth ? undefined : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * Whether arrays and objects nest deeper than `limit` in JSON text, told without parsing it. Text with no more than
 * `limit` opening brackets, nearly every frame, is passed by counting those.
 */
export function isJsonTextDeeper(text: string, limit: number): boolean {
  // Each level needs a bracket at both ends.
  if (text.length <= 2 * limit) return false;
  if (countUpTo(text, '{', limit) + countUpTo(text, '[', limit) <= limit) return false;
  return scanDepth(text, limit);
}

function countUpTo(text: string, character: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= limit; at = text.indexOf(character, at + 1)) {
    count += 1;
  }
  return count;
}

function scanDepth(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === OPEN_OBJECT || character === OPEN_ARRAY) depth += 1;
    else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** The index of the quote that ends the string begun at `start`, or the end of a text that does not end it. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|[\s\S])/g;

/**
 * Whether JSON text spells a lone surrogate as an escape, which strict parsers refuse: `JSON.stringify` writes one for
 * an ill-formed string.
 */
export function hasLoneSurrogateEscape(json: string): boolean {
  if (!json.includes('\\u')) return false;
  // The end of a high surrogate's escape that still wants its low half.
  let wantedAt = -1;
  for (const match of json.matchAll(ESCAPE)) {
    const unit = Number.parseInt(match[1] ?? '0', 16);
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow !== (wantedAt === match.index)) return true;
    if (wantedAt !== -1 && !isLow) return true;
    wantedAt = unit >= 0xd800 && unit <= 0xdbff ? match.index + match[0].length : -1;
  }
  return wantedAt !== -1;
}
