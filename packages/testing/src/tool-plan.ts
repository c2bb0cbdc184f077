import { RESERVED_TOOL_NAME, utf8ByteLength } from '@callwright/protocol';
import type { ModelCall, ToolStatus } from './brain';
import type { ConfirmationGate } from './confirmation-gate';
import { type Ending, refusal } from './tool-endings';
import type { TakenTool, ToolOffer } from './tool-offer';

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

/** What is to be done with one call of the model. It has a tool, or an ending. */
export interface ToolPlan {
  readonly call: ModelCall;
  readonly callId: string;
  readonly tool?: TakenTool | undefined;
  /** The call is refused; the agent never sees it. */
  readonly ending?: Ending | undefined;
  /** The model has made a mistake; too many of them end the turn's tools. */
  readonly isMalformed?: boolean;
  /** The caller has said yes to it. */
  readonly isConfirmed?: boolean;
}

const MAX_CALLS_A_ROUND = 32;
const MAX_ARGUMENT_BYTES = 16_384;

const CONFIRMATION_REFUSALS = {
  unknown: 'no request with this call_id waits; it may have expired, been interrupted, or run already',
  same_turn: 'the user has not replied since the request',
  stale: 'a newer turn has started',
} as const;

/** Checks one call of the model, the `index`th of its round, before anything is sent. */
export function planToolCall(
  call: ModelCall,
  index: number,
  round: ToolRound,
  server: { readonly offer: ToolOffer; readonly gate: ConfirmationGate },
): ToolPlan {
  const plan: ToolPlan = { call, callId: `t${round.epoch}.${round.nextCallNumber()}` };
  const malformed = (status: ToolStatus, detail: string): ToolPlan => ({
    ...plan,
    isMalformed: true,
    ending: refusal(status, call.name, detail),
  });
  if (index >= MAX_CALLS_A_ROUND) {
    return malformed('too_many_calls', 'a response may carry 32 tool calls at most');
  }
  if (call.name === RESERVED_TOOL_NAME) return planConfirmation(plan, round, server);
  const tool = server.offer.find(call.name);
  if (tool === undefined) return malformed('unknown_tool', 'there is no tool of this name');
  if (utf8ByteLength(JSON.stringify(call.args)) > MAX_ARGUMENT_BYTES) {
    return malformed('arguments_too_large', 'the arguments have more than 16,384 bytes');
  }
  const issues = tool.issuesOf(call.args);
  return issues.length > 0 ? malformed('invalid_arguments', issues.join('; ')) : { ...plan, tool };
}

/** A confirmation runs the held call with its first arguments, under the confirming call's id. */
function planConfirmation(
  plan: ToolPlan,
  round: ToolRound,
  server: { readonly offer: ToolOffer; readonly gate: ConfirmationGate },
): ToolPlan {
  const callId = plan.call.args.call_id;
  const taken = typeof callId === 'string' ? server.gate.take(callId, round.epoch) : 'unknown';
  if (typeof taken === 'string') {
    const ending = refusal('confirmation_refused', RESERVED_TOOL_NAME, CONFIRMATION_REFUSALS[taken]);
    return { ...plan, ending };
  }
  const call = { name: taken.name, args: taken.args };
  const tool = server.offer.findTaken(taken.name);
  if (tool !== undefined) return { ...plan, call, tool, isConfirmed: true };
  return { ...plan, call, ending: refusal('unknown_tool', taken.name, 'there is no tool of this name') };
}
