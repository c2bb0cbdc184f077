import { Tool, VoiceAgent } from '@callwright/core';
import fc from 'fast-check';
import { parseRecording, parseScenario, type Recording, replay, runScenario, Test, TestingError } from '.';

@VoiceAgent({ name: 'desk', greeting: 'Hello!', resume: true })
class DeskAgent {
  @Tool('The hours.')
  hours(): string {
    return 'six';
  }
}
const desk = Test.createTestingModule({ agents: [DeskAgent] });

/** What a file of the kind may hold, in the wrong places. */
const scalar = fc.oneof(
  fc.constantFrom('hello', '/he/', '/(/', 'hours', '2s', 'cut', 'hangUp', 'user', 'ok', '$1', ''),
  fc.integer({ min: -5, max: 5_000 }),
  fc.boolean(),
  fc.constant(null),
);
const members = ['name', 'call', 'transfer', 'rules', 'script', 'steps', 'expect', 'when', 'say', 'confirm'];
const verbs = [
  'user',
  'tool',
  'args',
  'said',
  'wait',
  'drop',
  'emit',
  'type',
  'endedWith',
  'calledTool',
  'from',
];
const { document } = fc.letrec((tie) => ({
  document: fc.oneof({ maxDepth: 4 }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('document'), { maxLength: 4 }),
  object: fc.dictionary(fc.constantFrom(...members, ...verbs), tie('document'), { maxKeys: 5 }),
}));

function onlyTestingErrors(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof TestingError)) throw error;
  }
}

describe('whatever stands in a file', () => {
  it('is a scenario, or is refused as one', () => {
    fc.assert(
      fc.property(fc.oneof(document, fc.string(), fc.json()), (content) => {
        onlyTestingErrors(() =>
          parseScenario(typeof content === 'string' ? content : JSON.stringify(content), 'x'),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is played to an end, if it is a scenario', async () => {
    const step = fc.constantFrom<unknown>(
      'cut',
      'resume',
      'interrupt',
      'silence',
      'halfOpen',
      'untilSilent',
      'hangUp',
      'confirm',
      { user: 'hello' },
      { tool: 'hours', result: 'six' },
      { tool: 'none' },
      { wait: '20s' },
      { refuseDials: 9 },
      { delay: 30 },
      { drop: 'tool.call' },
      { duplicateNext: 'tool.call' },
      { emit: { type: 'user.text', epoch: 1, text: 'x' } },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const text = JSON.stringify({ rules: [{ when: '/./', say: 'Yes.' }], steps });
        const { failure } = await runScenario(parseScenario(text, 'x'), desk);
        expect(failure?.message ?? '').not.toMatch(/TypeError|undefined|CW_CLOCK/);
      }),
      { numRuns: 60 },
    );
  });

  it('is a recording, or is refused as one', () => {
    const head = '{"recording":1,"callId":"x","agent":"y","startedAt":"2026-01-01T00:00:00.000Z"}\n';
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 4 }),
        fc.boolean(),
        (lines, hasHead) => {
          onlyTestingErrors(() => parseRecording((hasHead ? head : '') + lines.join('\n')));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is replayed to an end, if it is a recording', async () => {
    const start = { type: 'session.start', seq: 1, t_ms: 0, protocol: 'brisvox.agent', versions: [1] };
    const whole = { ...start, session_id: '1', agent: 'desk', capabilities: { transfer: true, tools: true } };
    const frame = fc.constantFrom<Record<string, unknown> & { type: string }>(
      start,
      whole,
      { type: 'tool.call', id: 1, name: 'hours' },
      {
        ...{ type: 'tool.call', seq: 2, t_ms: 0, id: 1, call_id: 't1.0', name: 'hours', arguments: {} },
        epoch: 1,
      },
      { type: 'tool.result', id: 1, result: 'six' },
      { type: 'say', id: 'c1', text: 'Hello' },
      { type: 'command.result', id: 'c1', ok: true },
      { type: 'session.end' },
      { type: 'nothing' },
    );
    const entry = fc.oneof(
      fc
        .tuple(fc.nat(30_000), fc.constantFrom('server' as const, 'agent' as const), frame)
        .map(([atMs, from, each]) => ({ kind: 'frame', atMs, from, frame: each }) as const),
      fc.nat(30_000).map((atMs) => ({ kind: 'link', atMs, link: 'lost' }) as const),
      fc.nat(30_000).map((atMs) => ({ kind: 'end', atMs, reason: 'call_ended' }) as const),
      fc.nat(30_000).map((atMs) => ({ kind: 'cut', atMs, reason: 'long' }) as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), fc.boolean(), async (entries, begins) => {
        const first = { kind: 'frame', atMs: 0, from: 'server', frame: whole } as const;
        const recording: Recording = {
          callId: 'x',
          agent: 'desk',
          startedAt: '2026-01-01T00:00:00.000Z',
          entries: begins ? [first, ...entries] : entries,
        };
        await replay(recording, desk);
      }),
      { numRuns: 60 },
    );
  });
});
