import type { AgentManifest, CALL_LIMITS } from '@callwright/core';

/** An application as plain data. */
export interface ApplicationManifest {
  readonly manifestVersion: 1;
  readonly agents: readonly AgentManifest[];
  readonly limits: {
    /** Calls at once. */
    readonly maxCalls: number;
    readonly handshakeTimeoutMs: number;
    readonly ofEachCall: typeof CALL_LIMITS;
  };
}
