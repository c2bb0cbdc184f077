import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arg, Call, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import {
  formatScenario,
  formatScenarios,
  junitReport,
  parseScenario,
  runScenario,
  runScenarios,
  type ScenarioResult,
  Test,
} from '.';

@VoiceAgent({ name: 'luigi', greeting: 'Hello!', resume: true })
class LuigiAgent {
  constructor(private readonly call: Call) {}

  @Tool({ description: 'Books a table.', kind: 'side_effect', confirm: true })
  bookTable(@Arg('guests', { type: 'integer' }) guests: number): unknown {
    return { table: 4, guests };
  }

  @Tool('Opening hours.')
  hours(@Arg('day') day: string): string {
    return `${day}: six to eleven`;
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    if (/bye/i.test(event.text)) await this.call.end({ say: 'Goodbye!' });
    if (/human/.test(event.text) && this.call.can('transfer')) {
      await this.call.transfer('+390655555555', { mode: 'warm', summary: 'wants a human' });
    }
  }
}

const luigi = Test.createTestingModule({ agents: [LuigiAgent] });

const BOOKING = `
name: A table for two
call: { from: '+390612345678', carrier: telnyx }
rules:
  - when: /table for (\\d+)/
    call: { bookTable: { guests: $1:number } }
    say: Shall I book for $1?
  - { when: /yes/, confirm: true, say: 'Booked, $result' }
  - { when: /hours/, together: [{ hours: { day: friday } }, { hours: { day: monday } }], say: 'On $result.' }
  - { when: /./, say: 'Goodbye, then.' }
steps:
  - untilSilent
  - user: a table for 2
    said: book for 2
  - user: yes please
    spoken: true
    said: /"table":4/
  - cut:
  - resume
  - wait: 2s
  - { user: 'your hours?', said: 'monday: six' }
  - tool: hours
    args: { day: sunday }
    status: ok
    result: 'sunday: six to eleven'
  - tool: bookTable
    args: { guests: 5 }
    status: confirmation_required
  - { confirm: true, result: { guests: 5 } }
  - user: bye
  - untilEnded
expect:
  said: [Hello!, /booked/i, Goodbye!]
  calledTool: { bookTable: { guests: 2 }, hours: { day: sunday } }
  ranOnce: { hours: { day: sunday } }
  confirmedBeforeRunning: bookTable
  endedWith: ended_by_agent
  neverLeaked: '+390612345678'
  noSilenceLongerThan: 2s
`;

async function failureOf(text: string): Promise<string> {
  const { failure } = await runScenario(parseScenario(text, 'test'), luigi);
  return failure === undefined ? '' : `${failure.where}: ${failure.message}`;
}

