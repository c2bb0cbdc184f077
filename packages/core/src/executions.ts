import type { CallScope } from '@callwright/di';
import { Call } from './call';
import type { Class } from './class-types';
import type { Clock } from './clock';
import type { CallEvent } from './events';
import type {
  CommonExecution,
  EventExecution,
  HookExecution,
  OfferContext,
  TimerExecution,
  ToolExecution,
} from './execution-context';
import type { CallHooks } from './hooks';
import type { ToolInvocation } from './invocation';
import type { ToolDeclaration } from './link';
import { Logger } from './logger';
import type { RunnableMethod } from './method-plan';
import type { ToolContext } from './tool-context';

/**
 * The execution contexts as they are handed to guards and the like. What they hold is private, so that printing one
 * shows nothing of the caller.
 */
abstract class Execution implements CommonExecution {
  readonly #method: RunnableMethod;
  readonly #scope: CallScope;

  constructor(method: RunnableMethod, scope: CallScope) {
    this.#method = method;
    this.#scope = scope;
  }

  get type(): Class {
    return this.#method.type;
  }

  get method(): PropertyKey {
    return this.#method.method;
  }

  get where(): string {
    return this.#method.where;
  }

  get agent(): Class {
    return this.#method.agent;
  }

  get call(): Call {
    return this.#scope.get(Call);
  }

  get logger(): Logger {
    return this.#scope.get(Logger);
  }

  get clock(): Clock {
    return this.#method.clock;
  }
}

export class ToolExecutionContext extends Execution implements ToolExecution {
  readonly kind = 'tool';
  readonly declaration: ToolDeclaration;
  readonly #invocation: ToolInvocation;

  constructor(method: RunnableMethod, declaration: ToolDeclaration, invocation: ToolInvocation) {
    super(method, invocation.scope);
    this.declaration = declaration;
    this.#invocation = invocation;
  }

  override get call(): Call {
    return this.#invocation.context.call;
  }

  get tool(): ToolContext {
    return this.#invocation.context;
  }

  get args(): Readonly<Record<string, unknown>> {
    return this.#invocation.args;
  }

  get epoch(): number {
    return this.#invocation.context.epoch;
  }

  get signal(): AbortSignal {
    return this.#invocation.context.signal;
  }
}

export class EventExecutionContext extends Execution implements EventExecution {
  readonly kind = 'event';
  readonly #event: CallEvent;

  constructor(method: RunnableMethod, scope: CallScope, event: CallEvent) {
    super(method, scope);
    this.#event = event;
  }

  get event(): CallEvent {
    return this.#event;
  }

  get epoch(): number | undefined {
    return 'epoch' in this.#event ? this.#event.epoch : undefined;
  }
}

export class HookExecutionContext extends Execution implements HookExecution {
  readonly kind = 'hook';
  readonly hook: keyof CallHooks;
  readonly #input: unknown;

  constructor(method: RunnableMethod, scope: CallScope, hook: keyof CallHooks, input: unknown) {
    super(method, scope);
    this.hook = hook;
    this.#input = input;
  }

  get input(): unknown {
    return this.#input;
  }
}

export class TimerExecutionContext extends Execution implements TimerExecution {
  readonly kind = 'timer';
}

export class ToolOfferContext extends Execution implements OfferContext {
  readonly kind = 'offer';
  readonly declaration: ToolDeclaration;

  constructor(method: RunnableMethod, scope: CallScope, declaration: ToolDeclaration) {
    super(method, scope);
    this.declaration = declaration;
  }
}
