import type { Clock, ClockTimer } from '@callwright/core';
import { AgentCalls, type ToolWire } from './agent-calls';
import type { ModelCall, ToolOutcome } from './brain';
import { canonicalJson } from './canonical-json';
import { ConfirmationGate } from './confirmation-gate';
import { type Effect, EffectMemory, type Repetition } from './effect-memory';
import { type Ending, endingOfRepetition, refusal } from './tool-endings';
import type { TakenTool, ToolOffer } from './tool-offer';
import { planToolCall, type ToolPlan, type ToolRound } from './tool-plan';
import type { ToolEntry, Transcript } from './transcript';

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

const MAX_MALFORMED_ROUNDS = 2;
const FILLER_DELAY_MS = 1_200;

/**
 * The server's tool engine for one call: checks what the model asks for, holds what needs a yes, asks the agent, waits as
 * long as the tool may take, and says what the model reads of it.
 */
export class ToolEngine {
  readonly gate: ConfirmationGate;
  /** What was sent to the agent. */
  readonly calls: AgentCalls;
  readonly #parts: ToolEngineParts;
  readonly #effects: EffectMemory;
  readonly #unreported: Effect[] = [];
  #rounds = 0;

  constructor(parts: ToolEngineParts) {
    this.#parts = parts;
    this.gate = new ConfirmationGate(parts.clock);
    this.calls = new AgentCalls(parts);
    this.#effects = new EffectMemory(parts.clock);
  }

  /** Runs the calls of one round at once; outcomes come in the order of the calls. */
  async run(calls: readonly ModelCall[], round: ToolRound): Promise<readonly ToolOutcome[]> {
    const ordinal = this.#rounds++;
    const server = { offer: this.#parts.offer, gate: this.gate };
    const plans = calls.map((call, index) => planToolCall(call, index, round, server));
    if (plans.some((plan) => plan.isMalformed)) round.malformed.count += 1;
    if (round.malformed.count > MAX_MALFORMED_ROUNDS) {
      return this.#refuseAll(plans, 'too many malformed tool calls in this turn; answer without tools');
    }
    const filler = this.#planFiller(plans);
    const endings = await Promise.all(plans.map((plan) => this.#carryOut(plan, ordinal, round)));
    filler?.cancel();
    return plans.map((plan, index) => outcomeOf(plan, endings[index]));
  }

  /** Refuses a whole round: the turn has used up its rounds. */
  refuseRound(calls: readonly ModelCall[], round: ToolRound): readonly ToolOutcome[] {
    const plans = calls.map((call) => ({ call, callId: `t${round.epoch}.${round.nextCallNumber()}` }));
    return this.#refuseAll(plans, 'this turn has used up its rounds of tools; answer without them');
  }

  /** The late notes were put into the model's next request. */
  noteReported(): void {
    for (const effect of this.#unreported.splice(0)) effect.isReported = true;
  }

  #refuseAll(plans: readonly ToolPlan[], detail: string): readonly ToolOutcome[] {
    return plans.map((plan) =>
      outcomeOf(plan, this.#record(plan, refusal('budget_exhausted', plan.call.name, detail))),
    );
  }

  async #carryOut(plan: ToolPlan, ordinal: number, round: ToolRound): Promise<Ending> {
    const { tool } = plan;
    if (tool === undefined || plan.ending !== undefined) {
      return this.#record(
        plan,
        plan.ending ?? refusal('unknown_tool', plan.call.name, 'there is no such tool'),
      );
    }
    const { kind, confirm } = tool.declaration;
    if (confirm === true && plan.isConfirmed !== true) return this.#hold(plan, round);
    // A confirmed call is the caller's own wish: it is never a repetition, and no later call repeats it.
    if (kind === 'read_only' || plan.isConfirmed === true) return this.#ask(plan, tool, round, undefined);
    const argsKey = canonicalJson(plan.call.args);
    const key = { epoch: round.epoch, round: ordinal, name: plan.call.name, argsKey };
    const repetition: Repetition = this.#effects.repetitionOf(key, tool.declaration.repeatable === true);
    if (repetition.kind !== 'new') return this.#record(plan, endingOfRepetition(repetition, plan.call.name));
    return this.#ask(plan, tool, round, this.#effects.remember({ ...key, callId: plan.callId }));
  }

  #hold(plan: ToolPlan, round: ToolRound): Ending {
    const { call, callId } = plan;
    const { name, args } = call;
    this.gate.hold({ callId, name, args, epoch: round.epoch });
    this.#parts.transcript.note('confirmation', { callId, name, args });
    const message =
      'Not run yet. Ask the user; if they agree in their next reply, call confirm_pending with this call_id.';
    const text = JSON.stringify({ status: 'confirmation_required', tool: name, call_id: callId, message });
    return { status: 'confirmation_required', text };
  }

  #ask(plan: ToolPlan, tool: TakenTool, round: ToolRound, effect: Effect | undefined): Promise<Ending> {
    const entry = this.#open(plan);
    return new Promise((resolve) => {
      this.calls.ask(plan, tool, round, {
        sent: (id) => {
          entry.id = id;
        },
        settled: (ending, runsOn) => {
          if (effect !== undefined) {
            if (runsOn) effect.isOrphan = true;
            else noteEnd(effect, ending);
          }
          resolve(this.#close(entry, ending));
        },
        late: (ending) => {
          if (effect !== undefined) {
            noteEnd(effect, ending);
            this.#unreported.push(effect);
          }
          this.#noteLate(plan, entry, ending);
        },
      });
    });
  }

  #noteLate(plan: ToolPlan, entry: ToolEntry, ending: Ending): void {
    entry.lateText = ending.text;
    const text = `Late result of tool call ${plan.callId} (${plan.call.name}), after the model stopped waiting: ${ending.text}`;
    this.#parts.transcript.note('note', { text });
    this.#parts.lateNote(text);
  }

  #planFiller(plans: readonly ToolPlan[]): ClockTimer | undefined {
    if (!plans.some((plan) => plan.tool?.speaksFiller)) return undefined;
    return this.#parts.clock.setTimer(this.#parts.filler, FILLER_DELAY_MS);
  }

  /** An entry for a call that the agent never sees. */
  #record(plan: ToolPlan, ending: Ending): Ending {
    return this.#close(this.#open(plan), ending);
  }

  #open(plan: ToolPlan): ToolEntry {
    return this.#parts.transcript.add('tool', {
      callId: plan.callId,
      name: plan.call.name,
      args: plan.call.args,
      toolKind: plan.tool?.declaration.kind,
      id: undefined,
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

function outcomeOf(plan: ToolPlan, ending: Ending | undefined): ToolOutcome {
  if (ending === undefined) throw new Error('every plan has an ending');
  const { callId, call } = plan;
  return { callId, name: call.name, args: call.args, value: undefined, ...ending };
}

function noteEnd(effect: Effect, ending: Ending): void {
  effect.state = ending.status === 'ok' ? 'succeeded' : 'failed';
  effect.text = ending.text;
}
