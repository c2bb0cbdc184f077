import type { CallIdentity, SessionStartMessage } from '@callwright/protocol';

/** By the server's clock and ours, a call's age may differ so much. */
export const AGE_TOLERANCE_MS = 3_000;
/** An open link may have read a message stamped so much after the moment of its loss. */
const STAMP_TOLERANCE_MS = 10;

/** What a call remembers of its link, to know a resumption as its own (protocol section 6). */
export interface LinkMemory {
  /** Path of the URL and the bearer token that the link came with. */
  readonly endpoint: string;
  readonly sessionId: string;
  readonly agentName: string;
  readonly carrierCallId: string | undefined;
  /** When the first `session.start` was read, on our monotonic clock. */
  readonly startedMs: number;
  /** The highest `seq` read. */
  readonly seenSeq: number;
  /** The same without resuming starts: an accept that came late burns a number that the server does not count. */
  readonly seenMessageSeq: number;
  /** The server's stamp on the last message read, in milliseconds of the call. */
  readonly seenStampMs: number;
  /** Whether the link still looks open. */
  readonly isOpen: boolean;
}

/** A resuming `session.start` and where it came from. */
export interface ResumptionRequest {
  readonly endpoint: string;
  readonly start: SessionStartMessage & { readonly resume: NonNullable<SessionStartMessage['resume']> };
  /** When it was read, on our monotonic clock. */
  readonly readMs: number;
}

/**
 * Whether the start resumes the call with this memory. Session ids are counters that repeat between servers and after a
 * restart, so everything that both sides know is compared: the wrong call must never be given away.
 */
export function resumes(request: ResumptionRequest, memory: LinkMemory): boolean {
  const { endpoint, start, readMs } = request;
  const { attempt, previous_seq: previousSeq, down_ms: downMs } = start.resume;
  const usedSeqs = start.seq - previousSeq;
  return (
    memory.endpoint === endpoint &&
    memory.sessionId === start.session_id &&
    memory.agentName === start.agent &&
    memory.carrierCallId === carrierCallIdOf(start.call) &&
    start.seq > memory.seenSeq &&
    previousSeq >= memory.seenMessageSeq &&
    usedSeqs >= 1 &&
    usedSeqs <= attempt &&
    Math.abs(readMs - memory.startedMs - start.t_ms) <= AGE_TOLERANCE_MS &&
    (!memory.isOpen || memory.seenStampMs <= start.t_ms - downMs + STAMP_TOLERANCE_MS)
  );
}

/** The one call that the start resumes; `several` when it cannot be told which. */
export function findResumed<T extends { readonly memory: LinkMemory }>(
  request: ResumptionRequest,
  calls: Iterable<T>,
): T | 'none' | 'several' {
  let found: T | undefined;
  for (const call of calls) {
    if (!resumes(request, call.memory)) continue;
    if (found) return 'several';
    found = call;
  }
  return found ?? 'none';
}

/** The carrier's name of the call, when the server tells. */
export function carrierCallIdOf(call: CallIdentity | undefined): string | undefined {
  return call?.carrier_call_id;
}
