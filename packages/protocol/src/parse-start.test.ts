import { serverExamples } from './examples.test-support';
import { parseSessionStart } from './parse-start';

const { resume, call, ...plain } = serverExamples['session.start'] as unknown as Record<string, unknown>;
const read = (change: Record<string, unknown>) => parseSessionStart(JSON.stringify({ ...plain, ...change }));

describe('the first message', () => {
  test('starts a call', () => {
    expect(read({})).toEqual({ outcome: 'start', start: { ...plain, resume: undefined, call: undefined } });
  });

  test('resumes a call, and says who calls', () => {
    expect(read({ resume, call })).toEqual({ outcome: 'start', start: serverExamples['session.start'] });
  });

  test.each(['', 'x', '[]', '{}', '{"type":5}'])('is unreadable as %j', (text) => {
    expect(parseSessionStart(text)).toMatchObject({ outcome: 'unreadable', error: { code: 'bad_message' } });
  });

  test('of another type is told apart', () => {
    expect(parseSessionStart('{"type":"say","text":"x"}')).toEqual({
      outcome: 'other_type',
      wire_type: 'say',
    });
    expect(parseSessionStart(`{"type":"${'é'.repeat(40)}"}`)).toEqual({
      outcome: 'other_type',
      wire_type: 'é'.repeat(32),
    });
  });

  test('of another protocol is told apart, whatever the rest looks like', () => {
    expect(parseSessionStart('{"type":"session.start","protocol":"other"}')).toEqual({
      outcome: 'other_protocol',
    });
    expect(read({ protocol: '' })).toEqual({ outcome: 'other_protocol' });
    expect(read({ protocol: 5 })).toMatchObject({ outcome: 'unreadable' });
  });

  test.each([
    ['seq', undefined],
    ['seq', true],
    ['seq', 1.5],
    ['t_ms', undefined],
    ['t_ms', '0'],
    ['versions', [1, '2']],
    ['versions', [true]],
    ['versions', {}],
    ['session_id', 1],
    ['agent', null],
  ])('is unreadable with %s %j', (name, value) => {
    expect(read({ [name as string]: value })).toMatchObject({ outcome: 'unreadable' });
  });

  test.each([
    null,
    5,
    'x',
    [],
    {},
    { attempt: 1, previous_seq: 2 },
    { attempt: '1', previous_seq: 2, down_ms: 3 },
  ])('is unreadable with the resumption %j, as it must not pass for a new call', (malformed) => {
    expect(read({ resume: malformed })).toMatchObject({ outcome: 'unreadable' });
  });

  test.each([
    null,
    5,
    [],
    {},
    { carrier: 'sip' },
    { carrier: 'sip', carrier_call_id: 5 },
    { carrier: 'sip', carrier_call_id: 'x', from: 5 },
    { carrier: 'sip', carrier_call_id: 'x', to: {} },
    { carrier: 'sip', carrier_call_id: 'x', pii_redacted: 'yes' },
  ])('has no caller where it is malformed: %j', (malformed) => {
    expect(read({ call: malformed })).toMatchObject({ outcome: 'start', start: { call: undefined } });
  });

  test('has a caller without numbers', () => {
    const redacted = { carrier: 'sip', carrier_call_id: 'x', from: null, pii_redacted: true };
    expect(read({ call: redacted })).toMatchObject({
      start: {
        call: { carrier: 'sip', carrier_call_id: 'x', from: undefined, to: undefined, pii_redacted: true },
      },
    });
    expect(read({ call: { carrier: 'sip', carrier_call_id: 'x' } })).toMatchObject({
      start: { call: { pii_redacted: false } },
    });
  });

  test.each([undefined, null, 5, {}, { transfer: 1, tools: 'yes' }])(
    'grants nothing with capabilities %j',
    (capabilities) => {
      expect(read({ capabilities })).toMatchObject({
        start: { capabilities: { transfer: false, tools: false } },
      });
    },
  );

  test('grants each capability by itself', () => {
    expect(read({ capabilities: { tools: true } })).toMatchObject({
      start: { capabilities: { transfer: false, tools: true } },
    });
  });

  test('may offer versions we do not speak, or none', () => {
    expect(read({ versions: [-1, 1] })).toMatchObject({ start: { versions: [-1, 1] } });
    expect(read({ versions: [2, 3.0] })).toMatchObject({ start: { versions: [2, 3] } });
    expect(read({ versions: [] })).toMatchObject({ outcome: 'start' });
  });
});
