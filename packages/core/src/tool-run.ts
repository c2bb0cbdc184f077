import type { CallScope } from '@callwright/di';
import type { ToolBinding } from './agent-plan';
import type { Expiring } from './deadlines';
import { type ToolInvocation, ToolNotStarted } from './invocation';
import type { LedgerEntry } from './ledger';
import type { Link, ToolRequest } from './link';
import { ToolContext } from './tool-context';

/** Who is told that a run's time is over. */
export interface ToolRunOwner {
  expire(run: ToolRun): void;
}

/** One tool call from its frame to its answer. */
export class ToolRun implements ToolInvocation, Expiring {
  readonly request: ToolRequest;
  readonly tool: ToolBinding;
  readonly scope: CallScope;
  readonly context: ToolContext;
  /** The link that asked; an answer is never sent on another. */
  readonly link: Link;
  /** Side effects only: what is remembered of it. */
  readonly entry: LedgerEntry | undefined;
  readonly #owner: ToolRunOwner;
  /** False for a cancelled read: nobody waits for its answer. */
  isAnswerable = true;
  dueMs = Number.POSITIVE_INFINITY;

  constructor(
    owner: ToolRunOwner,
    parts: {
      readonly request: ToolRequest;
      readonly tool: ToolBinding;
      readonly scope: CallScope;
      readonly context: ToolContext;
      readonly link: Link;
      readonly entry: LedgerEntry | undefined;
    },
  ) {
    this.#owner = owner;
    this.request = parts.request;
    this.tool = parts.tool;
    this.scope = parts.scope;
    this.context = parts.context;
    this.link = parts.link;
    this.entry = parts.entry;
  }

  get args(): Readonly<Record<string, unknown>> {
    return this.request.args;
  }

  begin(): void {
    // A link that this side gave up has no end yet that anybody was told of.
    if (this.context.cancelRequested !== undefined || !this.link.isOpen) throw new ToolNotStarted();
    if (this.entry) this.entry.begun = true;
  }

  expire(): void {
    this.#owner.expire(this);
  }
}
