import type { AgentDraft } from './agents-reading';
import { HANDLER_GRACE_MS, SIDE_EFFECT_GRACE_MS } from './call-session';
import { TOOL_COUNT_LIMIT } from './contract-tools';
import type { CallHooks } from './hooks';
import { LEDGER_KEPT_BYTES, LEDGER_KEYS_LIMIT, UNDELIVERED_FOR_MS } from './ledger';
import type { ToolKind } from './link';
import { MAILBOX_CAPACITY } from './mailbox';
import type { Enhancer } from './method-enhancers';
import type { MethodPlan } from './method-plan';
import { RESULT_DEPTH_LIMIT } from './tool-result';
import { OPEN_TOOLS_LIMIT, REMEMBERED_IDS } from './tool-runner';

/** A method and what is bound around it, by the names of the classes, in the order in which they act. */
export interface MethodManifest {
  /** `LuigiAgent.bookTable`. */
  readonly method: string;
  readonly guards: readonly string[];
  readonly interceptors: readonly string[];
  readonly pipes: readonly string[];
  readonly filters: readonly string[];
}

/** A tool as the model is told of it, and where it is. */
export interface ToolManifest extends MethodManifest {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The JSON Schema of the result; null when no class was declared for it. */
  readonly result: Readonly<Record<string, unknown>> | null;
  /** Null: the voice server's own. */
  readonly timeoutMs: number | null;
  readonly fillerAfterMs: number | null;
  readonly confirm: boolean;
  readonly repeatable: boolean;
}

export interface HandlerManifest extends MethodManifest {
  /** Wire names. */
  readonly events: readonly string[];
}

export interface HookManifest extends MethodManifest {
  readonly hook: keyof CallHooks;
}

export interface TimerManifest extends MethodManifest {
  readonly repeats: boolean;
  readonly delayMs: number;
}

/** An agent as plain data: everything that it promises, nothing that it says. */
export interface AgentManifest {
  readonly name: string;
  readonly class: string;
  readonly module: string;
  readonly default: boolean;
  readonly resume: boolean;
  /** Wire names that are subscribed to, or all. */
  readonly events: 'all' | readonly string[];
  readonly tools: readonly ToolManifest[];
  readonly handlers: readonly HandlerManifest[];
  readonly hooks: readonly HookManifest[];
  readonly timers: readonly TimerManifest[];
}

/** The limits of each call. */
export const CALL_LIMITS = Object.freeze({
  toolsOfAnAgent: TOOL_COUNT_LIMIT,
  toolsRunningAtOnce: OPEN_TOOLS_LIMIT,
  rememberedToolCallIds: REMEMBERED_IDS,
  resultDepth: RESULT_DEPTH_LIMIT,
  waitingEvents: MAILBOX_CAPACITY,
  sideEffectKeys: LEDGER_KEYS_LIMIT,
  recordedAnswerBytes: LEDGER_KEPT_BYTES,
  undeliveredForMs: UNDELIVERED_FOR_MS,
  sideEffectGraceMs: SIDE_EFFECT_GRACE_MS,
  handlerGraceMs: HANDLER_GRACE_MS,
});

/** Describes an agent. */
export function agentManifest(draft: AgentDraft): AgentManifest {
  const { contract, module } = draft;
  const { name, default: isDefault, resume } = contract.options;
  return {
    name,
    class: contract.type.name,
    module: module.name,
    default: isDefault === true,
    resume: resume === true,
    events: contract.events,
    tools: draft.tools.map(({ plan, method }) => {
      const { declaration } = plan;
      return {
        name: declaration.name,
        description: declaration.description,
        kind: declaration.kind,
        parameters: declaration.parameters,
        result: plan.result?.jsonSchema ?? null,
        timeoutMs: declaration.timeoutMs ?? null,
        fillerAfterMs: declaration.fillerAfterMs ?? null,
        confirm: declaration.confirm === true,
        repeatable: declaration.repeatable === true,
        ...methodManifest(method),
      };
    }),
    handlers: draft.handlers.map(({ plan, method }) => ({
      events: plan.eventTypes,
      ...methodManifest(method),
    })),
    hooks: [...draft.hooks.values()].flatMap((hooks) =>
      [...hooks].map(([hook, method]) => ({ hook, ...methodManifest(method) })),
    ),
    timers: draft.timers.map(({ record, method }) => ({ ...record, ...methodManifest(method) })),
  };
}

function methodManifest({ where, enhancers, parameters }: MethodPlan): MethodManifest {
  const { guards, interceptors, pipes, filters } = enhancers;
  const ofParameters = (parameters ?? []).flatMap((parameter) => parameter.pipes);
  return {
    method: where,
    guards: namesOf(guards),
    interceptors: namesOf(interceptors),
    pipes: [...new Set(namesOf([...pipes, ...ofParameters]))],
    filters: namesOf(filters),
  };
}

function namesOf(enhancers: readonly Enhancer<unknown>[]): string[] {
  return enhancers.map(({ name }) => name);
}
