import type { ContextMessage, ToolDeclaration } from './agent-messages';
import type { SubscribableEventName } from './vocabulary';

/** An accept as an agent declares it, once for all calls. */
export interface AcceptParts {
  readonly version: number;
  readonly tools?: readonly ToolDeclaration[] | undefined;
  readonly system_prompt?: string | undefined;
  readonly context?: readonly ContextMessage[] | undefined;
  readonly greeting?: string | undefined;
  readonly events?: readonly SubscribableEventName[] | undefined;
  readonly resume?: true | undefined;
}

/** What one call changes in a prepared accept. A given member replaces the prepared one; a blank text removes it. */
export interface AcceptAdditions {
  /** Names of prepared tools: the call gets these only. */
  readonly tools?: readonly string[] | undefined;
  readonly system_prompt?: string | undefined;
  readonly context?: readonly ContextMessage[] | undefined;
  readonly greeting?: string | undefined;
  readonly events?: readonly SubscribableEventName[] | undefined;
}

/** An accept whose static part is checked and serialised once. */
export interface PreparedAccept {
  /** The size of the frame without additions, in bytes. */
  readonly byteLength: number;
  /**
   * The frame for one call.
   * @throws ProtocolError `invalid_argument` (a text or name) or `too_large` (a count, or the whole frame).
   */
  build(additions?: AcceptAdditions): string;
  /**
   * The frame that answers a resumption: the version, `resume: true` and the subscription.
   * @throws ProtocolError as `build`.
   */
  buildResumption(events?: readonly SubscribableEventName[]): string;
}

/**
 * Checks an agent's accept and serialises it once, so that a call costs a concatenation.
 * @throws ProtocolError `invalid_argument` or `too_large`.
 */
export function prepareAccept(parts: AcceptParts): PreparedAccept {
  throw new Error(`being written ${parts.version}`);
}

/**
 * The frame of one accept; for an agent that serves many calls use {@link prepareAccept}.
 * @throws ProtocolError `invalid_argument` or `too_large`.
 */
export function buildAccept(parts: AcceptParts): string {
  return prepareAccept(parts).build();
}
