import type { DialogueEvent } from './bot-voice';
import type { Brain } from './brain';
import type { TransferOutcome } from './command-desk';
import type { TextPattern, TransferPattern } from './expectations';
import type { FakeCallOptions } from './fake-voice-server';
import type { JsonObject } from './recording';

/** A call written down: what the model does, what the caller and the network do, and what has to come of it. */
export interface Scenario {
  readonly name: string;
  readonly call: FakeCallOptions;
  /** What a transfer leads to. */
  readonly transfer: TransferOutcome | 'none' | undefined;
  readonly speechMsPerCharacter: number | undefined;
  readonly brain: Brain;
  readonly steps: readonly ScenarioStep[];
  readonly expected: readonly ScenarioExpectation[];
}

/** What one user turn, or one tool, has to lead to. */
export interface StepExpectation {
  /** What the bot says in the turn. */
  readonly said?: TextPattern | undefined;
  readonly status?: string | undefined;
  /** The tool's result; every given member must be there and equal. */
  readonly result?: unknown;
}

/** One thing that the caller, the network or the test does; named as the methods of a `FakeCall`. */
export type ScenarioStep =
  | {
      readonly verb: 'user';
      readonly text: string;
      readonly spoken: boolean;
      readonly expected: StepExpectation;
    }
  | {
      readonly verb: 'tool';
      readonly tool: string;
      readonly args: JsonObject;
      readonly expected: StepExpectation;
    }
  | { readonly verb: 'confirm'; readonly expected: StepExpectation }
  | { readonly verb: SimpleVerb }
  | { readonly verb: 'wait' | 'delay'; readonly ms: number }
  | { readonly verb: 'refuseDials'; readonly count: number }
  | { readonly verb: 'duplicateNext'; readonly type: string }
  | { readonly verb: 'drop'; readonly type: string; readonly count: number }
  | { readonly verb: 'emit'; readonly event: DialogueEvent };

/** Verbs that need nothing said with them. */
export type SimpleVerb =
  | 'interrupt'
  | 'untilSilent'
  | 'cut'
  | 'halfOpen'
  | 'silence'
  | 'resume'
  | 'hangUp'
  | 'untilEnded';

/** What has to hold of the whole call; named as the expectations. */
export type ScenarioExpectation =
  | { readonly what: 'said'; readonly pattern: TextPattern }
  | { readonly what: 'calledTool' | 'ranOnce'; readonly tool: string; readonly args: JsonObject }
  | { readonly what: 'confirmedBeforeRunning'; readonly tool: string }
  | { readonly what: 'transferredWith'; readonly pattern: TransferPattern }
  | { readonly what: 'endedWith'; readonly reason: string }
  | { readonly what: 'neverLeaked'; readonly value: string }
  | { readonly what: 'noSilenceLongerThan'; readonly ms: number };
