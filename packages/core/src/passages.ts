import type { CallScope } from '@callwright/di';
import type { HandlerPlan, ToolPlan } from './contract';
import type { CallEvent } from './events';
import {
  EventExecutionContext,
  HookExecutionContext,
  TimerExecutionContext,
  ToolExecutionContext,
} from './executions';
import { ToolError } from './failures';
import type { CallHooks } from './hooks';
import { ArgumentsError, type ToolInvocation } from './invocation';
import { Logger } from './logger';
import { method as methodOf, type ParameterSource } from './method-parameters';
import type { RunnableMethod } from './method-plan';
import { fillParameters } from './parameter-filling';
import { Passage } from './passage';

/** The way of a tool call: its arguments are bound and go through pipes; `begin` is the last step before the method. */
export class ToolPassage extends Passage {
  readonly #method: RunnableMethod;
  readonly #plan: ToolPlan;
  readonly #invocation: ToolInvocation;

  constructor(method: RunnableMethod, plan: ToolPlan, invocation: ToolInvocation) {
    const context = new ToolExecutionContext(method, plan.declaration, invocation);
    super(invocation.scope, context, method.enhancers);
    this.#method = method;
    this.#plan = plan;
    this.#invocation = invocation;
  }

  protected override enter(): unknown {
    const { parameters, rootIndex, method } = this.#method;
    const bound = bindArguments(this.#plan, this.#invocation);
    const instance = this.scope.root(rootIndex) as object; // roots are instances of classes
    if (!parameters) {
      this.#invocation.begin();
      return this.#plan.invoke(instance, bound, this.#invocation.context);
    }
    const values: unknown[] = [];
    const filling = {
      parameters,
      scope: this.scope,
      context: this.context,
      read: (source: ParameterSource) => readTool(source, bound, this.#invocation),
    };
    const start = (): unknown => {
      this.#invocation.begin();
      return methodOf(instance, method).apply(instance, values);
    };
    const waiting = fillParameters(filling, values);
    return waiting === undefined ? start() : waiting.then(start);
  }

  protected override refused(refusal: unknown): never {
    throw refusal;
  }

  protected override answered(text: string, cause: unknown): never {
    throw new ToolError(text, { cause });
  }
}

/**
 * Binds the model's arguments. What the program's own code threw meanwhile (a constructor, a validator) is logged.
 * @throws ArgumentsError when they do not fit.
 */
export function bindArguments(plan: ToolPlan, invocation: ToolInvocation): unknown {
  const bound = plan.args.bind(invocation.args);
  if (bound.ok) return bound.value;
  if (bound.cause !== undefined) {
    const fields = { tool: plan.where, error: bound.cause };
    invocation.scope.get(Logger).error('the arguments of a tool could not be read', fields);
  }
  throw new ArgumentsError(bound.message, { cause: bound.cause });
}

function readTool(source: ParameterSource, bound: unknown, { context }: ToolInvocation): unknown {
  switch (source.from) {
    case 'argument':
      return (bound as readonly unknown[])[source.position]; // named arguments are bound to a list
    case 'call':
      return context.call;
    case 'context':
      return context;
    default:
      return bound;
  }
}

/** What handlers, hooks and timers have in common: nobody reads what comes back. */
abstract class QuietPassage extends Passage {
  /** It is skipped. */
  protected override refused(): undefined {
    return undefined;
  }

  protected override answered(): undefined {
    return undefined;
  }
}

/** The way of an event to one handler. */
export class EventPassage extends QuietPassage {
  readonly #method: RunnableMethod;
  readonly #plan: HandlerPlan;
  readonly #event: CallEvent;

  constructor(method: RunnableMethod, plan: HandlerPlan, scope: CallScope, event: CallEvent) {
    super(scope, new EventExecutionContext(method, scope, event), method.enhancers);
    this.#method = method;
    this.#plan = plan;
    this.#event = event;
  }

  protected override enter(): unknown {
    const { parameters, rootIndex, method } = this.#method;
    const instance = this.scope.root(rootIndex) as object; // roots are instances of classes
    if (!parameters) return this.#plan.invoke(instance, this.#event, this.context.call);
    const values: unknown[] = [];
    const filling = {
      parameters,
      scope: this.scope,
      context: this.context,
      read: (source: ParameterSource) => (source.from === 'call' ? this.context.call : this.#event),
    };
    const start = (): unknown => methodOf(instance, method).apply(instance, values);
    const waiting = fillParameters(filling, values);
    return waiting === undefined ? start() : waiting.then(start);
  }
}

/** The way of a call's hook. */
export class HookPassage extends QuietPassage {
  readonly #run: () => unknown;

  constructor(
    method: RunnableMethod,
    scope: CallScope,
    hook: { readonly name: keyof CallHooks; readonly input: unknown; readonly run: () => unknown },
  ) {
    super(scope, new HookExecutionContext(method, scope, hook.name, hook.input), method.enhancers);
    this.#run = hook.run;
  }

  protected override enter(): unknown {
    return this.#run();
  }
}

/** The way of one tick of a timer. */
export class TimerPassage extends QuietPassage {
  readonly #method: RunnableMethod;

  constructor(method: RunnableMethod, scope: CallScope) {
    super(scope, new TimerExecutionContext(method, scope), method.enhancers);
    this.#method = method;
  }

  protected override enter(): unknown {
    const instance = this.scope.root(this.#method.rootIndex) as object; // roots are instances of classes
    return methodOf(instance, this.#method.method).call(instance);
  }
}
