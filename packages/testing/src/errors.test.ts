import { TestingError, type TestingErrorCode, testingErrors } from './errors';

const messages: Readonly<Record<TestingErrorCode, readonly string[]>> = {
  CW_CLOCK_DELAY_INVALID: [testingErrors.CW_CLOCK_DELAY_INVALID({ method: 'advance', ms: -1 })],
  CW_CLOCK_ENDLESS: [testingErrors.CW_CLOCK_ENDLESS({ method: 'runAll', timers: 100_000 })],
  CW_CLOCK_STUCK: [testingErrors.CW_CLOCK_STUCK({ nowMs: 3_000 })],
  CW_BRAIN_NO_MATCH: [
    testingErrors.CW_BRAIN_NO_MATCH({ text: 'Two seats?', rules: 1, nearest: '/book a table/' }),
    testingErrors.CW_BRAIN_NO_MATCH({ text: 'Two seats?', rules: 0, nearest: undefined }),
  ],
  CW_BRAIN_OUT_OF_SCRIPT: [
    testingErrors.CW_BRAIN_OUT_OF_SCRIPT({
      text: 'Hello',
      position: 2,
      steps: 3,
      expected: '"Good evening"',
    }),
    testingErrors.CW_BRAIN_OUT_OF_SCRIPT({ text: 'Hello', position: 4, steps: 3, expected: undefined }),
  ],
  CW_BRAIN_STEP_SILENT: [testingErrors.CW_BRAIN_STEP_SILENT({ step: '/hours/' })],
  CW_BRAIN_SILENT: [testingErrors.CW_BRAIN_SILENT({ text: 'Hello' })],
  CW_BRAIN_ENDLESS_ROUNDS: [testingErrors.CW_BRAIN_ENDLESS_ROUNDS({ rounds: 7 })],
  CW_BRAIN_NOTHING_TO_CONFIRM: [testingErrors.CW_BRAIN_NOTHING_TO_CONFIRM({ step: 'when(/yes/)' })],
  CW_CALL_OVER: [testingErrors.CW_CALL_OVER({ reason: 'call_ended' })],
  CW_CALL_NOTHING_TO_INTERRUPT: [testingErrors.CW_CALL_NOTHING_TO_INTERRUPT()],
  CW_CALL_WAITED: [testingErrors.CW_CALL_WAITED({ timeoutMs: 10_000 })],
  CW_FRAME_REFUSED: [testingErrors.CW_FRAME_REFUSED({ reason: 'a second tool.result for id 1' })],
  CW_CALL_NEEDS_VIRTUAL_CLOCK: [testingErrors.CW_CALL_NEEDS_VIRTUAL_CLOCK()],
  CW_RECORDING_UNREADABLE: [
    testingErrors.CW_RECORDING_UNREADABLE({ name: 'call.jsonl', line: 3, reason: 'it is no JSON object' }),
  ],
  CW_SCENARIO_INVALID: [
    testingErrors.CW_SCENARIO_INVALID({
      name: 'booking.yaml',
      where: 'steps[2].wait',
      reason: 'it is no time: 500ms, 2s, 1m, or a number of milliseconds, at most a day',
    }),
  ],
  CW_SCENARIO_NEEDS_YAML: [testingErrors.CW_SCENARIO_NEEDS_YAML()],
  CW_LLM_UNREACHABLE: [testingErrors.CW_LLM_UNREACHABLE({ reason: 'HTTP status 401' })],
  CW_LLM_UNUSABLE: [testingErrors.CW_LLM_UNUSABLE({ reason: 'it is no JSON' })],
  CW_EXPECTATION_FAILED: [testingErrors.CW_EXPECTATION_FAILED({ what: 'the bot never said "Goodbye!"' })],
};

const cases = Object.entries(messages).flatMap(([code, texts]) => texts.map((text) => [code, text] as const));

describe('the messages of the test kit', () => {
  it('are covered here, each code', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(testingErrors).sort());
  });

  it.each(cases)('%s says what, where, why and how to mend it, in six lines at most', (_code, text) => {
    expect(text.split('\n').length).toBeLessThanOrEqual(6);
    expect(text).toMatchSnapshot();
  });

  it('begin with their code', () => {
    expect(new TestingError('CW_CALL_OVER', 'The call has ended.').message).toBe(
      'CW_CALL_OVER: The call has ended.',
    );
  });
});