describe('a scenario', () => {
  it('is played with the verbs of a call, and checked with the expectations', async () => {
    const result = await runScenario(parseScenario(BOOKING, 'booking.yaml'), luigi);
    expect(result.failure).toBeUndefined();
    expect(result).toMatchObject({ name: 'A table for two', callMs: expect.any(Number) });
    expect(result.callMs).toBeGreaterThanOrEqual(2_000);
    expect(result.timeline).toContain('a table for 2');
  });

  it('knows transfers and the faults of the network', async () => {
    const text = `
transfer: unavailable
speechMsPerCharacter: 10
rules: [{ when: /./, say: One moment please. }]
steps:
  - untilSilent
  - { delay: 20ms }
  - { duplicateNext: user.text }
  - { drop: user.text, count: 1 }
  - { user: human }
  - { user: human }
  - { emit: { type: language.switched, from: it, to: en } }
  - { refuseDials: 1 }
  - silence
  - { wait: 1m }
  - hangUp
expect: { transferredWith: { destination: '+390655555555', mode: warm, summary: /human/ } }
`;
    expect(await failureOf(text)).toMatch(
      /^expect.transferredWith: CW_EXPECTATION_FAILED: transfers that succeeded: none/,
    );
    expect(await failureOf(text.replace('unavailable', 'ok'))).toBe('');
  });

  it.each([
    ['steps: [{ user: hello }]', 'step 1 (user): CW_BRAIN_NO_MATCH'],
    [
      'rules: [{ when: /./, say: Yes. }]\nsteps: [{ user: hello, said: No }]',
      'step 1 (user): the bot said "Yes.", not No',
    ],
    ['steps: [untilSilent, interrupt]', 'step 2 (interrupt): CW_CALL_NOTHING_TO_INTERRUPT'],
    ['steps: [{ tool: hours, args: { day: 5 }, status: ok }]', 'invalid_arguments'],
    ['steps: [{ tool: hours, args: { day: x }, result: y }]', 'which is not "y"'],
    ['steps: [confirm]', 'step 1 (confirm): CW_BRAIN_NOTHING_TO_CONFIRM'],
    ['steps: []\nexpect: { said: Ciao }', 'expect.said: CW_EXPECTATION_FAILED: the bot never said "Ciao"'],
    [
      'steps: []\nexpect: { endedWith: call_ended }',
      'expect.endedWith: CW_EXPECTATION_FAILED: the call has not ended',
    ],
  ])('fails at the step that is wrong: %s', async (text, failure) => {
    expect(await failureOf(text)).toContain(failure);
  });

  it('fails where there is no application to call', async () => {
    const nothing = Test.createTestingModule({});
    const result = await runScenario(parseScenario('steps: []', 'x'), nothing);
    expect(result.failure).toMatchObject({ where: 'the application' });
    expect(result.timeline).toBe('');
  });

  it.each([
    ['a: [', 'the file'],
    ['[]', 'the file: it is no mapping'],
    ['steps: {}', 'steps: it is no list'],
    ['step: []', 'there is no step (steps?)'],
    ['steps: [intrupt]', 'steps[0]: there is no intrupt (interrupt?)'],
    ['steps: [{ usr: hello }]', 'steps[0]: it has none of the verbs'],
    ['steps: [{ user: 5 }]', 'steps[0].user: it is no text; put it in quotes'],
    ['steps: [{ user: hello, sayed: x }]', 'steps[0]: there is no sayed (said?)'],
    ['steps: [{ wait: 2h }]', 'steps[0].wait: it is no time'],
    ['steps: [{ wait: 86400001 }]', 'steps[0].wait: it is no time'],
    ['steps: [{ refuseDials: 1001 }]', 'steps[0].refuseDials: it is no whole number'],
    ['steps: [{ cut: now }]', 'steps[0].cut: nothing is said'],
    ['steps: [{ emit: { text: x } }]', 'steps[0].emit.type'],
    ['steps: []\ncall: { from: +390612345678 }', 'call.from: it is no text'],
    ['steps: []\ncall: { carrier: sop }', 'there is no sop (twilio?)'],
    ['steps: []\nrules: [{ when: /(/, say: x }]', 'rules[0].when: it is no regular expression'],
    ['steps: []\nrules: [{ when: x }]', 'rules[0].say'],
    ['steps: []\nrules: [{ when: x, call: { a: 1, b: 2 }, say: y }]', 'rules[0].call[0]: it is not one tool'],
    ['steps: []\nrules: []\nscript: []', 'script: there are rules too'],
    ['steps: []\nexpect: { sad: x }', 'expect: there is no sad (said?)'],
    ['steps: []\nexpect: { transferredWith: { mode: hot } }', 'expect.transferredWith.mode'],
    [`steps: [${'cut,'.repeat(1_001)}]`, 'steps: there are more than 1000'],
    [`# ${'x'.repeat(1_048_576)}`, 'the file: it has more than 1048576 characters'],
  ])('that is written wrongly says where and why (%#)', (text, message) => {
    expect(() => parseScenario(text, 'wrong.yaml')).toThrow(message);
    expect(() => parseScenario(text, 'wrong.yaml')).toThrow('wrong.yaml');
  });

  it('at its limits is read', () => {
    const steps = Array.from({ length: 1_000 }, () => 'cut').join(',');
    const text = `steps: [${steps}, ]\nrules: [{ when: x, say: y }]\n# `;
    expect(parseScenario(text.padEnd(1_048_576, 'x'), 'x').steps).toHaveLength(1_000);
    expect(parseScenario('steps: [{ wait: 86400000 }, { wait: 1.5m }]', 'x').steps).toEqual([
      { verb: 'wait', ms: 86_400_000 },
      { verb: 'wait', ms: 90_000 },
    ]);
  });

  it('can have a script in place of rules', async () => {
    const script = "script: [{ when: hello, say: 'Yes.' }, { when: bye, say: 'Bye.' }]\n";
    expect(await failureOf(`${script}steps: [{ user: hello }, { user: bye, said: Bye }]`)).toBe('');
    expect(await failureOf(`${script}steps: [{ user: bye }]`)).toContain('CW_BRAIN_OUT_OF_SCRIPT');
  });
});

describe('a run of scenarios', () => {
  const scenarios = [
    parseScenario('steps: [hangUp]', 'good'),
    parseScenario('steps: [confirm]', 'bad <&> "one"'),
  ];

  it('tells each result as it comes, and counts', async () => {
    const heard: [string, number, number][] = [];
    const summary = await runScenarios(scenarios, luigi, {
      onResult: (result, done, total) => heard.push([result.name, done, total]),
    });
    expect(heard).toEqual([
      ['good', 1, 2],
      ['bad <&> "one"', 2, 2],
    ]);
    expect(summary).toMatchObject({ passed: 1, failed: 1 });
    const text = formatScenarios(summary);
    expect(text).toContain('ok    good (a call of 0.0 s)');
    expect(text).toContain('FAIL  bad <&> "one"\n      step 1 (confirm): CW_BRAIN_NOTHING_TO_CONFIRM');
    expect(text).toMatch(/\n {6} +0 ms {2}link/);
    expect(text).toMatch(/\n1 passed, 1 failed, in \d+\.\d s$/);
  });

  it('is reported in the XML of JUnit', () => {
    const failed: ScenarioResult = {
      name: 'bad <&> "one"\u0000',
      failure: { where: 'step 1', message: 'a < b\nand c' },
      durationMs: 1_234,
      callMs: 5,
      timeline: 'half \ud83d ]]>',
    };
    const passed = { ...failed, name: 'good', failure: undefined };
    const summary = { results: [passed, failed], passed: 1, failed: 1, durationMs: 2_468 };
    expect(junitReport(summary, 'mine')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="mine" tests="2" failures="1" time="2.468">
    <testcase classname="mine" name="good" time="1.234"/>
    <testcase classname="mine" name="bad &lt;&amp;&gt; &quot;one&quot;" time="1.234">
      <failure message="step 1: a &lt; b&#10;and c">step 1: a &lt; b&#10;and c&#10;&#10;half \ufffd ]]&gt;</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
    expect(formatScenario(passed)).toBe('ok    good (a call of 0.0 s)');
  });
});

describe('the guide', () => {
  it('has scenarios that can be read', () => {
    const page = readFileSync(join(__dirname, '../../../docs/guides/testing.md'), 'utf8');
    const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(1);
    for (const block of blocks) expect(parseScenario(block, 'the guide').steps.length).toBeGreaterThan(3);
  });
});
