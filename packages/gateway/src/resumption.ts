import type { SessionStartMessage } from '@callwright/protocol';

/** What tells one call from all others, since the wire's own name of it is a counter that comes again. */
export interface CallTraces {
  readonly endpoint: string;
  readonly sessionId: string;
  readonly agentName: string;
  readonly carrierCallId: string | undefined;
  /** When its first `session.start` was read, on the clock's monotonic scale. */
  readonly startedMs: number;
  /** The highest number read on any of its links. */
  readonly lastSeq: number;
  /** The highest number read that was not a resuming `session.start`; an accept that came late uses one up. */
  readonly lastMessageSeq: number;
  /** The call's age at the last message, on the voice server's clock. */
  readonly lastTimeMs: number;
  /** Whether its link still looks open. */
  readonly isOpen: boolean;
}

/** How far two clocks may differ on a call's age. */
const AGE_TOLERANCE_MS = 3_000;
/** What was said right before a loss may carry a time a little after it. */
const LOSS_TOLERANCE_MS = 10;

/** Whether a resuming `session.start` can only mean this call. */
export function isResumptionOf(call: CallTraces, start: SessionStartMessage, endpoint: string, nowMs: number): boolean {
  const { resume } = start;
  if (resume === undefined) return false;
  if (call.sessionId !== start.session_id || call.endpoint !== endpoint || call.agentName !== start.agent) return false;
  if (call.carrierCallId !== start.call?.carrier_call_id) return false;
  if (start.seq <= call.lastSeq || resume.previous_seq < call.lastMessageSeq) return false;
  const usedUp = start.seq - resume.previous_seq;
  if (usedUp < 1 || usedUp > resume.attempt) return false;
  if (Math.abs(nowMs - call.startedMs - start.t_ms) > AGE_TOLERANCE_MS) return false;
  // A call that spoke after this loss is another one.
  return !call.isOpen || call.lastTimeMs <= start.t_ms - resume.down_ms + LOSS_TOLERANCE_MS;
}
