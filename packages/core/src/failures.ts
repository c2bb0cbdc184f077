import { coreErrors } from './errors';
import type { Problem } from './problem';

/**
 * Error classes that users throw and catch. Each is recognised by a registered brand rather than by its class, so a
 * second copy of this package in one tree (as after jest's `resetModules`) is understood too.
 */
const BRAND = Symbol.for('callwright:core:failure');

function branded(error: unknown, brand: string): boolean {
  try {
    return typeof error === 'object' && error !== null && (error as { [BRAND]?: unknown })[BRAND] === brand;
  } catch {
    return false; // a hostile proxy is no error of ours
  }
}

/**
 * A failure that the model should read: `message` reaches it verbatim, at most 1,024 bytes of UTF-8. Anything else
 * that a tool throws reaches it only as `tool failed: Name`.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly [BRAND] = 'ToolError';

  static is(error: unknown): error is ToolError {
    return branded(error, 'ToolError');
  }
}

/**
 * Thrown in `onCallStart`: the call runs on the voice server's own definition, without this agent. The message is
 * not spoken. To turn a caller away, greet and `end`.
 */
export class DeclineCall extends Error {
  override readonly name = 'DeclineCall';
  readonly [BRAND] = 'DeclineCall';

  constructor(
    /** Free text of at most 512 bytes, such as `busy`. */
    readonly code: string,
    message = '',
  ) {
    super(message);
  }

  static is(error: unknown): error is DeclineCall {
    return branded(error, 'DeclineCall');
  }
}

/** Codes the voice server answers commands with; others may come. */
export type CommandErrorCode =
  | 'bad_message'
  | 'unknown_type'
  | 'invalid_argument'
  | 'too_large'
  | 'queue_full'
  | 'unsupported'
  | 'call_ended'
  | 'not_ready'
  | 'rejected'
  | 'unavailable'
  | 'outcome_unknown'
  | (string & {});

/** A command was refused, here or by the voice server. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly [BRAND]: string = 'CommandError';

  constructor(
    readonly command: string,
    readonly code: CommandErrorCode,
    /** What the refusing side says; never text of the caller. */
    readonly detail = '',
    message: string = coreErrors.CW_COMMAND_FAILED({ command, code, detail }),
  ) {
    super(message);
  }

  static is(error: unknown): error is CommandError {
    return branded(error, 'CommandError') || CommandTimeout.is(error) || CallClosed.is(error);
  }
}

/** No result came in time. The command may have been applied: never repeat it blindly. */
export class CommandTimeout extends CommandError {
  override readonly name = 'CommandTimeout';
  override readonly [BRAND] = 'CommandTimeout';

  constructor(command: string, afterMs: number) {
    super(command, 'outcome_unknown', '', coreErrors.CW_COMMAND_TIMEOUT({ command, afterMs }));
  }

  static override is(error: unknown): error is CommandTimeout {
    return branded(error, 'CommandTimeout');
  }
}

/** The call is parked, ended, or its link was lost before the result came. */
export class CallClosed extends CommandError {
  override readonly name = 'CallClosed';
  override readonly [BRAND] = 'CallClosed';

  constructor(command: string, state: string) {
    super(command, 'call_ended', '', coreErrors.CW_CALL_CLOSED({ command, state }));
  }

  static override is(error: unknown): error is CallClosed {
    return branded(error, 'CallClosed');
  }
}

/** A fault of the program found at run time, with its code of the error table. */
export class CallwrightError extends Error {
  override readonly name = 'CallwrightError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
  }
}

/** Everything that is wrong with the program, found at boot and reported together. */
export class BootError extends Error {
  override readonly name = 'BootError';
  readonly code = 'CW_BOOT_FAILED';

  constructor(readonly problems: readonly Problem[]) {
    super(
      coreErrors.CW_BOOT_FAILED({
        count: problems.length,
        problems: problems
          .map((problem) => `${problem.code}: ${problem.message.replaceAll('\n', '\n  ')}`)
          .join('\n\n'),
      }),
    );
  }
}
