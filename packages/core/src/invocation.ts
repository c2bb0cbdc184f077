import type { CallScope } from '@callwright/di';
import type { ToolContext } from './tool-context';

/** One tool call on its way through the pipeline. */
export interface ToolInvocation {
  /** The call's instances. */
  readonly scope: CallScope;
  readonly context: ToolContext;
  /** What the model gave, not yet validated. */
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * The last step before the method. @throws ToolNotStarted when the call was cancelled or is gone meanwhile: then the
   * method must not start.
   */
  begin(): void;
}

/** The model's arguments do not fit the tool's schema; the message is for the model, the cause for the log. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

/** A tool call was cancelled before its method began; nothing was done. */
export class ToolNotStarted extends Error {
  override readonly name = 'ToolNotStarted';

  constructor() {
    super('the tool did not start: its call was cancelled before');
  }
}
