import {
  type Accept,
  CallerIdentity,
  type CallOpening,
  type CallPorts,
  CallSession,
  CallwrightError,
  type ClockTimer,
  DeclineCall,
  plainWord,
} from '@callwright/core';
import {
  buildReject,
  type CallIdentity,
  CLOSE_CODES,
  highestCommonVersion,
  ProtocolError,
  parseSessionStart,
  type SessionStartMessage,
} from '@callwright/protocol';
import type { Agents, ServedAgent } from './agents';
import type { CallRecorder } from './call-recorder';
import type { CallTable } from './call-table';
import { BrisvoxConnection, type Receiver } from './connection';
import type { Heartbeat } from './heartbeat';
import { type AcceptedCall, LiveCall } from './live-call';
import type { ResumptionRequest } from './resumption';
import type { Connection } from './server';

/** Frames that may wait while start hooks run. A voice server sends none, so more are a fault or an attack. */
export const MAX_HELD_FRAMES = 256;
/** The same in characters of all waiting frames. */
export const MAX_HELD_CHARACTERS = 1_048_576;
/** How long a peer may take to close after a refusal. */
const CLOSE_PATIENCE_MS = 1_000;

/** What all handshakes of an application share. */
export interface HandshakeSurroundings {
  readonly agents: Agents;
  readonly calls: CallTable;
  readonly handshakes: Set<Handshake>;
  readonly heartbeat: Heartbeat;
  /** Undefined: calls are not recorded. */
  readonly recorder: CallRecorder | undefined;
  readonly ports: CallPorts;
  readonly handshakeTimeoutMs: number;
  /** False: new calls are turned away. */
  takesCalls(): boolean;
  /** False: the process ends, and the server may try another one. */
  takesResumptions(): boolean;
}

/**
 * From an open socket to an accepted call, or to a refusal: `session.start` → version → agent → place → start hooks →
 * accept, all within one time limit from the opening on.
 */
export class Handshake implements Receiver {
  readonly #surroundings: HandshakeSurroundings;
  readonly #connection: BrisvoxConnection;
  readonly #openedMs: number;
  readonly #timeout: ClockTimer;
  #patience: ClockTimer | undefined;
  #hasStart = false;
  #startedMs = 0;
  #isOver = false;
  #session: CallSession | undefined;
  #heldFrames: string[] = [];
  #heldCharacters = 0;

