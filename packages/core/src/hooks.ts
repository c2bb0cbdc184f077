import type { CallEnd, CallResumed, SubscribableEventType } from './events';
import type { CallerIdentity, ContextMessage, LinkCapabilities } from './link';

/** A call that presents itself: what `onCallStart` receives. */
export interface CallStart {
  /** Who calls; absent when the voice server does not tell. */
  readonly caller: CallerIdentity | undefined;
  /** The agent definition's name on the voice server. */
  readonly agentName: string;
  /** The wire's counter of the call; not unique. `call.id` is. */
  readonly sessionId: string;
  readonly capabilities: LinkCapabilities;
}

/** What `onCallStart` changes for this one call; what is absent stays as `@VoiceAgent` says. */
export interface Accept {
  readonly systemPrompt?: string | undefined;
  /** Stands behind the agent's own context; at most 32 messages together. */
  readonly context?: readonly ContextMessage[] | undefined;
  readonly greeting?: string | undefined;
  readonly events?: 'all' | readonly SubscribableEventType[] | undefined;
  /** Names of the agent's tools that this call offers; the others are unknown to it. */
  readonly tools?: readonly string[] | undefined;
}

/**
 * Runs before the call is accepted, on every CALL provider and then on the agent; 1.5 s for all of it. Throw
 * `DeclineCall` to leave the call to the voice server's own definition.
 */
export interface OnCallStart {
  onCallStart(start: CallStart): Accept | void | undefined | Promise<Accept | void | undefined>;
}

/** Runs once when an accepted call has ended, after all earlier events; on the agent first, then on CALL providers. */
export interface OnCallEnd {
  onCallEnd(end: CallEnd): void | Promise<void>;
}

/**
 * Runs when the link was lost and the call waits for it to come back (`resume: true`), after the events queued before.
 * Commands fail meanwhile; side effects that run may end within 30 s.
 */
export interface OnCallParked {
  onCallParked(): void | Promise<void>;
}

/** Runs when the link came back, after the events queued before the loss. */
export interface OnCallResumed {
  onCallResumed(event: CallResumed): void | Promise<void>;
}

/** The hooks of a call: on agents and on any CALL provider. */
export type CallHooks = OnCallStart & OnCallParked & OnCallResumed & OnCallEnd;

/** Their names. */
export const CALL_HOOKS = Object.keys({
  onCallStart: 0,
  onCallParked: 0,
  onCallResumed: 0,
  onCallEnd: 0,
} satisfies Record<keyof CallHooks, 0>) as readonly (keyof CallHooks)[]; // the keys of the table

/** On what stands in for an instance, where something is bound around its hook: {@link hookName}'s answer. */
export const HOOK_NAME = Symbol('hook name');

/** `LuigiAgent.onCallStart`, as messages and logs name the hook of an instance. */
export function hookName(hook: object, name: keyof CallHooks): string {
  const { [HOOK_NAME]: known, constructor: type } = hook as {
    readonly [HOOK_NAME]?: string;
  } & Partial<object>;
  return known ?? `${type?.name || 'a provider'}.${name}`;
}
