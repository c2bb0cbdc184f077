import { Injectable, Scope } from '@callwright/di';
import type { Class } from './class-types';
import type { EventClass, EventFamily, SubscribableEventType } from './events';
import type { ContextMessage } from './link';
import { recordsToWrite } from './records';

/** Options of {@link VoiceAgent}. */
export interface VoiceAgentOptions {
  /**
   * The agent's name, 1 to 64 of `A-Z a-z 0-9 _ -`. A call goes to the agent whose name equals that of the voice
   * server's definition.
   */
  readonly name: string;
  /** Takes the calls whose name no agent has. At most one agent of an application. @default false */
  readonly default?: boolean | undefined;
  /** Replaces the system prompt of the voice server's definition; at most 65,536 bytes of UTF-8. */
  readonly systemPrompt?: string | undefined;
  /** Messages before the conversation; at most 32. */
  readonly context?: readonly ContextMessage[] | undefined;
  /** Spoken at once when the call opens; at most 4,096 bytes of UTF-8. */
  readonly greeting?: string | undefined;
  /**
   * The events the voice server sends: `'auto'`, those that handlers ask for; `'all'`; or a list of names, families and classes.
   * @default 'auto'
   */
  readonly events?:
    | 'auto'
    | 'all'
    | readonly (SubscribableEventType | EventFamily | EventClass)[]
    | undefined;
  /**
   * Keeps the call and its instance while a lost link comes back: 15 s after a close or reset, after a silent loss until 60 s
   * after the last message. @default false: a lost link ends the call
   */
  readonly resume?: boolean | undefined;
  /** CALL-scoped providers whose tools and handlers belong to this agent too. */
  readonly toolSets?: readonly Class[] | undefined;
}

/**
 * Declares the class as a voice agent. Each call gets its own instance, built by the container with what the
 * constructor asks for.
 *
 * @example
 * ```ts
 * import { Tool, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'clock', greeting: 'Hello!' })
 * class ClockAgent {
 *   @Tool('The time of day.')
 *   timeOfDay(): string {
 *     return new Date().toISOString();
 *   }
 * }
 * ```
 */
export function VoiceAgent(options: VoiceAgentOptions): ClassDecorator {
  return (type) => {
    recordsToWrite(type).agent = options;
    Injectable({ scope: Scope.CALL })(type);
  };
}
