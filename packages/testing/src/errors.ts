/** Details of a misuse of the test kit, by code: what is wrong, where, why, and how to mend it. */
export const testingErrors = {
  CW_CLOCK_DELAY_INVALID: (details: { method: string; ms: number }) =>
    `VirtualClock.${details.method}() got ${details.ms} ms.\nTime runs forward only: give a finite number of milliseconds, 0 or more.`,
  CW_CLOCK_ENDLESS: (details: { method: string; timers: number }) =>
    `VirtualClock.${details.method}() ran ${details.timers} timers and more are waiting.\nA timer that always sets the next one never runs out (a ping, an interval).\nUse advance(ms) with the time that the test is about, or cancel the timer first.`,
  CW_CLOCK_STUCK: (details: { nowMs: number }) =>
    `VirtualClock.runUntil() waits for a promise, and no timer is left that could settle it (clock at ${details.nowMs} ms).\nWhat the promise waits for does not use this clock, or it never comes.\nGive every part of the test the same clock, or settle the promise by hand.`,
} as const;

/** A code of {@link testingErrors}. */
export type TestingErrorCode = keyof typeof testingErrors;

/** A misuse of the test kit. `code` names the section of the errors page. */
export class TestingError extends Error {
  readonly code: TestingErrorCode;

  constructor(code: TestingErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.name = 'TestingError';
    this.code = code;
  }
}
