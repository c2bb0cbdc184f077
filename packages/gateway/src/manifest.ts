import type { AgentManifest, CALL_LIMITS } from '@callwright/core';

/** An agent, and how large its answer to a call is. */
export interface ServedAgentManifest extends AgentManifest {
  /** The size of `session.accept` before the start hooks add to it, and what a voice server reads at most. */
  readonly accept: { readonly bytes: number; readonly limitBytes: number };
}

/** An application as plain data. */
export interface ApplicationManifest {
  readonly manifestVersion: 1;
  readonly agents: readonly ServedAgentManifest[];
  readonly limits: {
    /** Calls at once. */
    readonly maxCalls: number;
    readonly handshakeTimeoutMs: number;
    readonly ofEachCall: typeof CALL_LIMITS;
  };
}
