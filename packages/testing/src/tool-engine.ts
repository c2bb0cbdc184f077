import type { Clock, ClockTimer, ToolKind } from '@callwright/core';
import {
  cutUtf8,
  MODEL_VISIBLE_RESULT_BYTES,
  RESERVED_TOOL_NAME,
  utf8ByteLength,
} from '@callwright/protocol';
import type { ModelCall, ToolOutcome, ToolStatus } from './brain';
import { canonicalJson } from './canonical-json';
import { ConfirmationGate } from './confirmation-gate';
import { type Effect, EffectMemory } from './effect-memory';
import { idempotencyKey } from './idempotency-key';
import type { TakenTool, ToolOffer } from './tool-offer';
import type { ToolEntry, Transcript } from './transcript';

/** How the engine reaches the agent. */
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

/** One round of tool calls. */
export interface ToolRound {
  readonly epoch: number;
  /** Aborted when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** The number of the next tool call of this turn; rounds of one turn go on counting. */
  readonly nextCallNumber: () => number;
  /** Malformed rounds of this turn so far; the engine counts one up. */
  readonly malformed: { count: number };
}

/** What a {@link ToolEngine} is made from. */
export interface ToolEngineParts {
  readonly clock: Clock;
  readonly sessionId: string;
  readonly offer: ToolOffer;
  readonly wire: ToolWire;
  readonly transcript: Transcript;
  /** A round of tools takes long: the bot says something meanwhile. */
  readonly filler: () => void;
  /** A side effect ended after the model stopped waiting: a system note for its next request. */
  readonly lateNote: (text: string) => void;
}

const MAX_CALLS_A_ROUND = 32;
const MAX_WAITING_CALLS = 32;
const MAX_ARGUMENT_BYTES = 16_384;
const MAX_MALFORMED_ROUNDS = 2;
const MAX_DETAIL_BYTES = 512;
const MAX_ERROR_BYTES = 1_024;
const SIDE_EFFECT_WAIT_MS = 60_000;
const FILLER_DELAY_MS = 1_200;

type Answer =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'hung_up' };

interface WaitingCall {
  readonly answered: (answer: Answer) => void;
}

interface Ending {
  readonly status: ToolStatus;
  readonly text: string;
  readonly value?: unknown;
}

/**
 * The server's tool engine for one call: checks what the model asks for, holds what needs a yes, asks the agent, waits as
 * long as the tool may take, and says what the model reads of it.
 */
export class ToolEngine {
  readonly gate: ConfirmationGate;
  readonly #parts: ToolEngineParts;
  readonly #effects: EffectMemory;
  readonly #waiting = new Map<number, WaitingCall>();
  readonly #answeredIds = new Set<number>();
  readonly #unreported: Effect[] = [];
  #nextId = 1;
  #rounds = 0;

  constructor(parts: ToolEngineParts) {
    this.#parts = parts;
    this.gate = new ConfirmationGate(parts.clock);
    this.#effects = new EffectMemory(parts.clock);
  }

