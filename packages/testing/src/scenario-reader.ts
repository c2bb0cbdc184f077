import type { DialogueEvent } from './bot-voice';
import type { TransferPattern } from './expectations';
import type { FakeCallOptions } from './fake-voice-server';
import type { JsonObject } from './recording';
import type { Scenario, ScenarioExpectation, ScenarioStep, SimpleVerb, StepExpectation } from './scenario';
import { readBrain } from './scenario-brain';
import { ScenarioValues } from './scenario-values';

const MEMBERS = ['name', 'call', 'transfer', 'speechMsPerCharacter', 'rules', 'script', 'steps', 'expect'];
const CALL_MEMBERS = ['agent', 'from', 'to', 'carrier', 'carrierCallId', 'piiRedacted'];
const CARRIERS = ['twilio', 'telnyx', 'sip'] as const;
const TRANSFERS = ['ok', 'rejected', 'unavailable', 'outcome_unknown', 'unsupported', 'none'] as const;
const SIMPLE_VERBS: readonly SimpleVerb[] = [
  'interrupt',
  'untilSilent',
  'cut',
  'halfOpen',
  'silence',
  'resume',
  'hangUp',
  'untilEnded',
];
const VERBS = [
  'user',
  'tool',
  'confirm',
  ...SIMPLE_VERBS,
  'wait',
  'delay',
  'refuseDials',
  'duplicateNext',
  'drop',
  'emit',
];
const EXPECTATIONS = [
  'said',
  'calledTool',
  'ranOnce',
  'confirmedBeforeRunning',
  'transferredWith',
  'endedWith',
  'neverLeaked',
  'noSilenceLongerThan',
];
const TRANSFER_MEMBERS = ['destination', 'mode', 'summary', 'reason'];
const MODES = ['cold', 'warm'] as const;
const MAX_STEPS = 1_000;

/** Reads a scenario out of a parsed document, and says what is wrong with it and where. */
export class ScenarioReader {
  readonly #name: string;
  readonly #values: ScenarioValues;

  constructor(name: string) {
    this.#name = name;
    this.#values = new ScenarioValues(name);
  }

  /** @throws TestingError `CW_SCENARIO_INVALID` */
  scenario(document: unknown): Scenario {
    const values = this.#values;
    const root = values.object(document, 'the file', MEMBERS);
    const { speechMsPerCharacter, transfer } = root;
    const steps = values.list(root.steps, 'steps');
    if (steps.length > MAX_STEPS) values.fail('steps', `there are more than ${MAX_STEPS}`);
    return {
      name: values.optionalText(root.name, 'name') ?? this.#name,
      call: this.#call(root.call ?? {}),
      transfer: transfer === undefined ? undefined : values.choice(transfer, 'transfer', TRANSFERS),
      speechMsPerCharacter:
        speechMsPerCharacter === undefined
          ? undefined
          : values.count(speechMsPerCharacter, 'speechMsPerCharacter'),
      brain: readBrain(values, root),
      steps: steps.map((step, index) => this.#step(step, `steps[${index}]`)),
      expected: this.#expectations(root.expect ?? {}),
    };
  }

  #call(value: unknown): FakeCallOptions {
    const values = this.#values;
    const call = values.object(value, 'call', CALL_MEMBERS);
    return {
      agent: values.optionalText(call.agent, 'call.agent'),
      from: values.optionalText(call.from, 'call.from'),
      to: values.optionalText(call.to, 'call.to'),
      carrier: call.carrier === undefined ? undefined : values.choice(call.carrier, 'call.carrier', CARRIERS),
      carrierCallId: values.optionalText(call.carrierCallId, 'call.carrierCallId'),
      piiRedacted: values.flag(call.piiRedacted, 'call.piiRedacted'),
    };
  }

