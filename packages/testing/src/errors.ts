/** Details of a misuse of the test kit, by code: what is wrong, where, why, and how to mend it. */
export const testingErrors = {
  CW_CLOCK_DELAY_INVALID: (details: { method: string; ms: number }) =>
    `VirtualClock.${details.method}() got ${details.ms} ms.\nTime runs forward only: give a finite number of milliseconds, 0 or more.`,
  CW_CLOCK_ENDLESS: (details: { method: string; timers: number }) =>
    `VirtualClock.${details.method}() ran ${details.timers} timers and more are waiting.\nA timer that always sets the next one never runs out (a ping, an interval).\nUse advance(ms) with the time that the test is about, or cancel the timer first.`,
  CW_CLOCK_STUCK: (details: { nowMs: number }) =>
    `VirtualClock.runUntil() waits for a promise, and no timer is left that could settle it (clock at ${details.nowMs} ms).\nWhat the promise waits for does not use this clock, or it never comes.\nGive every part of the test the same clock, or settle the promise by hand.`,
  CW_BRAIN_NO_MATCH: (details: { text: string; rules: number; nearest: string | undefined }) =>
    `No rule matches what the user said: ${JSON.stringify(details.text)} (${details.rules} rules).\n${
      details.nearest === undefined ? 'There are no rules.' : `The nearest rule is when(${details.nearest}).`
    }\nAdd a rule, or change the words; a last rule when(/./) takes everything.`,
  CW_BRAIN_OUT_OF_SCRIPT: (details: {
    text: string;
    position: number;
    steps: number;
    expected: string | undefined;
  }) =>
    `The user said ${JSON.stringify(details.text)} at step ${details.position} of ${details.steps}.\n${
      details.expected === undefined
        ? 'The script has no more steps.'
        : `The script expects ${details.expected} here.`
    }\nA script has one step per user turn, in order; use rules([...]) where the order does not matter.`,
  CW_BRAIN_STEP_SILENT: (details: { step: string }) =>
    `The step when(${details.step}) does not end with a line.\nA bot that answers nothing would hide mistakes: end the step with .say('...').`,
  CW_BRAIN_SILENT: (details: { text: string }) =>
    `The brain answered ${JSON.stringify(details.text)} with neither words nor tools.\nA reply has \`say\`, \`calls\`, or both; throw an error where the brain does not know what to do.`,
  CW_BRAIN_ENDLESS_ROUNDS: (details: { rounds: number }) =>
    `The brain asked for tools in ${details.rounds} rounds of one turn, and again.\nA voice server allows 6 rounds of tools a turn and then refuses to run them.\nEnd the turn with words.`,
  CW_BRAIN_NOTHING_TO_CONFIRM: (details: { step: string }) =>
    `${details.step} confirms, and no tool call waits for the user's yes.\nA call waits after the model asked for a tool that declares \`confirm\`; a barge-in clears it, and so do 120 s.`,
  CW_CALL_OVER: (details: { reason: string }) =>
    `The call has ended (${details.reason}).\nMake another one with server.call().`,
  CW_CALL_NOTHING_TO_INTERRUPT: () =>
    `There is nothing to interrupt: the bot neither answers nor speaks.\nWith speechMsPerCharacter 0 (the default) speech takes no time; set it, and do not await call.user() before.`,
  CW_CALL_WAITED: (details: { timeoutMs: number }) =>
    `Nothing of the kind happened in ${details.timeoutMs} ms.\nThe call so far is below; on a virtual clock, time passes only when the test moves it.`,
  CW_FRAME_REFUSED: (details: { reason: string }) =>
    `The agent sent what a voice server refuses: ${details.reason}.\nMend the agent; or give the server \`strict: false\` to see how the call goes on.`,
  CW_CALL_NEEDS_VIRTUAL_CLOCK: () =>
    `FakeVoiceServer has movesClock: true, and its clock is no VirtualClock.\nOnly a virtual clock can be moved: give one as \`clock\`, to the agent too, or leave movesClock out.`,
  CW_RECORDING_UNREADABLE: (details: { name: string; line: number; reason: string }) =>
    `${details.name} is no recording of a call (line ${details.line}): ${details.reason}.\nGive a file that the application's option \`record\` wrote, unchanged; another version of Callwright may have written it.`,
  CW_SCENARIO_INVALID: (details: { name: string; where: string; reason: string }) =>
    `The scenario ${details.name} cannot be played, because of ${details.where}: ${details.reason}.\nThe guide on testing lists what a scenario may have.`,
  CW_SCENARIO_NEEDS_YAML: () =>
    `Scenario files need the package yaml, which is not installed.\nInstall it: npm install --save-dev yaml`,
  CW_LLM_UNREACHABLE: (details: { reason: string }) =>
    `The language model gave no answer: ${details.reason}.\nCheck that the server runs and that \`url\`, \`model\` and \`apiKey\` of llm() are right.`,
  CW_LLM_UNUSABLE: (details: { reason: string }) =>
    `The language model's answer cannot be used: ${details.reason}.\nThe server must be OpenAI-compatible (chat completions); a small model may write bad tool calls.`,
  CW_EXPECTATION_FAILED: (details: { what: string }) => details.what,
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