  /** Runs the calls of one round at once; outcomes come in the order of the calls. */
  async run(calls: readonly ModelCall[], round: ToolRound): Promise<readonly ToolOutcome[]> {
    const ordinal = this.#rounds++;
    const plans = calls.map((call, index) => this.#plan(call, index, round));
    if (plans.some((plan) => plan.isMalformed)) round.malformed.count += 1;
    const exhausted = round.malformed.count > MAX_MALFORMED_ROUNDS;
    const filler = this.#planFiller(plans, exhausted);
    const outcomes = await Promise.all(
      plans.map(async (plan): Promise<ToolOutcome> => {
        const { call, callId } = plan;
        const ending = exhausted
          ? refusal(
              'budget_exhausted',
              call.name,
              'too many malformed tool calls in this turn; answer without tools',
            )
          : (plan.ending ?? (await this.#start(plan, ordinal, round)));
        if (exhausted || plan.ending !== undefined) this.#record(plan, ending);
        return { callId, name: call.name, args: call.args, value: undefined, ...ending };
      }),
    );
    filler?.cancel();
    return outcomes;
  }

  /** Refuses a whole round: the turn has used up its rounds. */
  refuseRound(calls: readonly ModelCall[], round: ToolRound): readonly ToolOutcome[] {
    return calls.map((call) => {
      const plan = { call, callId: `t${round.epoch}.${round.nextCallNumber()}` };
      const ending = refusal(
        'budget_exhausted',
        call.name,
        'this turn has used up its rounds of tools; answer without them',
      );
      this.#record(plan, ending);
      return { ...plan, name: call.name, args: call.args, value: undefined, ...ending };
    });
  }

  /** A `tool.result` of the agent. Returns what is wrong with it, for a strict server. */
  answer(id: number, result: unknown, error: string | undefined): string | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      if (this.#answeredIds.has(id)) return `a second tool.result for id ${id}`;
      return id >= this.#nextId ? `a tool.result for id ${id}, which was never called` : undefined;
    }
    this.#waiting.delete(id);
    this.#answeredIds.add(id);
    waiting.answered(
      error === undefined
        ? { kind: 'result', value: result ?? null }
        : { kind: 'error', message: cutUtf8(error, MAX_ERROR_BYTES) },
    );
    return undefined;
  }

  /** The link is gone: everything that waits has failed. */
  linkLost(): void {
    for (const waiting of [...this.#waiting.values()]) waiting.answered({ kind: 'lost' });
    this.#waiting.clear();
  }

  /** The caller hung up: the agent is told for calls of both kinds. */
  hangUp(): void {
    for (const [id, waiting] of [...this.#waiting]) {
      this.#parts.wire.sendToolCancel(id, 'interrupted');
      waiting.answered({ kind: 'hung_up' });
    }
    this.#waiting.clear();
  }

  /** The late notes were put into the model's next request. */
  noteReported(): void {
    for (const effect of this.#unreported.splice(0)) effect.isReported = true;
  }

  #plan(call: ModelCall, index: number, round: ToolRound): Plan {
    const plan: Plan = { call, callId: `t${round.epoch}.${round.nextCallNumber()}`, isMalformed: false };
    const malformed = (status: ToolStatus, detail: string): Plan => ({
      ...plan,
      isMalformed: true,
      ending: refusal(status, call.name, detail),
    });
    if (index >= MAX_CALLS_A_ROUND)
      return malformed('too_many_calls', 'a response may carry 32 tool calls at most');
    if (call.name === RESERVED_TOOL_NAME) return this.#planConfirmation(plan, round);
    const tool = this.#parts.offer.find(call.name);
    if (tool === undefined) return malformed('unknown_tool', 'there is no tool of this name');
    if (utf8ByteLength(JSON.stringify(call.args)) > MAX_ARGUMENT_BYTES) {
      return malformed('arguments_too_large', 'the arguments have more than 16,384 bytes');
    }
    const issues = tool.issuesOf(call.args);
    if (issues.length > 0) return malformed('invalid_arguments', issues.join('; '));
    return { ...plan, tool };
  }

  /** A confirmation runs the held call with its first arguments, under the confirming call's id. */
  #planConfirmation(plan: Plan, round: ToolRound): Plan {
    const callId = plan.call.args.call_id;
    const taken = typeof callId === 'string' ? this.gate.take(callId, round.epoch) : 'unknown';
    if (typeof taken === 'string') {
      return {
        ...plan,
        ending: refusal('confirmation_refused', RESERVED_TOOL_NAME, CONFIRMATION_REFUSALS[taken]),
      };
    }
    const tool = this.#parts.offer.findTaken(taken.name);
    if (tool === undefined)
      return { ...plan, ending: refusal('unknown_tool', taken.name, 'there is no tool of this name') };
    return { ...plan, call: { name: taken.name, args: taken.args }, tool, isConfirmed: true };
  }

  async #start(plan: Plan, ordinal: number, round: ToolRound): Promise<Ending> {
    const { call, callId, tool } = plan;
    if (tool === undefined) throw new Error('a plan has a tool or an ending');
    const { declaration } = tool;
    if (declaration.confirm === true && plan.isConfirmed !== true) return this.#hold(plan, round);
    if (declaration.kind === 'read_only') return this.#ask(plan, tool, round, undefined);
    const key = { epoch: round.epoch, round: ordinal, name: call.name, argsKey: canonicalJson(call.args) };
    // A confirmed call is the user's own wish: it never counts as a repetition.
    const repetition =
      plan.isConfirmed === true
        ? ({ kind: 'new' } as const)
        : this.#effects.repetitionOf(key, declaration.repeatable === true);
    if (repetition.kind !== 'new') {
      const ending = endingOfRepetition(repetition, call.name);
      this.#record(plan, ending);
      return ending;
    }
    const effect = plan.isConfirmed === true ? undefined : this.#effects.remember({ ...key, callId });
    return this.#ask(plan, tool, round, effect);
  }

  #hold(plan: Plan, round: ToolRound): Ending {
    const { call, callId } = plan;
    this.gate.hold({ callId, name: call.name, args: call.args, epoch: round.epoch });
    this.#parts.transcript.note('confirmation', { callId, name: call.name, args: call.args });
    const text = JSON.stringify({
      status: 'confirmation_required',
      tool: call.name,
      call_id: callId,
      message:
        'Not run yet. Ask the user; if they agree in their next reply, call confirm_pending with this call_id.',
    });
    return { status: 'confirmation_required', text };
  }

  /** Sends the call and waits for whatever ends it first. */
  #ask(plan: Plan, tool: TakenTool, round: ToolRound, effect: Effect | undefined): Promise<Ending> {
    const { wire } = this.#parts;
    const { call } = plan;
    const id = this.#nextId;
    const isSideEffect = tool.declaration.kind === 'side_effect';
    const entry = this.#open(plan, tool, id);
    const refused =
      this.#waiting.size >= MAX_WAITING_CALLS
        ? 'too many tool calls wait for the agent'
        : this.#send(plan, tool, round, id);
    if (refused !== undefined) {
      if (effect !== undefined) effect.state = 'failed';
      return Promise.resolve(this.#close(entry, refusal('failed', call.name, refused)));
    }
    return new Promise((resolve) => {
      const slot = this.#slot(tool, round, (status) => endSlot(status));
      let isSlotOpen = true;
      const give = (ending: Ending): void => {
        isSlotOpen = false;
        slot.cancel();
        resolve(this.#close(entry, ending));
      };
      // A side effect goes on after its slot: the agent is told nothing until this runs out.
      const patience = isSideEffect
        ? this.#parts.clock.setTimer(
            () => {
              wire.sendToolCancel(id, 'timeout');
              finish({ kind: 'error', message: 'the agent did not answer in time; the outcome is unknown' });
            },
            Math.max(SIDE_EFFECT_WAIT_MS, tool.timeoutMs),
          )
        : undefined;
      const finish = (answer: Answer): void => {
        this.#waiting.delete(id);
        patience?.cancel();
        const ending = endingOf(answer, call.name, isSideEffect);
        if (effect !== undefined) {
          effect.state = ending.status === 'ok' ? 'succeeded' : 'failed';
          effect.text = ending.text;
        }
        if (isSlotOpen) give(ending);
        else this.#noteLate(plan, entry, ending, effect);
      };
      const endSlot = (status: 'timed_out' | 'interrupted'): void => {
        if (!isSlotOpen) return;
        if (isSideEffect) {
          if (effect !== undefined) effect.isOrphan = true;
          give(
            refusal(
              status,
              call.name,
              `${SLOT_ENDS[status]}; the call keeps running and its result follows as a note`,
            ),
          );
          return;
        }
        this.#waiting.delete(id);
        wire.sendToolCancel(id, status === 'timed_out' ? 'timeout' : 'interrupted');
        give(refusal(status, call.name, SLOT_ENDS[status]));
      };
      this.#waiting.set(id, { answered: finish });
    });
  }

  /** Returns why the call could not be sent. */
  #send(plan: Plan, tool: TakenTool, round: ToolRound, id: number): string | undefined {
    const { wire, sessionId } = this.#parts;
    if (!wire.isUp) return 'the agent is not connected';
    this.#nextId += 1;
    const sent = wire.sendToolCall({
      id,
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

  /** Ends when the tool's time is up or its turn is interrupted. */
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

  #noteLate(plan: Plan, entry: ToolEntry, ending: Ending, effect: Effect | undefined): void {
    entry.lateText = ending.text;
    const text = `Late result of tool call ${plan.callId} (${plan.call.name}), after the model stopped waiting: ${ending.text}`;
    this.#parts.transcript.note('note', { text });
    if (effect !== undefined) this.#unreported.push(effect);
    this.#parts.lateNote(text);
  }

  #planFiller(plans: readonly Plan[], exhausted: boolean): ClockTimer | undefined {
    if (exhausted || !plans.some((plan) => plan.tool?.speaksFiller)) return undefined;
    return this.#parts.clock.setTimer(this.#parts.filler, FILLER_DELAY_MS);
  }

  /** An entry for a call that the agent never sees. */
  #record(plan: Plan, ending: Ending): void {
    this.#close(this.#open(plan, plan.tool, undefined), ending);
  }

  #open(plan: Plan, tool: TakenTool | undefined, id: number | undefined): ToolEntry {
    return this.#parts.transcript.add('tool', {
      callId: plan.callId,
      name: plan.call.name,
      args: plan.call.args,
      toolKind: tool?.declaration.kind,
      id,
      confirmed: plan.isConfirmed === true,
      status: 'running',
      text: '',
      durationMs: undefined,
      lateText: undefined,
    });
  }

  #close(entry: ToolEntry, ending: Ending): Ending {
    entry.status = ending.status;
    entry.text = ending.text;
    entry.durationMs = this.#parts.transcript.nowMs() - entry.atMs;
    this.#parts.transcript.settle(entry);
    return ending;
  }
}