  constructor(connection: Connection, surroundings: HandshakeSurroundings) {
    const { clock, logger } = surroundings.ports;
    this.#surroundings = surroundings;
    this.#connection = new BrisvoxConnection(connection, clock, logger, this);
    surroundings.recorder?.watch(this.#connection);
    this.#openedMs = clock.nowMs();
    this.#timeout = clock.setTimer(() => this.#outOfTime(), surroundings.handshakeTimeoutMs);
    surroundings.handshakes.add(this);
  }

  text(text: string): void {
    if (this.#isOver) return;
    if (this.#hasStart) {
      this.#hold(text);
      return;
    }
    this.#hasStart = true;
    this.#startedMs = this.#surroundings.ports.clock.nowMs();
    const first = parseSessionStart(text);
    if (first.outcome === 'start') this.#begin(first.start);
    else this.#close(CLOSE_CODES.protocolError, FIRST_MESSAGE_FAULTS[first.outcome]);
  }

  closed(): void {
    this.#settle();
    this.#patience?.cancel();
  }

  /** The process shuts down. */
  abandon(): void {
    if (this.#isOver) return;
    if (this.#hasStart) this.#reject('unavailable', 'the agent is shutting down');
    else this.#close(CLOSE_CODES.goingAway, 'shutting down');
  }

  #begin(start: SessionStartMessage): void {
    const { agents, calls, ports } = this.#surroundings;
    const version = highestCommonVersion(start.versions);
    if (version === undefined) return this.#reject('unsupported_version', 'the agent speaks version 1');
    if (start.resume) return this.#resume({ ...start, resume: start.resume });
    if (!this.#surroundings.takesCalls()) return this.#reject('unavailable', 'the agent is shutting down');
    const agent = agents.agentFor(start.agent);
    if (!agent) return this.#reject('unknown_agent', 'there is no agent of that name');
    if (start.call)
      calls
        .sameCarrierCall(start.call.carrier_call_id, this.#connection.endpoint)
        ?.end('call_ended', CLOSE_CODES.normal);
    if (calls.isFull) {
      ports.logger.warn('a call was turned away: all places are taken', { maxCalls: calls.openCount });
      return this.#reject('unavailable', 'all places are taken');
    }
    this.#runStartHooks(agent, start, openingOf(start, version));
  }

  /** A rejected resumption is final, so only a call that is really unknown is rejected; anything else is tried again. */
  #resume(start: ResumptionRequest['start']): void {
    const { calls, ports } = this.#surroundings;
    if (!this.#surroundings.takesResumptions()) return this.#close(CLOSE_CODES.goingAway, 'shutting down');
    const request = { endpoint: this.#connection.endpoint, start, readMs: this.#startedMs };
    const call = calls.resumedBy(request);
    if (call === 'none' || call === 'several') {
      ports.logger.warn('a resumption was rejected: it fits no call, or several', { fits: call });
      return this.#reject('unknown_session', 'there is no such call');
    }
    this.#settle();
    if (!this.#connection.link.isOpen) return;
    this.#surroundings.recorder?.resume(call.session, this.#connection);
    call.resume(this.#connection, request);
  }

  #runStartHooks(agent: ServedAgent, start: SessionStartMessage, opening: CallOpening): void {
    const { calls, ports } = this.#surroundings;
    try {
      this.#session = new CallSession(agent.plan, opening, ports, calls);
    } catch (error) {
      ports.logger.error('a call could not be set up', { agent: agent.plan.contract.options.name, error });
      return this.#reject('unavailable', UNAVAILABLE);
    }
    const session = this.#session;
    calls.add(session);
    session.start().then(
      (accept) => this.#accept({ agent, session, accept, start }),
      (error) => this.#hookFailed(session, error),
    );
  }

  #accept(chosen: ChosenCall): void {
    const { ports, calls, heartbeat, handshakeTimeoutMs } = this.#surroundings;
    const { agent, session, accept } = chosen;
    if (this.#isOver) return;
    // The timer may be late behind a hook that never let the loop turn.
    if (ports.clock.nowMs() - this.#openedMs >= handshakeTimeoutMs) return this.#outOfTime();
    const { link } = this.#connection;
    const frame = this.#frameFor(agent, session, accept);
    if (frame === undefined) return this.#reject('unavailable', UNAVAILABLE);
    if (!link.isOpen) return this.#settle();
    link.send(frame);
    this.#session = undefined;
    this.#settle();
    session.logger.debug('a call was accepted', { agent: agent.plan.contract.options.name });
    const accepted = { ...chosen, connection: this.#connection, startedMs: this.#startedMs };
    this.#surroundings.recorder?.begin(session, agent, this.#connection);
    const live = new LiveCall(accepted, calls, heartbeat);
    for (const text of this.#heldFrames.splice(0)) live.text(text);
  }

  #frameFor(agent: ServedAgent, session: CallSession, accept: Accept | undefined): string | undefined {
    try {
      return agent.accept.frameFor(accept);
    } catch (error) {
      // The message of a ProtocolError names fields, sizes and bounds, never a text.
      const why = error instanceof ProtocolError ? error.message : undefined;
      session.logger.error('what the start hooks return cannot be sent', {
        agent: agent.plan.contract.options.name,
        why,
        error,
      });
      return undefined;
    }
  }

  #hookFailed(session: CallSession, error: unknown): void {
    if (this.#isOver) {
      session.logger.debug('a start hook failed after its call was given up', {
        hook: session.startHook,
        error,
      });
      return;
    }
    if (DeclineCall.is(error)) {
      session.logger.info('a call was declined', { code: plainWord(String(error.code)) });
      return this.#reject(String(error.code), String(error.message));
    }
    // Our own messages name hooks, fields and bounds; of what the program throws, the message may hold what the caller said.
    const why = error instanceof CallwrightError ? error.message : undefined;
    session.logger.error('a start hook failed', { hook: session.startHook, why, error });
    this.#reject('unavailable', UNAVAILABLE);
  }

  #outOfTime(): void {
    if (this.#isOver) return;
    const { ports, handshakeTimeoutMs } = this.#surroundings;
    if (!this.#hasStart) return this.#close(CLOSE_CODES.policyViolation, 'no session.start in time');
    const { logger = ports.logger, startHook: hook } = this.#session ?? {};
    logger.error('the start hooks took too long', { hook, limitMs: handshakeTimeoutMs });
    this.#reject('unavailable', UNAVAILABLE);
  }

  #hold(text: string): void {
    this.#heldCharacters += text.length;
    this.#heldFrames.push(text);
    if (this.#heldFrames.length <= MAX_HELD_FRAMES && this.#heldCharacters <= MAX_HELD_CHARACTERS) return;
    this.#heldFrames = [];
    this.#close(CLOSE_CODES.policyViolation, 'too many messages before the answer');
  }

  #reject(code: string, message: string): void {
    this.#connection.link.send(buildReject(code, message));
    // The code of a `DeclineCall` is the program's: it could hold anything.
    this.#close(CLOSE_CODES.normal, code, plainWord(code) ?? 'declined');
  }

  #close(code: number, reason: string, loggedReason = reason): void {
    const { clock, logger } = this.#surroundings.ports;
    logger.info('a connection was turned away', { closeCode: code, reason: loggedReason });
    this.#settle();
    this.#connection.link.close(code, reason);
    this.#patience = clock.setTimer(() => this.#connection.link.cut(), CLOSE_PATIENCE_MS);
  }

  /** The handshake is over; a session that is still its own was not accepted. */
  #settle(): void {
    this.#isOver = true;
    this.#timeout.cancel();
    this.#surroundings.handshakes.delete(this);
    const session = this.#session;
    this.#session = undefined;
    if (!session) return;
    this.#surroundings.calls.release(session);
    void session.discard();
  }
}

/** A call with its agent while its start hooks run. */
type ChosenCall = Pick<AcceptedCall, 'session' | 'agent' | 'accept' | 'start'>;

const UNAVAILABLE = 'the agent is not available';

const FIRST_MESSAGE_FAULTS = {
  unreadable: 'the first message is unreadable',
  other_type: 'the first message is not session.start',
  other_protocol: 'the protocol is not brisvox.agent',
} as const;

function openingOf(start: SessionStartMessage, protocolVersion: number): CallOpening {
  return {
    sessionId: start.session_id,
    agentName: start.agent,
    protocolVersion,
    capabilities: start.capabilities,
    caller: start.call && callerOf(start.call),
  };
}

function callerOf(call: CallIdentity): CallerIdentity {
  return new CallerIdentity(call.carrier, call.carrier_call_id, call.from, call.to, call.pii_redacted);
}
