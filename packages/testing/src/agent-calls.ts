import type { Clock, ClockTimer, ToolKind } from '@callwright/core';
import { cutUtf8, MAX_TOOL_ERROR_BYTES } from '@callwright/protocol';
import { idempotencyKey } from './idempotency-key';
import { type Answer, type Ending, endingOf, refusal } from './tool-endings';
import type { TakenTool } from './tool-offer';
import type { ToolPlan, ToolRound } from './tool-plan';

/** How tool calls reach the agent. */
export interface ToolWire {
  readonly isUp: boolean;
  /** False when the message could not be queued. */
  sendToolCall(call: {
    readonly id: number;
    readonly call_id: string;
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly kind: ToolKind;
    readonly epoch: number;
    readonly idempotency_key: string;
    readonly timeout_ms: number;
  }): boolean;
  sendToolCancel(id: number, reason: 'interrupted' | 'timeout' | 'abandoned'): void;
}

/** Who waits for one call. */
export interface CallWaiter {
  /** The call went out, under this id. */
  sent(id: number): void;
  /** The model has an outcome. `runsOn`: the side effect goes on, and `late` follows. */
  settled(ending: Ending, runsOn: boolean): void;
  /** What came of a side effect that the model had stopped waiting for. */
  late(ending: Ending): void;
}

/** What {@link AgentCalls} is made from. */
export interface AgentCallsParts {
  readonly clock: Clock;
  readonly sessionId: string;
  readonly wire: ToolWire;
}

const MAX_WAITING_CALLS = 32;
const SIDE_EFFECT_WAIT_MS = 60_000;

const SLOT_ENDS = {
  timed_out: 'no result in time',
  interrupted: 'the user interrupted',
} as const;

/** The tool calls that were sent to the agent and wait for its results. */
export class AgentCalls {
  readonly #parts: AgentCallsParts;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #answeredIds = new Set<number>();
  #nextId = 1;

  constructor(parts: AgentCallsParts) {
    this.#parts = parts;
  }

  /** A `tool.result` of the agent. Returns what is wrong with it, for a strict server. */
  answer(id: number, result: unknown, error: string | undefined): string | undefined {
    const answered = this.#waiting.get(id);
    if (answered === undefined) {
      if (this.#answeredIds.has(id)) return `a second tool.result for id ${id}`;
      return id >= this.#nextId ? `a tool.result for id ${id}, which was never called` : undefined;
    }
    this.#answeredIds.add(id);
    answered(
      error === undefined
        ? { kind: 'result', value: result ?? null }
        : { kind: 'error', message: cutUtf8(error, MAX_TOOL_ERROR_BYTES) },
    );
    return undefined;
  }

  /** The link is gone: everything that waits has failed. */
  linkLost(): void {
    for (const answered of [...this.#waiting.values()]) answered({ kind: 'lost' });
  }

  /** The caller hung up: the agent is told for calls of both kinds. */
  hangUp(): void {
    for (const [id, answered] of [...this.#waiting]) {
      this.#parts.wire.sendToolCancel(id, 'interrupted');
      answered({ kind: 'hung_up' });
    }
  }

  /** Sends the call and waits for whatever ends it first. */
  ask(plan: ToolPlan, tool: TakenTool, round: ToolRound, waiter: CallWaiter): void {
    const { name } = plan.call;
    const id = this.#nextId;
    const isSideEffect = tool.declaration.kind === 'side_effect';
    const refused = this.#send(plan, tool, round);
    if (refused !== undefined) {
      waiter.settled(refusal('failed', name, refused), false);
      return;
    }
    waiter.sent(id);
    let isSlotOpen = true;
    const closeSlot = (ending: Ending, runsOn: boolean): void => {
      isSlotOpen = false;
      slot.cancel();
      waiter.settled(ending, runsOn);
    };
    const finish = (answer: Answer): void => {
      this.#waiting.delete(id);
      patience?.cancel();
      const ending = endingOf(answer, name, isSideEffect);
      if (isSlotOpen) closeSlot(ending, false);
      else waiter.late(ending);
    };
    const slot = this.#slot(tool, round, (status) => {
      if (isSideEffect) {
        const detail = `${SLOT_ENDS[status]}; the call keeps running and its result follows as a note`;
        closeSlot(refusal(status, name, detail), true);
        return;
      }
      this.#waiting.delete(id);
      this.#parts.wire.sendToolCancel(id, status === 'timed_out' ? 'timeout' : 'interrupted');
      closeSlot(refusal(status, name, SLOT_ENDS[status]), false);
    });
    const patience = isSideEffect ? this.#patience(id, tool, finish) : undefined;
    this.#waiting.set(id, finish);
  }

  /** Returns why the call could not be sent. */
  #send(plan: ToolPlan, tool: TakenTool, round: ToolRound): string | undefined {
    const { wire, sessionId } = this.#parts;
    if (this.#waiting.size >= MAX_WAITING_CALLS) return 'too many tool calls wait for the agent';
    if (!wire.isUp) return 'the agent is not connected';
    const sent = wire.sendToolCall({
      id: this.#nextId++,
      call_id: plan.callId,
      name: plan.call.name,
      arguments: plan.call.args,
      kind: tool.declaration.kind,
      epoch: round.epoch,
      idempotency_key: idempotencyKey(sessionId, round.epoch, plan.callId),
      timeout_ms: tool.timeoutMs,
    });
    return sent ? undefined : 'the agent link is busy';
  }

  /** Ends when the tool's time is up or its turn is interrupted, unless it is cancelled before. */
  #slot(tool: TakenTool, round: ToolRound, end: (status: 'timed_out' | 'interrupted') => void): ClockTimer {
    const timer = this.#parts.clock.setTimer(() => end('timed_out'), tool.timeoutMs);
    const interrupted = (): void => end('interrupted');
    round.signal.addEventListener('abort', interrupted, { once: true });
    return {
      cancel: () => {
        timer.cancel();
        round.signal.removeEventListener('abort', interrupted);
      },
    };
  }

  /** A side effect goes on after its slot; the agent is told nothing until this runs out. */
  #patience(id: number, tool: TakenTool, finish: (answer: Answer) => void): ClockTimer {
    const { clock, wire } = this.#parts;
    const waitMs = Math.max(SIDE_EFFECT_WAIT_MS, tool.timeoutMs);
    return clock.setTimer(() => {
      wire.sendToolCancel(id, 'timeout');
      finish({ kind: 'error', message: 'the agent did not answer in time; the outcome is unknown' });
    }, waitMs);
  }
}