interface Plan {
  readonly call: ModelCall;
  readonly callId: string;
  readonly isMalformed?: boolean;
  readonly isConfirmed?: boolean;
  readonly tool?: TakenTool | undefined;
  /** The call is refused; the agent never sees it. */
  readonly ending?: Ending | undefined;
}

const SLOT_ENDS = {
  timed_out: 'no result in time',
  interrupted: 'the user interrupted',
} as const;

const CONFIRMATION_REFUSALS = {
  unknown: 'no request with this call_id waits; it may have expired, been interrupted, or run already',
  same_turn: 'the user has not replied since the request',
  stale: 'a newer turn has started',
} as const;

function endingOf(answer: Answer, name: string, isSideEffect: boolean): Ending {
  switch (answer.kind) {
    case 'result':
      return { status: 'ok', text: visibleText(answer.value), value: answer.value };
    case 'error':
      return refusal('failed', name, answer.message);
    case 'hung_up':
      return refusal('interrupted', name, 'the call ended before the result');
    case 'lost':
      return refusal(
        'failed',
        name,
        `the agent link closed before the result${isSideEffect ? '; the outcome is unknown' : ''}`,
      );
  }
}

/** A string reaches the model as it is, anything else as JSON; the model's window clips what is long. */
function visibleText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const visible = cutUtf8(text, MODEL_VISIBLE_RESULT_BYTES);
  return visible === text ? text : `${visible} [clipped]`;
}

function endingOfRepetition(
  repetition: Exclude<ReturnType<EffectMemory['repetitionOf']>, { kind: 'new' }>,
  name: string,
): Ending {
  switch (repetition.kind) {
    case 'already_done':
      return refusal(
        'already_done',
        name,
        'an identical call succeeded earlier in this turn; it was not run again',
      );
    case 'still_running':
      return refusal(
        'duplicate_call',
        name,
        'an identical call is still running; its result follows as a note',
      );
    case 'already_reported':
      return refusal('already_reported', name, 'an identical call ended; its result is in a note above');
    case 'recorded': {
      const { text, state } = repetition.effect;
      return { status: state === 'succeeded' ? 'ok' : 'failed', text };
    }
  }
}

/** What the model reads of a call that did not lead to a result. */
function refusal(status: ToolStatus, tool: string, detail: string): Ending {
  const error = status === 'failed' || status === 'confirmation_refused' ? 'tool_failed' : status;
  const text = JSON.stringify({ error, tool, detail: cutUtf8(detail, MAX_DETAIL_BYTES) });
  return { status, text };
}
