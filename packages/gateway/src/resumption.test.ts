import type { SessionStartMessage } from '@callwright/protocol';
import fc from 'fast-check';
import {
  AGE_TOLERANCE_MS,
  findResumed,
  type LinkMemory,
  type ResumptionRequest,
  resumes,
} from './resumption';

const memory: LinkMemory = {
  endpoint: '/ token-a',
  sessionId: '1',
  agentName: 'luigi',
  carrierCallId: 'CA1',
  startedMs: 1_000,
  seenSeq: 10,
  seenMessageSeq: 10,
  seenStampMs: 20_000,
  isOpen: false,
};

function request(
  start: Partial<SessionStartMessage> = {},
  resume: Partial<ResumptionRequest['start']['resume']> = {},
  more: Partial<Omit<ResumptionRequest, 'start'>> = {},
): ResumptionRequest {
  return {
    endpoint: '/ token-a',
    readMs: 26_000,
    ...more,
    start: {
      type: 'session.start',
      protocol: 'brisvox.agent',
      versions: [1],
      session_id: '1',
      agent: 'luigi',
      capabilities: { transfer: false, tools: true },
      seq: 12,
      t_ms: 25_000,
      call: { carrier: 'sip', carrier_call_id: 'CA1', pii_redacted: false },
      ...start,
      resume: { attempt: 1, previous_seq: 11, down_ms: 4_000, ...resume },
    },
  };
}

describe('a resuming start', () => {
  it('is taken by the call it belongs to', () => {
    expect(resumes(request(), memory)).toBe(true);
  });

  it.each<[string, ResumptionRequest, Partial<LinkMemory>]>([
    ['another endpoint', request({}, {}, { endpoint: '/ token-b' }), {}],
    ['another session id', request({ session_id: '2' }), {}],
    ['another agent', request({ agent: 'mario' }), {}],
    ['another call of the carrier', request(), { carrierCallId: 'CA2' }],
    ['a caller where there was none', request(), { carrierCallId: undefined }],
    ['no caller where there was one', request({ call: undefined }), {}],
    ['a number already read', request({ seq: 10 }, { previous_seq: 9 }), {}],
    ['a number before one that was read', request({ seq: 12 }, { previous_seq: 9, attempt: 3 }), {}],
    ['more numbers than attempts', request({ seq: 14 }, { previous_seq: 11, attempt: 2 }), {}],
    ['no number of its own', request({ seq: 11 }, { previous_seq: 11 }), {}],
    ['a call that is too old', request({ t_ms: 25_000 + AGE_TOLERANCE_MS + 1 }), {}],
    ['a call that is too young', request({ t_ms: 25_000 - AGE_TOLERANCE_MS - 1 }), {}],
    ['an open link that spoke after the loss', request(), { isOpen: true, seenStampMs: 21_011 }],
  ])('is not taken with %s', (_name, asked, changed) => {
    expect(resumes(asked, { ...memory, ...changed })).toBe(false);
  });

  it.each<[string, ResumptionRequest, Partial<LinkMemory>]>([
    ['the tolerated age', request({ t_ms: 25_000 + AGE_TOLERANCE_MS }), {}],
    ['burned numbers of all attempts', request({ seq: 14 }, { previous_seq: 11, attempt: 3 }), {}],
    [
      'a late accept that burned a number',
      request({ seq: 13 }, { previous_seq: 11, attempt: 2 }),
      { seenSeq: 12 },
    ],
    ['an open link that was silent since', request(), { isOpen: true, seenStampMs: 21_010 }],
    ['no caller on either side', request({ call: undefined }), { carrierCallId: undefined }],
  ])('is taken with %s', (_name, asked, changed) => {
    expect(resumes(asked, { ...memory, ...changed })).toBe(true);
  });

  it('is taken by nobody when several fit', () => {
    const calls = [{ memory }, { memory: { ...memory } }, { memory: { ...memory, sessionId: '9' } }];
    expect(findResumed(request(), calls)).toBe('several');
    expect(findResumed(request(), calls.slice(1))).toBe(calls[1]);
    expect(findResumed(request(), calls.slice(2))).toBe('none');
  });

  it('of a server that follows its rules is always taken by its own call', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.nat(5),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(15_000),
        fc.integer({ min: -AGE_TOLERANCE_MS, max: AGE_TOLERANCE_MS }),
        fc.boolean(),
        (read, inFlight, attempts, downMs, drift, isOpen) => {
          const previousSeq = read + 1 + inFlight;
          const stampMs = 100_000;
          const asked = request(
            { seq: previousSeq + attempts, t_ms: stampMs + downMs },
            { attempt: attempts, previous_seq: previousSeq, down_ms: downMs },
            { readMs: 1_000 + stampMs + downMs + drift },
          );
          const seen = { seenSeq: read + 1, seenMessageSeq: read + 1, seenStampMs: stampMs, isOpen };
          expect(resumes(asked, { ...memory, ...seen })).toBe(true);
        },
      ),
    );
  });
});
