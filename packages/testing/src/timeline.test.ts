import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callMatchers } from './call-matchers';
import type { ObservedCall } from './expectations';
import { matchesTimeline, timelineOf } from './timeline';

const call = (said: string): ObservedCall => ({
  transcript: [
    { kind: 'user', atMs: 12, text: 'Hello', epoch: 1 },
    { kind: 'end', atMs: 40, reason: said },
  ] as unknown as ObservedCall['transcript'],
  frames: [],
  endReason: undefined,
});

let folder: string;
const { CI } = process.env;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'timeline-'));
  delete process.env.CI;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  if (CI !== undefined) process.env.CI = CI;
});

describe('a timeline', () => {
  it('has an entry a line, with times only if asked for', () => {
    expect(timelineOf(call('call_ended'))).toBe('caller   Hello\nend      call_ended\n');
    expect(timelineOf(call('call_ended'), { times: true })).toMatch(/^ +12 ms {2}caller {3}Hello\n +40 ms/);
  });

  it('is written when it is missing, and holds from then on', () => {
    const file = join(folder, 'calls', 'a.txt');
    expect(matchesTimeline(call('call_ended'), file).holds).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(timelineOf(call('call_ended')));
    expect(matchesTimeline(call('call_ended'), file).holds).toBe(true);
  });

  it('that differs is explained by its first line, and accepted on request', () => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, timelineOf(call('call_ended')));
    const verdict = matchesTimeline(call('ended_by_agent'), file);
    expect(verdict.holds).toBe(false);
    expect(verdict.explain()).toContain('from line 2 on');
    expect(verdict.explain()).toContain('- end      call_ended\n+ end      ended_by_agent');
    expect(callMatchers.toMatchTimeline(call('ended_by_agent'), file).pass).toBe(false);
    expect(matchesTimeline(call('ended_by_agent'), file, { update: true }).holds).toBe(true);
    expect(matchesTimeline(call('ended_by_agent'), file).holds).toBe(true);
  });

  it('is not written where CI is set', () => {
    process.env.CI = 'true';
    expect(matchesTimeline(call('call_ended'), join(folder, 'a.txt')).holds).toBe(false);
  });
});
