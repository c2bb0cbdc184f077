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
  readonly number: number;
}

/** One link of one call, fed with frames; what comes back is checked when it is over. */
export class FuzzedCall {
  readonly #link: DirectLink;
  readonly #options: FuzzedCallOptions;
  #mayHaveEnded = false;

  private constructor(link: DirectLink, options: FuzzedCallOptions) {
    this.#link = link;
    this.#options = options;
  }

  /** Connects and starts a call; some starts are damaged, and in some frames come before the answer. */
  static async begin(options: FuzzedCallOptions): Promise<FuzzedCall> {
    const { application, random, number } = options;
    const link = await DirectLink.dial(application);
    const start = startText(random.chance(0.1) ? 'late' : random.chance(0.05) ? 'decline' : String(number));
    link.hear(random.chance(damagedStarts) ? mutated(random, start) : start);
    const call = new FuzzedCall(link, options);
    if (random.chance(heldFrames)) call.hear(frameOfGrammar(random));
    return call;
  }

  /** Nothing reaches the call any more. */
  get isOver(): boolean {
    return !this.#link.isOpen || this.#mayHaveEnded;
  }

  hear(text: string): void {
    // An end that was damaged may be none: then the call is not asked at its end whether it still serves.
    if (text.includes('session.end')) this.#mayHaveEnded = true;
    this.#link.hear(text);
  }

  /**
   * Asks whether the call still serves, looks at all that it said, and cuts its link.
   * @returns how many messages that were.
   */
  async finish(clock: VirtualClock): Promise<number> {
    const { number, report } = this.#options;
    const probeId = firstProbeId + number;
    const mustAnswer = this.#link.isOpen && !this.#mayHaveEnded && this.#isAccepted();
    this.#link.hear(probeText(probeId));
    await clock.settle();
    if (this.#readAnswers().get(probeId) !== 1 && mustAnswer) report(`call ${number} no longer answers`);
    this.#link.cut();
    await clock.settle();
    return this.#link.sent.length;
  }

  #isAccepted(): boolean {
    return this.#link.sent[0]?.startsWith('{"type":"session.accept"') === true;
  }

  /** Every message must be one that a voice server reads, and every tool call is answered at most once. */
  #readAnswers(): ReadonlyMap<number, number> {
    const { number, report } = this.#options;
    const answers = new Map<number, number>();
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

function startText(sessionId: string): string {
  return JSON.stringify({
    type: 'session.start',
    seq: 1,
    t_ms: 0,
    protocol: 'brisvox.agent',
    versions: [1],
    session_id: sessionId,
    agent: 'luigi',
    capabilities: { transfer: true, tools: true },
  });
}

function probeText(id: number): string {
  return JSON.stringify({
    type: 'tool.call',
    seq: 1_000_000,
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
