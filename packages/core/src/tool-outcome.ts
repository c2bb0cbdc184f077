import { errorName } from './error-description';
import { ToolError } from './failures';
import { ArgumentsError, ToolNotStarted } from './invocation';

/** How a tool call ended, as the model is told. */
export type ToolOutcome =
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'error'; readonly message: string }
  /** It began, and nobody knows whether it came to its end. */
  | { readonly kind: 'unknown' };

/** What the model reads of an outcome that nobody knows. */
export const OUTCOME_UNKNOWN = 'the outcome is unknown: it may have been done, do not repeat it';

/** Errors whose text is meant for the model. */
function isForModel(error: unknown): error is Error {
  return ToolError.is(error) || error instanceof ArgumentsError || error instanceof ToolNotStarted;
}

/** The outcome of a tool that threw: a deliberate error's own text, of anything else only its name. */
export function failureOutcome(error: unknown): {
  readonly outcome: ToolOutcome;
  readonly isDeliberate: boolean;
} {
  if (isForModel(error) && typeof error.message === 'string' && error.message.trim() !== '') {
    return { outcome: { kind: 'error', message: error.message }, isDeliberate: true };
  }
  return { outcome: { kind: 'error', message: `tool failed: ${errorName(error)}` }, isDeliberate: false };
}

/** The model reads about so much of a message. */
const NOTE_RESULT_CHARACTERS = 3_500;

/** Tells the model how a side effect ended that it believes lost. */
export function outcomeNote(tool: string, outcome: ToolOutcome): string {
  const head = `The request to ${tool}, whose outcome was not known, has ended.`;
  switch (outcome.kind) {
    case 'result':
      return `${head} It succeeded. Do not make it again. Its result: ${outcome.json.slice(0, NOTE_RESULT_CHARACTERS).toWellFormed()}`;
    case 'error':
      return `${head} It failed: ${outcome.message.slice(0, NOTE_RESULT_CHARACTERS).toWellFormed()}`;
    case 'unknown':
      return `The request to ${tool} was stopped before its end: ${OUTCOME_UNKNOWN}.`;
  }
}
