import type { CommandMessage, ContextMessage, SessionAcceptMessage, ToolDeclaration } from './agent-messages';
import type { SubscribableEventName } from './vocabulary';

/** A rule that a readable message breaks, as the voice server reports it. */
export interface RuleBreak {
  readonly code: 'invalid_argument' | 'too_large';
  readonly message: string;
}

/** What the voice server makes of an accept: what it takes, and the breaks it reports as `error` events. */
export interface ReviewedAccept {
  readonly tools: readonly ToolDeclaration[];
  readonly system_prompt: string | undefined;
  readonly context: readonly ContextMessage[];
  readonly greeting: string | undefined;
  readonly events: readonly SubscribableEventName[];
  readonly resume: boolean;
  readonly breaks: readonly RuleBreak[];
}

/** Applies the server's rules to a readable accept. `serverTools`: names of tools the server has itself. */
export function reviewAccept(
  accept: SessionAcceptMessage,
  serverTools: readonly string[] = [],
): ReviewedAccept {
  throw new Error(`being written ${accept.type} ${serverTools.length}`);
}

/** The rule a readable command breaks, or undefined. */
export function reviewCommand(command: CommandMessage): RuleBreak | undefined {
  throw new Error(`being written ${command.type}`);
}
