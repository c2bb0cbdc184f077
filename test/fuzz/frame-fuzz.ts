import type { LogEntry } from '@callwright/core';
import { type Application, createApplication } from '@callwright/gateway';
import {
  ProtocolError,
  parseAgentMessage,
  parseServerMessage,
  parseSessionStart,
} from '@callwright/protocol';
import { VirtualClock } from '@callwright/testing';
import { anyFrame } from './frames';
import { FuzzedModule } from './fuzzed-agent';
import { FuzzedCall } from './fuzzed-call';
import { Random } from './random';

/** Frames between two turns of the loop, in which promises, timers and closed links get their time. */
const framesPerTurn = 128;
const openCalls = 8;
/** Calls that make room for a new one, in each turn. */
const replacedShare = 0.04;
const longestStepMs = 700;
const logLinesOfOurFaults = ['a message could not be handled', 'a frame could not be parsed'];
const keptViolations = 20;

export interface FrameFuzzOptions {
  readonly frames: number;
  readonly seed: number;
  /** What reads a frame, and may throw nothing but a ProtocolError. @default the parsers of the protocol */
  readonly parsers?: readonly ((text: string) => unknown)[];
}

export interface FrameFuzzReport {
  readonly frames: number;
  readonly seed: number;
  /** How many rules were broken; the first ones are described. */
  readonly violations: number;
  readonly described: readonly string[];
  /** Frames that the parser of voice servers' messages read; the rest it refused. */
  readonly readable: number;
  /** Messages that the calls sent. */
  readonly sent: number;
  readonly calls: number;
  /** From a frame's text to its being dealt with, parsers and call. */
  readonly p50Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
}

const allParsers = [parseServerMessage, parseAgentMessage, parseSessionStart];

/** Feeds frames to the parsers and to live calls of an application, and watches the rules that hold whatever comes. */
export async function fuzzFrames(options: FrameFuzzOptions): Promise<FrameFuzzReport> {
  const { frames, seed, parsers = allParsers } = options;
  const random = new Random(seed);
  const violations: string[] = [];
  const report = (what: string): void => void violations.push(what);
  const clock = new VirtualClock();
  const application = await openApplication(clock, report);
  const calls: FuzzedCall[] = [];
  const takenUs = new Float64Array(frames);
  let readable = 0;
  let callCount = 0;
  let sent = 0;
  for (let at = 0; at < frames; at += 1) {
    const text = anyFrame(random);
    const beganMs = performance.now();
    for (const parse of parsers)
      if (parsesOrRefuses(parse, text, report) && parse === parsers[0]) readable += 1;
    calls[at % openCalls]?.hear(text);
    takenUs[at] = (performance.now() - beganMs) * 1_000;
    if (at % framesPerTurn !== 0) continue;
    await clock.advance(random.below(longestStepMs));
    for (let place = 0; place < openCalls; place += 1) {
      const call = calls[place];
      if (call && !call.isOver && !random.chance(replacedShare)) continue;
      if (call) sent += await call.finish(clock);
      calls[place] = await FuzzedCall.begin({ application, random, report, number: callCount });
      callCount += 1;
    }
  }
  for (const call of calls) sent += await call.finish(clock);
  await clock.runUntil(application.close());
  if (application.callCount > 0) report(`${application.callCount} calls are left over`);
  if (clock.pendingTimerCount > 0) report(`${clock.pendingTimerCount} timers are left over`);
  return {
    frames,
    seed,
    violations: violations.length,
    described: violations.slice(0, keptViolations),
    readable,
    sent,
    calls: callCount,
    ...percentiles(takenUs),
  };
}

function openApplication(clock: VirtualClock, report: (what: string) => void): Promise<Application> {
  const write = ({ message, fields }: LogEntry): void => {
    if (logLinesOfOurFaults.includes(message)) report(`${message}: ${JSON.stringify(fields)}`);
  };
  return createApplication(FuzzedModule, { clock, log: { level: 'debug', sink: { write } } });
}

/** @returns whether the text was read. */
function parsesOrRefuses(
  parse: (text: string) => unknown,
  text: string,
  report: (what: string) => void,
): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (!(error instanceof ProtocolError)) {
      report(
        `${parse.name} threw ${error instanceof Error ? error.stack : typeof error} on ${JSON.stringify(text.slice(0, 300))}`,
      );
    }
    return false;
  }
}

function percentiles(takenUs: Float64Array): { p50Us: number; p99Us: number; maxUs: number } {
  const sorted = takenUs.slice().sort();
  const at = (share: number): number =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10;
  return { p50Us: at(0.5), p99Us: at(0.99), maxUs: at(1) };
}
