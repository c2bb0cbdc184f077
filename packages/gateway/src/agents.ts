import type { AgentPlan } from '@callwright/core';
import type { AgentAccept } from './agent-accept';

/** An agent of the application, ready to take calls. */
export interface ServedAgent {
  readonly plan: AgentPlan;
  readonly accept: AgentAccept;
}

/** Chooses the agent of a call. */
export class Agents {
  readonly #byName: ReadonlyMap<string, ServedAgent>;
  readonly #fallback: ServedAgent | undefined;

  constructor(agents: readonly ServedAgent[]) {
    this.#byName = new Map(agents.map((agent) => [agent.plan.contract.options.name, agent]));
    const byDefault = agents.find((agent) => agent.plan.contract.options.default === true);
    this.#fallback = byDefault ?? (agents.length === 1 ? agents[0] : undefined);
  }

  /** The agent of that name, else the one with `default: true`, else, if alone, that one. */
  agentFor(name: string): ServedAgent | undefined {
    return this.#byName.get(name) ?? this.#fallback;
  }
}
