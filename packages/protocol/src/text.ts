/** Sizes and shapes of text, as the wire counts them: bytes of UTF-8, whole code points, well-formed Unicode. */

/**
 * The length of `text` as UTF-8, in bytes. A lone surrogate counts as the three bytes of U+FFFD.
 * @example
 * import { utf8ByteLength } from '@callwright/protocol';
 * utf8ByteLength('é'); // 2
 */
export function utf8ByteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Whether `text` is longer than `limitBytes` as UTF-8; counts only where the number of characters cannot tell. */
export function exceedsUtf8(text: string, limitBytes: number): boolean {
  if (text.length * 3 <= limitBytes) return false;
  return text.length > limitBytes || Buffer.byteLength(text) > limitBytes;
}

/**
 * The longest start of `text` that has at most `limitBytes` bytes of UTF-8 and ends at a code point.
 * @example
 * import { cutUtf8 } from '@callwright/protocol';
 * cutUtf8('héllo', 2); // 'h'
 */
export function cutUtf8(text: string, limitBytes: number): string {
  if (!exceedsUtf8(text, limitBytes)) return text;
  let bytes = 0;
  let end = 0;
  while (end < text.length) {
    const codePoint = text.codePointAt(end) ?? 0;
    bytes += utf8Width(codePoint);
    if (bytes > limitBytes) break;
    end += codePoint > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

function utf8Width(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Whether `text` has no lone surrogate, so that it can be sent as UTF-8. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** `text` with U+FFFD in the place of each lone surrogate. */
export function toWellFormed(text: string): string {
  return text.toWellFormed();
}

const NOT_BLANK = /\P{White_Space}/u;

/** Whether `text` is empty or all white space, as the server judges it (Unicode's White_Space, so not U+FEFF). */
export function isBlank(text: string): boolean {
  return !NOT_BLANK.test(text);
}
