/**
 * How many characters class-validator counts in a string: a surrogate pair is one, and a variation selector belongs
 * to the character before it.
 */
export function visibleLength(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    const next = text.charCodeAt(index + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) count--;
    else if (isSelector(next) && !isSelector(unit)) count--;
    else continue;
    // A pair's second half can still carry a selector, so only a selector is stepped over.
    if (isSelector(next)) index++;
  }
  return count;
}

function isSelector(unit: number): boolean {
  return unit === 0xfe0e || unit === 0xfe0f;
}

/** Whether the string has at least so many characters. The common answer needs no counting. */
export function hasAtLeast(text: string, characters: number): boolean {
  return text.length >= characters && visibleLength(text) >= characters;
}

/** Whether the string has at most so many characters. The common answer needs no counting. */
export function hasAtMost(text: string, characters: number): boolean {
  return text.length <= characters || visibleLength(text) <= characters;
}