  #step(value: unknown, where: string): ScenarioStep {
    const values = this.#values;
    if (typeof value === 'string') {
      const verb = values.choice(value, where, [...SIMPLE_VERBS, 'confirm'] as const);
      return verb === 'confirm' ? { verb, expected: {} } : { verb };
    }
    const step = values.object(value, where);
    const verb = Object.keys(step).find((key) => VERBS.includes(key));
    if (verb === undefined) {
      return values.fail(where, `it has none of the verbs ${VERBS.join(', ')}`);
    }
    return this.#stepOf(verb, step, where);
  }

  #stepOf(verb: string, step: JsonObject, where: string): ScenarioStep {
    const values = this.#values;
    const at = `${where}.${verb}`;
    const argument = step[verb];
    switch (verb) {
      case 'user': {
        values.object(step, where, ['user', 'spoken', 'said']);
        const spoken = values.flag(step.spoken, `${where}.spoken`);
        return { verb, text: values.text(argument, at), spoken, expected: this.#expected(step, where) };
      }
      case 'tool': {
        values.object(step, where, ['tool', 'args', 'status', 'result']);
        const args = values.object(step.args ?? {}, `${where}.args`);
        return { verb, tool: values.text(argument, at), args, expected: this.#expected(step, where) };
      }
      case 'confirm':
        values.object(step, where, ['confirm', 'status', 'result']);
        return { verb, expected: this.#expected(step, where) };
      case 'drop':
        values.object(step, where, ['drop', 'count']);
        return {
          verb,
          type: values.text(argument, at),
          count: values.count(step.count ?? 1, `${where}.count`),
        };
      default:
        values.object(step, where, [verb]);
        return this.#plainStep(verb, argument, at);
    }
  }

  #plainStep(verb: string, argument: unknown, where: string): ScenarioStep {
    const values = this.#values;
    switch (verb) {
      case 'wait':
      case 'delay':
        return { verb, ms: values.time(argument, where) };
      case 'refuseDials':
        return { verb, count: values.count(argument, where) };
      case 'duplicateNext':
        return { verb, type: values.text(argument, where) };
      case 'emit': {
        const event = values.object(argument, where);
        values.text(event.type, `${where}.type`);
        // What the fake cannot send, it refuses itself.
        return { verb, event: event as unknown as DialogueEvent };
      }
      default:
        if (argument !== null && argument !== true) values.fail(where, 'nothing is said with this verb');
        return { verb: values.choice(verb, where, SIMPLE_VERBS) };
    }
  }

  #expected(step: JsonObject, where: string): StepExpectation {
    const values = this.#values;
    return {
      said: step.said === undefined ? undefined : values.pattern(step.said, `${where}.said`),
      status: values.optionalText(step.status, `${where}.status`),
      result: step.result,
    };
  }

  #expectations(value: unknown): readonly ScenarioExpectation[] {
    const expected = this.#values.object(value, 'expect', EXPECTATIONS);
    return Object.entries(expected).flatMap(([what, given]) =>
      this.#values.listOrOne(given).flatMap((item) => this.#expectation(what, item, `expect.${what}`)),
    );
  }

  #expectation(what: string, item: unknown, where: string): ScenarioExpectation | ScenarioExpectation[] {
    const values = this.#values;
    switch (what) {
      case 'calledTool':
      case 'ranOnce':
        return this.#tools(item, where).map(([tool, args]) => ({ what, tool, args }));
      case 'confirmedBeforeRunning':
        return { what, tool: values.text(item, where) };
      case 'transferredWith':
        return { what, pattern: this.#transfer(item, where) };
      case 'endedWith':
        return { what, reason: values.text(item, where) };
      case 'neverLeaked':
        return { what, value: values.text(item, where) };
      case 'noSilenceLongerThan':
        return { what, ms: values.time(item, where) };
      default:
        return { what: 'said', pattern: values.pattern(item, where) };
    }
  }

  /** `bookTable`, or `{ bookTable: { guests: 2 }, … }`. */
  #tools(item: unknown, where: string): readonly (readonly [string, JsonObject])[] {
    if (typeof item === 'string') return [[item, {}]];
    return Object.entries(this.#values.object(item, where)).map(([tool, args]) => [
      tool,
      this.#values.object(args ?? {}, `${where}.${tool}`),
    ]);
  }

  #transfer(item: unknown, where: string): TransferPattern {
    const values = this.#values;
    const { destination, mode, summary, reason } = values.object(item, where, TRANSFER_MEMBERS);
    return {
      ...(destination !== undefined && { destination: values.text(destination, `${where}.destination`) }),
      ...(mode !== undefined && { mode: values.choice(mode, `${where}.mode`, MODES) }),
      ...(summary !== undefined && { summary: values.pattern(summary, `${where}.summary`) }),
      ...(reason !== undefined && { reason: values.pattern(reason, `${where}.reason`) }),
    };
  }
}
