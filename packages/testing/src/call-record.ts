import type { Clock } from '@callwright/core';
import { Transcript } from './transcript';

/** One frame as it passed the wire. */
export interface WireFrame {
  /** Milliseconds since the call's start. */
  readonly atMs: number;
  readonly from: 'server' | 'agent';
  /** The message's type; `unreadable`, `raw` or `handshake` where it has none. */
  readonly type: string;
  readonly text: string;
}

const MAX_FRAMES = 20_000;
const MAX_VIOLATIONS = 1_000;

/** What was seen of a call. Lists stop growing at their limit: a test that reaches it has run away. */
export class CallRecord {
  readonly transcript: Transcript;
  readonly frames: WireFrame[] = [];
  /** What the agent sent that a voice server refuses, in words. */
  readonly violations: string[] = [];

  constructor(clock: Clock) {
    this.transcript = new Transcript(clock);
  }

  frame(from: WireFrame['from'], type: string, text: string): void {
    if (this.frames.length >= MAX_FRAMES) return;
    this.frames.push({ atMs: this.transcript.nowMs(), from, type, text });
  }

  broke(rule: string): void {
    if (this.violations.length < MAX_VIOLATIONS) this.violations.push(rule);
    this.transcript.note('refused', { reason: rule });
  }
}
