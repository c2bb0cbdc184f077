/** How much of an exception a log shows: `safe` leaves its message out, since it may hold what the caller said. */
export type ErrorDetail = 'safe' | 'full';

/** An exception as it may stand in a log. */
export interface ErrorDescription {
  readonly name: string;
  readonly code?: string | undefined;
  /** Only with `full`. */
  readonly message?: string | undefined;
  /** Stack frames, without the line that repeats the message. */
  readonly frames: readonly string[];
}

const NAME = /^[A-Za-z_$][\w$.]{0,63}$/;
/** A word such as `ECONNREFUSED`, or a short code such as `23505`: never anything as long as a telephone number. */
const CODE = /^(?:[A-Za-z][A-Za-z0-9_.-]{0,63}|[A-Z0-9]{1,6})$/;
const FRAMES_KEPT = 12;

/** The error's name where it is usable as one, else `Error`: names can be set by anyone. Never throws. */
export function errorName(error: unknown): string {
  try {
    if (typeof error !== 'object' || error === null) return 'Error';
    const name = (error as { name?: unknown }).name;
    if (typeof name === 'string' && NAME.test(name) && name !== 'Error') return name;
    const className = (error as { constructor?: { name?: unknown } }).constructor?.name;
    return error instanceof Error && typeof className === 'string' && NAME.test(className)
      ? className
      : 'Error';
  } catch {
    return 'Error';
  }
}

/** Describes what was thrown, whatever it is. Never throws. */
export function describeError(error: unknown, detail: ErrorDetail): ErrorDescription {
  const name = errorName(error);
  try {
    if (typeof error !== 'object' || error === null)
      return { name, frames: [], ...plainMessage(error, detail) };
    const { code, message, stack } = error as { code?: unknown; message?: unknown; stack?: unknown };
    return {
      name,
      frames: framesOf(stack, message),
      ...(typeof code === 'string' && CODE.test(code) ? { code } : {}),
      ...(detail === 'full' && typeof message === 'string' ? { message } : {}),
    };
  } catch {
    return { name, frames: [] };
  }
}

function plainMessage(thrown: unknown, detail: ErrorDetail): { message?: string } {
  return detail === 'full' ? { message: String(thrown) } : {};
}

/** `at place (file:line:column)`, `at file:line:column`, or native code. */
const FRAME =
  /^at (?:.+ \((?:(?:file:|node:|\/|[A-Za-z]:\\|[\w@.-]+\/).*:\d+:\d+|native|<anonymous>|index \d+)\)|(?:file:|node:|\/|[A-Za-z]:\\).*:\d+:\d+)$/;

/** The frames of a stack. A stack begins with the message, which may itself hold lines that look like frames. */
function framesOf(stack: unknown, message: unknown): string[] {
  if (typeof stack !== 'string') return [];
  const start = typeof message === 'string' && message !== '' ? stack.indexOf(message) : -1;
  const rest = start < 0 ? stack : stack.slice(start + (message as string).length); // found, so it is a string
  return rest
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES_KEPT);
}
