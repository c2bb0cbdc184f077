import { cutUtf8, MODEL_VISIBLE_RESULT_BYTES } from '@callwright/protocol';
import type { ToolStatus } from './brain';
import type { Repetition } from './effect-memory';

/** How a tool call ended for the model. */
export interface Ending {
  readonly status: ToolStatus;
  /** What the model reads. */
  readonly text: string;
  readonly value?: unknown;
}

/** What came back for a call that was sent. */
export type Answer =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'hung_up' };

const MAX_DETAIL_BYTES = 512;

/** What the model reads of a call that did not lead to a result. */
export function refusal(status: ToolStatus, tool: string, detail: string): Ending {
  const error = status === 'failed' || status === 'confirmation_refused' ? 'tool_failed' : status;
  return { status, text: JSON.stringify({ error, tool, detail: cutUtf8(detail, MAX_DETAIL_BYTES) }) };
}

/** What the model reads of an answer. */
export function endingOf(answer: Answer, name: string, isSideEffect: boolean): Ending {
  switch (answer.kind) {
    case 'result':
      return { status: 'ok', text: visibleText(answer.value), value: answer.value };
    case 'error':
      return refusal('failed', name, answer.message);
    case 'hung_up':
      return refusal('interrupted', name, 'the call ended before the result');
    case 'lost': {
      const unknown = isSideEffect ? '; the outcome is unknown' : '';
      return refusal('failed', name, `the agent link closed before the result${unknown}`);
    }
  }
}

/** What the model reads when the server does not run a side effect again. */
export function endingOfRepetition(repetition: Exclude<Repetition, { kind: 'new' }>, name: string): Ending {
  switch (repetition.kind) {
    case 'already_done':
      return refusal(
        'already_done',
        name,
        'an identical call succeeded earlier in this turn; it was not run again',
      );
    case 'still_running':
      return refusal(
        'duplicate_call',
        name,
        'an identical call is still running; its result follows as a note',
      );
    case 'already_reported':
      return refusal('already_reported', name, 'an identical call ended; its result is in a note above');
    case 'recorded': {
      const { text, state } = repetition.effect;
      return { status: state === 'succeeded' ? 'ok' : 'failed', text };
    }
  }
}

/** A string reaches the model as it is, anything else as JSON; the model's window clips what is long. */
function visibleText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const visible = cutUtf8(text, MODEL_VISIBLE_RESULT_BYTES);
  return visible === text ? text : `${visible} [clipped]`;
}
