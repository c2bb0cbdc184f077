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
/** Calls that are resumed when their link was cut. */
const resumedShare = 0.4;
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
  /** Links of calls; some of them resumed a call. */
  readonly calls: number;
  readonly resumed: number;
  /** From a frame's text to its being dealt with, parsers and call. */
  readonly p50Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
}

const allParsers = [parseServerMessage, parseAgentMessage, parseSessionStart];

/** Feeds frames to the parsers and to live calls of an application, and watches the rules that hold whatever comes. */
export async function fuzzFrames(options: FrameFuzzOptions): Promise<FrameFuzzReport> {
  const { frames, seed, parsers = allParsers } = options;
  const fuzz = new FrameFuzz(seed, parsers);
  const takenUs = new Float64Array(frames);
  await fuzz.start();
  for (let at = 0; at < frames; at += 1) {
    takenUs[at] = fuzz.frame(at);
    if (at % framesPerTurn === 0) await fuzz.turn();
  }
  await fuzz.stop();
  const { violations, readable, sent, calls, resumed } = fuzz;
  const described = violations.slice(0, keptViolations);
  return {
    frames,
    seed,
    violations: violations.length,
    described,
    readable,
    sent,
    calls,
    resumed,
    ...percentiles(takenUs),
  };
}

class FrameFuzz {
  readonly violations: string[] = [];
  readable = 0;
  sent = 0;
  calls = 0;
  resumed = 0;
  readonly #random: Random;
  readonly #parsers: readonly ((text: string) => unknown)[];
  readonly #clock = new VirtualClock();
  readonly #open: FuzzedCall[] = [];
  #application: Application | undefined;

  constructor(seed: number, parsers: readonly ((text: string) => unknown)[]) {
    this.#random = new Random(seed);
    this.#parsers = parsers;
  }

  async start(): Promise<void> {
    this.#application = await openApplication(this.#clock, this.#report);
  }

  /** One frame, into the parsers and into the call whose turn it is. @returns the time that took, in microseconds. */
  frame(at: number): number {
    const text = anyFrame(this.#random);
    const beganMs = performance.now();
    for (const parse of this.#parsers) {
      const isRead = parsesOrRefuses(parse, text, this.#report);
      if (isRead && parse === this.#parsers[0]) this.readable += 1;
    }
    this.#open[at % openCalls]?.hear(text);
    return (performance.now() - beganMs) * 1_000;
  }

  /** Lets time pass; calls that are over, and a few more, make room. */
  async turn(): Promise<void> {
    await this.#clock.advance(this.#random.below(longestStepMs));
    for (let place = 0; place < openCalls; place += 1) {
      const call = this.#open[place];
      if (!call || call.isOver || this.#random.chance(replacedShare)) await this.#replace(place, call);
    }
  }

  async stop(): Promise<void> {
    for (const call of this.#open) this.sent += await call.finish();
    const application = this.#application;
    if (application === undefined) return;
    await this.#clock.runUntil(application.close());
    if (application.callCount > 0) this.#report(`${application.callCount} calls are left over`);
    const { pendingTimerCount } = this.#clock;
    if (pendingTimerCount > 0) this.#report(`${pendingTimerCount} timers are left over`);
  }

  async #replace(place: number, call: FuzzedCall | undefined): Promise<void> {
    const application = this.#application;
    if (application === undefined) return;
    if (call) this.sent += await call.finish();
    const isResumption = call?.canComeBack === true && this.#random.chance(resumedShare);
    const options = {
      application,
      random: this.#random,
      report: this.#report,
      clock: this.#clock,
      number: this.calls,
    };
    const next = isResumption ? await call.comeBack(this.calls) : await FuzzedCall.begin(options);
    this.#open[place] = next;
    await this.#clock.settle();
    this.calls += 1;
    if (isResumption && next.isAccepted) this.resumed += 1;
  }

  readonly #report = (what: string): void => {
    this.violations.push(what);
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
