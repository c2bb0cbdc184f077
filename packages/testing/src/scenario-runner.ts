import { systemClock } from '@callwright/core';
import type { ServerMessageType } from '@callwright/protocol';
import type { ToolOutcome } from './brain';
import { canonicalJson } from './canonical-json';
import * as expectations from './expectations';
import type { FakeCall } from './fake-call';
import type { Scenario, ScenarioExpectation, ScenarioStep, SimpleVerb, StepExpectation } from './scenario';
import type { TestApplication } from './test-application';
import type { TestingModuleBuilder } from './testing-module';
import { formatTranscript } from './transcript-printer';

/** How a scenario went. */
export interface ScenarioResult {
  readonly name: string;
  /** Undefined: everything was as expected. */
  readonly failure: ScenarioFailure | undefined;
  /** Real milliseconds. */
  readonly durationMs: number;
  /** Milliseconds of the call, on its virtual clock. */
  readonly callMs: number;
  /** The call as text, one line for each thing that happened. */
  readonly timeline: string;
}

/** The first thing that was not as expected. */
export interface ScenarioFailure {
  /** `step 3 (user)`, `expect.said`, `the call`, `the end`. */
  readonly where: string;
  readonly message: string;
}

/** How a run of scenarios went. */
export interface ScenarioSummary {
  readonly results: readonly ScenarioResult[];
  readonly passed: number;
  readonly failed: number;
  /** Real milliseconds. */
  readonly durationMs: number;
}

/** Options of {@link runScenarios}. */
export interface ScenarioRunOptions {
  /** Hears each result as it comes, with how many there are of how many. */
  readonly onResult?: ((result: ScenarioResult, done: number, total: number) => void) | undefined;
}

/**
 * Plays scenarios one after another, each against an application of its own.
 *
 * @param module the application, with what the scenarios want to replace in it
 *
 * @example
 * ```ts no-run
 * import { formatScenarios, parseScenario, runScenarios, Test } from '@callwright/testing';
 * import { Module, Tool, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'luigi' })
 * class LuigiAgent {
 *   @Tool('Opening hours.')
 *   hours(): string {
 *     return 'six to eleven';
 *   }
 * }
 *
 * @Module({ agents: [LuigiAgent] })
 * class AppModule {}
 *
 * const text = `
 * rules:
 *   - { when: /hours/, call: hours, say: 'Open from $result.' }
 * steps:
 *   - { user: Your hours please, said: six }
 *   - hangUp
 * expect: { ranOnce: hours }
 * `;
 *
 * async function main(): Promise<void> {
 *   const module = Test.createTestingModule({ imports: [AppModule] });
 *   const summary = await runScenarios([parseScenario(text, 'hours')], module);
 *   console.log(formatScenarios(summary));
 * }
 * void main();
 * ```
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  module: TestingModuleBuilder,
  { onResult }: ScenarioRunOptions = {},
): Promise<ScenarioSummary> {
  const startMs = systemClock.nowMs();
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    const result = await runScenario(scenario, module);
    results.push(result);
    onResult?.(result, results.length, scenarios.length);
  }
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  const durationMs = systemClock.nowMs() - startMs;
  return { results, passed: results.length - failed, failed, durationMs };
}

/** Plays one scenario. Never rejects: an application that cannot be made is a failure too. */
export async function runScenario(scenario: Scenario, module: TestingModuleBuilder): Promise<ScenarioResult> {
  const startMs = systemClock.nowMs();
  const run = new ScenarioRun(scenario);
  let failure = await run.play(module);
  const ended = await run.close();
  failure ??= ended;
  const { callMs, timeline } = run;
  return { name: scenario.name, failure, durationMs: systemClock.nowMs() - startMs, callMs, timeline };
}

