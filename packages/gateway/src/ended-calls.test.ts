import { VirtualClock } from '../../testing/src/virtual-clock';
import { EndedCalls } from './ended-calls';
import type { LinkMemory, ResumptionRequest } from './resumption';

const memory: LinkMemory = {
  endpoint: '0/',
  sessionId: '1',
  agentName: 'luigi',
  carrierCallId: undefined,
  startedMs: 0,
  seenSeq: 10,
  seenMessageSeq: 10,
  seenStampMs: 9_000,
  isOpen: false,
};

const request: ResumptionRequest = {
  endpoint: '0/',
  readMs: 30_000,
  start: {
    type: 'session.start',
    protocol: 'brisvox.agent',
    versions: [1],
    session_id: '1',
    agent: 'luigi',
    capabilities: { transfer: false, tools: true },
    seq: 13,
    t_ms: 30_000,
    resume: { attempt: 1, previous_seq: 12, down_ms: 100 },
  },
};

test('an ended call is known for a minute', async () => {
  const clock = new VirtualClock();
  const ended = new EndedCalls(clock);
  expect(ended.areMeantBy(request)).toBe(false);
  ended.remember(memory);
  ended.remember({ ...memory, sessionId: '2' });
  await clock.advance(59_999);
  expect(ended.areMeantBy(request)).toBe(true);
  await clock.advance(1);
  expect(ended.areMeantBy(request)).toBe(false);
  expect(ended.size).toBe(0);
});

test('at most 1,024 are known; the oldest is forgotten first', () => {
  const ended = new EndedCalls(new VirtualClock());
  ended.remember(memory);
  for (let count = 1; count < 1_024; count += 1) ended.remember({ ...memory, sessionId: 'another' });
  expect(ended.areMeantBy(request)).toBe(true);
  ended.remember({ ...memory, sessionId: 'another' });
  expect(ended.areMeantBy(request)).toBe(false);
  expect(ended.size).toBe(1_024);
});
