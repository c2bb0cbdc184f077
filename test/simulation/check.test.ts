import { checkHistory } from './check';
import type { Entry, Frame, Happening } from './history';

/** A quiet call of one agent instance, with what a test puts into it; ten milliseconds apart. */
function historyOf(happenings: readonly Happening[], over: Partial<Happening> = {}): readonly Entry[] {
  const call = 'c1';
  const [wire, instance] = [1, 1];
  const whole: Happening[] = [
    { kind: 'dialled', call, wire },
    read({ type: 'session.start', seq: 1, t_ms: 0, session_id: '1', agent: 'keeper' }),
    { kind: 'built', instance, role: 'agent' },
    wrote({ type: 'session.accept', version: 1, greeting: 'i1' }),
    ...happenings,
    read({ type: 'session.end', reason: 'call_ended|c1' }),
    { kind: 'end began', instance, reason: 'call_ended|c1' },
    { kind: 'disposed', instance, role: 'agent' },
    { kind: 'closed', call, wire, by: 'peer' },
    { kind: 'over', timers: 0, calls: 0, listeners: 0, ...over } as Happening, // a test changes a count
  ];
  return whole.map((happening, index) => ({ ...happening, atMs: index * 10 }));
}

function read(frame: Frame): Happening {
  return { kind: 'read', call: 'c1', wire: 1, frame };
}

function wrote(frame: Frame): Happening {
  return { kind: 'wrote', call: 'c1', wire: 1, frame, text: JSON.stringify(frame) };
}

const event = (ordinal: number): Happening =>
  read({ type: 'user.text', epoch: 1, text: `c1|${ordinal}|note|0` });
const heard = (ordinal: number, tag = 'c1'): Happening => ({
  kind: 'heard',
  instance: 1,
  type: 'user.text',
  tag,
  ordinal,
  state: 'live',
});
const request = (what: string): Happening =>
  read({ type: 'tool.call', id: 1, name: 'look', kind: 'read_only', arguments: { what } } as Frame);
const result = (what: string): Happening => wrote({ type: 'tool.result', id: 1, result: { what } } as Frame);
const began: Happening = {
  kind: 'tool began',
  instance: 1,
  run: 1,
  tool: 'look',
  callId: 't1.1',
  key: 'k',
  args: { tag: 'c1', how: 'at once', ms: 1, what: 'w0' },
};
const settled: Happening = { kind: 'tool settled', instance: 1, run: 1 };
const pause: Happening = { kind: 'pinged', call: 'c1', wire: 1 };

test('a call that keeps every promise', () => {
  expect(checkHistory(historyOf([event(1), heard(1), event(2), heard(2)]))).toEqual([]);
});

test.each<[string, readonly Happening[]]>([
  ['events in order, once', [event(1), heard(1), heard(1)]],
  ['gaps are reported', [event(1), event(2), heard(2)]],
  ['no crossing', [event(1), heard(1, 'c2')]],
  ['own result', [request('w0'), result('w1')]],
  ['every call answered', [request('w0')]],
  ['answers do not wait', [request('w0'), began, settled, pause, result('w0')]],
  ['one start per id', [request('w0'), began, settled, began, settled]],
  ['results stay on their link', [result('w0')]],
  ['legal frames', [wrote({ type: 'say', text: ' ' } as Frame)]],
  ['promises settle', [{ kind: 'commanded', instance: 1, promise: 1, command: 'say' }]],
  ['the process survives', [{ kind: 'fault', what: 'unhandled rejection' }]],
])('names a broken promise: %s', (invariant, happenings) => {
  expect(checkHistory(historyOf(happenings)).map((one) => one.invariant)).toContain(invariant);
});

test('what is left at the end is a broken promise', () => {
  const [violation] = checkHistory(historyOf([], { timers: 1 }));
  expect(violation).toMatchObject({ invariant: 'nothing is left', what: '1 timers, 0 calls, 0 listeners' });
});
