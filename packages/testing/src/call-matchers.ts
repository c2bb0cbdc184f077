import {
  calledTool,
  confirmedBeforeRunning,
  endedWith,
  neverLeaked,
  noSilenceLongerThan,
  type ObservedCall,
  ranOnce,
  said,
  type TextPattern,
  type TransferPattern,
  transferredWith,
  type Verdict,
} from './expectations';
import { matchesTimeline, type TimelineOptions } from './timeline';

/** What a matcher of jest or vitest returns. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** The matchers' signatures, for the types of a test runner. */
export interface CallMatchers<Result = void> {
  /** @see said */
  toHaveSaid(pattern: TextPattern): Result;
  /** @see calledTool */
  toHaveCalledTool(name: string, args?: Readonly<Record<string, unknown>>): Result;
  /** @see ranOnce */
  toHaveRunOnce(name: string, args?: Readonly<Record<string, unknown>>): Result;
  /** @see confirmedBeforeRunning */
  toHaveConfirmedBeforeRunning(name: string): Result;
  /** @see transferredWith */
  toHaveTransferredWith(pattern?: TransferPattern): Result;
  /** @see endedWith */
  toHaveEndedWith(reason: string): Result;
  /** The opposite of {@link neverLeaked}: use it with `not`. */
  toHaveLeaked(value: string, ...texts: readonly string[]): Result;
  /** The opposite of {@link noSilenceLongerThan}: use it with `not`. */
  toHaveSilenceLongerThan(maxMs: number): Result;
  /** @see matchesTimeline */
  toMatchTimeline(file: string, options?: TimelineOptions): Result;
}

/**
 * The expectations as matchers, for `expect.extend` of jest or vitest. `@callwright/testing/jest` does it for jest, with types.
 *
 * @example
 * ```ts no-run
 * import { callMatchers } from '@callwright/testing';
 *
 * declare const expect: { extend(matchers: object): void };
 * expect.extend(callMatchers);
 * ```
 */
export const callMatchers = {
  toHaveSaid: (call: ObservedCall, pattern: TextPattern) => result(said(call, pattern)),
  toHaveCalledTool: (call: ObservedCall, name: string, args?: Readonly<Record<string, unknown>>) =>
    result(calledTool(call, name, args)),
  toHaveRunOnce: (call: ObservedCall, name: string, args?: Readonly<Record<string, unknown>>) =>
    result(ranOnce(call, name, args)),
  toHaveConfirmedBeforeRunning: (call: ObservedCall, name: string) =>
    result(confirmedBeforeRunning(call, name)),
  toHaveTransferredWith: (call: ObservedCall, pattern?: TransferPattern) =>
    result(transferredWith(call, pattern)),
  toHaveEndedWith: (call: ObservedCall, reason: string) => result(endedWith(call, reason)),
  toHaveLeaked: (call: ObservedCall, value: string, ...texts: readonly string[]) =>
    opposite(neverLeaked(call, value, ...texts)),
  toHaveSilenceLongerThan: (call: ObservedCall, maxMs: number) => opposite(noSilenceLongerThan(call, maxMs)),
  toMatchTimeline: (call: ObservedCall, file: string, options?: TimelineOptions) =>
    result(matchesTimeline(call, file, options)),
} as const;

function result(verdict: Verdict): MatcherResult {
  return { pass: verdict.holds, message: () => verdict.explain() };
}

function opposite(verdict: Verdict): MatcherResult {
  return { pass: !verdict.holds, message: () => verdict.explain() };
}
