import type { CliSystem, TextTarget } from './system';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** A way to stress text. */
export type Color = keyof typeof CODES;

/** Puts colour into text, or leaves it alone. */
export type Paint = (text: string, color: Color) => string;

/** Colours on a terminal, none elsewhere, and none with NO_COLOR or a terminal that calls itself dumb. */
export function hasColor(target: TextTarget, { environment }: CliSystem): boolean {
  const isRefused = environment.NO_COLOR !== undefined && environment.NO_COLOR !== '';
  return target.isTTY === true && !isRefused && environment.TERM !== 'dumb';
}

/** How text for `target` is painted. */
export function paintFor(target: TextTarget, system: CliSystem): Paint {
  if (!hasColor(target, system)) return (text) => text;
  return (text, color) => `\u001b[${CODES[color]}m${text}\u001b[0m`;
}
