/**
 * One kind of work for an agent. A load is opened, runs any number of times and is closed. Whatever it started has
 * been answered when `run` resolves, so the agent is idle at both ends and the count of operations is exact.
 */
export interface Load {
  /** What one operation is, in the singular: `tool call`. */
  readonly operation: string;
  open(port: number): Promise<void>;
  /**
   * Works for `durationMs`, or until the calls made as many operations as a call makes at most; then waits for what is
   * outstanding, and gives the operations finished.
   */
  run(durationMs: number): Promise<number>;
  close(): Promise<void>;
}

/** True until `durationMs` have passed; cheaper than reading a clock per operation. */
export class Deadline {
  passed = false;

  constructor(durationMs: number) {
    setTimeout(() => {
      this.passed = true;
    }, durationMs);
  }
}