class ScenarioRun {
  readonly #scenario: Scenario;
  #app: TestApplication | undefined;
  #call: FakeCall | undefined;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  get callMs(): number {
    return this.#app?.clock.nowMs() ?? 0;
  }

  get timeline(): string {
    return this.#call === undefined ? '' : formatTranscript(this.#call.transcript);
  }

  async play(module: TestingModuleBuilder): Promise<ScenarioFailure | undefined> {
    const { call: callOptions, brain, transfer, speechMsPerCharacter, steps, expected } = this.#scenario;
    let where = 'the application';
    try {
      this.#app = await module.createApplication({ voiceServer: { brain, transfer, speechMsPerCharacter } });
      where = 'the call';
      this.#call = await this.#app.call(callOptions);
      for (const [index, step] of steps.entries()) {
        where = `step ${index + 1} (${step.verb})`;
        await playStep(step, this.#call, this.#app);
      }
      for (const expectation of expected) {
        where = `expect.${expectation.what}`;
        expectations.verify(verdictOf(expectation, this.#call));
      }
      return undefined;
    } catch (error) {
      return { where, message: messageOf(error) };
    }
  }

  async close(): Promise<ScenarioFailure | undefined> {
    try {
      await this.#app?.close();
      return undefined;
    } catch (error) {
      return { where: 'the end', message: messageOf(error) };
    }
  }
}

async function playStep(step: ScenarioStep, call: FakeCall, app: TestApplication): Promise<void> {
  switch (step.verb) {
    case 'user': {
      const turn = await call.user(step.text, { spoken: step.spoken });
      const { said } = step.expected;
      if (said === undefined) return;
      const fits = typeof said === 'string' ? turn.said.includes(said) : said.test(turn.said);
      if (!fits) throw new Error(`the bot said ${JSON.stringify(turn.said)}, not ${String(said)}`);
      return;
    }
    case 'tool':
      return requireOutcome(await call.tool(step.tool, step.args), step.expected);
    case 'confirm':
      return requireOutcome(await call.confirm(), step.expected);
    case 'wait':
      return app.clock.advance(step.ms);
    case 'delay':
      return call.delay(step.ms);
    case 'refuseDials':
      return call.refuseDials(step.count);
    case 'duplicateNext':
      // A type that a voice server does not have is never sent, so it is never doubled either.
      return call.duplicateNext(step.type as ServerMessageType);
    case 'drop':
      return call.drop(step.type as ServerMessageType, step.count);
    case 'emit':
      return call.emit(step.event);
    default:
      return playSimple(step.verb, call);
  }
}

async function playSimple(verb: SimpleVerb, call: FakeCall): Promise<void> {
  if (verb === 'untilEnded') await call.ended;
  else await call[verb]();
}

function requireOutcome(outcome: ToolOutcome, { status, result }: StepExpectation): void {
  const found = `${outcome.status}: ${outcome.text}`;
  if (status !== undefined && outcome.status !== status) {
    throw new Error(`the tool ended with ${found}, not with ${status}`);
  }
  if (result !== undefined && !contains(outcome.value, result)) {
    throw new Error(`the tool ended with ${found}, which is not ${JSON.stringify(result)}`);
  }
}

/** Every member that is wanted is there and equal; others may be there too. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) {
    return canonicalJson(value) === canonicalJson(wanted);
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([key, member]) => contains(Reflect.get(value, key), member));
}

function verdictOf(expectation: ScenarioExpectation, call: FakeCall): expectations.Verdict {
  switch (expectation.what) {
    case 'said':
      return expectations.said(call, expectation.pattern);
    case 'calledTool':
      return expectations.calledTool(call, expectation.tool, expectation.args);
    case 'ranOnce':
      return expectations.ranOnce(call, expectation.tool, expectation.args);
    case 'confirmedBeforeRunning':
      return expectations.confirmedBeforeRunning(call, expectation.tool);
    case 'transferredWith':
      return expectations.transferredWith(call, expectation.pattern);
    case 'endedWith':
      return expectations.endedWith(call, expectation.reason);
    case 'neverLeaked':
      return expectations.neverLeaked(call, expectation.value);
    case 'noSilenceLongerThan':
      return expectations.noSilenceLongerThan(call, expectation.ms);
  }
}

/** The timeline is told apart; an expectation's message brings it along. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n\n')[0] ?? message;
}
