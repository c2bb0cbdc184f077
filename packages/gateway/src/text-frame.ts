const FINAL_TEXT = 0x81;
const LONGEST_SHORT = 125;
const LONGEST_MEDIUM = 65_535;
const MEDIUM_MARK = 126;
const LONG_MARK = 127;

/** The headers of short frames, by their length. */
const SHORT_HEADERS: readonly string[] = Array.from({ length: LONGEST_SHORT + 1 }, (_, length) =>
  String.fromCharCode(FINAL_TEXT, length),
);

/**
 * The whole WebSocket frame of an ASCII text as one string, each character one byte: written as `latin1` it needs neither
 * a buffer for its header nor a second entry in the socket's queue. A server's frames are not masked.
 */
export function asciiTextFrame(text: string): string {
  const { length } = text;
  if (length <= LONGEST_SHORT) return (SHORT_HEADERS[length] ?? '') + text;
  if (length <= LONGEST_MEDIUM) {
    return String.fromCharCode(FINAL_TEXT, MEDIUM_MARK, length >> 8, length & 0xff) + text;
  }
  return String.fromCharCode(FINAL_TEXT, LONG_MARK, ...eightBytesOf(length)) + text;
}

/** The longest string of Node has fewer than 2^32 characters: the upper half is zero. */
function eightBytesOf(length: number): number[] {
  return [0, 0, 0, 0, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
}
