import type { Application } from '@callwright/gateway';
import { parseAgentMessage } from '@callwright/protocol';
import type { VirtualClock } from '@callwright/testing';
import { DirectLink } from './direct-link';
import { frameOfGrammar, mutated } from './frames';
import type { Random } from './random';

/** No frame of the fuzzer has an id so high, but for one whose digits were doubled. */
const firstProbeId = 2 ** 40;
const damagedStarts = 0.2;
const heldFrames = 0.3;

export interface FuzzedCallOptions {
  readonly application: Application;
  readonly random: Random;
  readonly report: (what: string) => void;
  readonly clock: VirtualClock;
  readonly number: number;
}

/** What a voice server knows of a call when it comes back to it. */
interface Origin {
  readonly sessionId: string;
  readonly startedMs: number;
  /** The highest number that a frame may have had. */
  readonly lastSeq: number;
  /** How often each tool call was answered on earlier links. */
  readonly answers: Map<number, number>;
}

/** One link of one call, fed with frames; what comes back is checked when it is over. */
export class FuzzedCall {
  readonly #link: DirectLink;
  readonly #options: FuzzedCallOptions;
  readonly #origin: Origin;
  #lastSeq: number;
  #mayHaveEnded = false;

  private constructor(link: DirectLink, options: FuzzedCallOptions, origin: Origin) {
    this.#link = link;
    this.#options = options;
    this.#origin = origin;
    this.#lastSeq = origin.lastSeq;
  }

  /** Connects and starts a call; some starts are damaged, and in some frames come before the answer. */
  static async begin(options: FuzzedCallOptions): Promise<FuzzedCall> {
    const { application, random, clock, number } = options;
    const link = await DirectLink.dial(application);
    const isDamaged = random.chance(damagedStarts);
    const manner = random.chance(0.1) ? 'late' : random.chance(0.05) ? 'decline' : 'call';
    // What damage makes of a name must not be the name of another call.
    const sessionId = `${isDamaged ? 'damaged' : manner} ${number}`;
    const start = startText({ session_id: sessionId });
    link.hear(isDamaged ? mutated(random, start) : start);
    const startedMs = clock.nowMs();
    const call = new FuzzedCall(link, options, { sessionId, startedMs, lastSeq: 1, answers: new Map() });
    if (random.chance(heldFrames)) call.hear(frameOfGrammar(random));
    return call;
  }

  /** The server comes back to this call, whose link was cut; it may be told that there is no such call. */
  async comeBack(number: number): Promise<FuzzedCall> {
    const { application, clock } = this.#options;
    const { sessionId, startedMs } = this.#origin;
    const link = await DirectLink.dial(application);
    const seq = this.#lastSeq + 1;
    const resume = { attempt: 1, previous_seq: this.#lastSeq, down_ms: 0 };
    link.hear(startText({ session_id: sessionId, seq, t_ms: Math.round(clock.nowMs() - startedMs), resume }));
    return new FuzzedCall(link, { ...this.#options, number }, { ...this.#origin, lastSeq: seq });
  }

  /** Whether the server knows under which name the agent knows the call. */
  get canComeBack(): boolean {
    return !this.#origin.sessionId.startsWith('damaged');
  }

  /** Nothing reaches the call any more. */
  get isOver(): boolean {
    return !this.#link.isOpen || this.#mayHaveEnded;
  }

  hear(text: string): void {
    // An end that was damaged may be none: then the call is not asked at its end whether it still serves.
    if (text.includes('session.end')) this.#mayHaveEnded = true;
    const seq = Number(/"seq":(\d{1,15})\b/.exec(text)?.[1]);
    if (seq > this.#lastSeq) this.#lastSeq = seq;
    this.#link.hear(text);
  }

  /**
   * Asks whether the call still serves, looks at all that it said, and cuts its link.
   * @returns how many messages that were.
   */
  async finish(): Promise<number> {
    const { clock, number, report } = this.#options;
    const probeId = firstProbeId + number;
    const mustAnswer = this.#link.isOpen && !this.#mayHaveEnded && this.isAccepted;
    this.#lastSeq += 1;
    this.#link.hear(probeText(probeId, this.#lastSeq));
    await clock.settle();
    if (this.#readAnswers().get(probeId) !== 1 && mustAnswer) report(`call ${number} no longer answers`);
    this.#link.cut();
    await clock.settle();
    return this.#link.sent.length;
  }

  get isAccepted(): boolean {
    return this.#link.sent[0]?.startsWith('{"type":"session.accept"') === true;
  }

  /** Every message must be one that a voice server reads, and every tool call is answered at most once. */
  #readAnswers(): ReadonlyMap<number, number> {
    const { number, report } = this.#options;
    const { answers } = this.#origin;
    for (const text of this.#link.sent) {
      try {
        const message = parseAgentMessage(text);
        if (message.type === 'unknown')
          report(`call ${number} sent a message of the type ${message.wire_type}`);
        if (message.type === 'tool.result') answers.set(message.id, (answers.get(message.id) ?? 0) + 1);
      } catch (error) {
        report(`call ${number} sent what no voice server reads: ${String(error)}`);
      }
    }
    for (const [id, count] of answers)
      if (count > 1) report(`call ${number} answered the tool call ${id} ${count} times`);
    return answers;
  }
}

function startText(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    type: 'session.start',
    seq: 1,
    t_ms: 0,
    protocol: 'brisvox.agent',
    versions: [1],
    agent: 'luigi',
    capabilities: { transfer: true, tools: true },
    ...fields,
  });
}

function probeText(id: number, seq: number): string {
  return JSON.stringify({
    type: 'tool.call',
    seq,
    t_ms: 1,
    id,
    call_id: 'probe',
    name: 'hours',
    arguments: {},
    kind: 'read_only',
    epoch: 1,
    idempotency_key: 'ffffffffffffffff',
    timeout_ms: 5_000,
  });
}
