import type { Clock } from '@callwright/core';
import type { AgentMessage, ProtocolError, SessionStartMessage } from '@callwright/protocol';
import type { Transport } from './transport';

/** What a link tells its call. */
export interface LinkOwner {
  /** A readable message of the agent, after the handshake. */
  message(message: AgentMessage): void;
  /** A frame that a voice server refuses; it answers as one does, and the call goes on. */
  unreadable(error: ProtocolError): void;
  /** A message of a type the protocol does not have. */
  unknownType(wireType: string, id: string | undefined): void;
  binary(): void;
  /** `reason` is why; `willRedial` whether the server tries to reopen the link. */
  lost(reason: string, willRedial: boolean): void;
  resumed(attempt: number): void;
  /** The link is gone for the rest of the call. */
  gone(reason: string): void;
  /** The agent broke a rule that a strict test should hear of. */
  broke(rule: string): void;
  frame(from: 'server' | 'agent', type: string, text: string): void;
}

/** What a {@link VoiceLink} is made from. */
export interface VoiceLinkParts {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly owner: LinkOwner;
  /** What every `session.start` of the call says. */
  readonly start: Omit<SessionStartMessage, 'type' | 'seq' | 't_ms' | 'resume'>;
  /** A number from 0 to 1, for the jitter of redials. */
  readonly random: () => number;
  readonly times: LinkTimes;
}

/** The server's times, in milliseconds; the defaults are those of the real one. */
export interface LinkTimes {
  readonly connectMs: number;
  readonly handshakeMs: number;
  readonly pingMs: number;
  readonly closeMs: number;
  readonly redialAttempts: number;
  readonly redialWindowMs: number;
}

export const DEFAULT_LINK_TIMES: LinkTimes = Object.freeze({
  connectMs: 2_000,
  handshakeMs: 2_000,
  pingMs: 10_000,
  closeMs: 1_000,
  redialAttempts: 5,
  redialWindowMs: 15_000,
});
