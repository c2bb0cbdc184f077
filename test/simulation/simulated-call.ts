import type { Clock } from '@callwright/core';
import {
  type AgentMessage,
  type CommandMessage,
  PROTOCOL_NAME,
  PROTOCOL_VERSIONS,
  type ProtocolError,
} from '@callwright/protocol';
import type { Connection, FrameReceiver } from '@callwright/testing';
import { DEFAULT_LINK_TIMES, type LinkOwner } from '../../packages/testing/src/link-parts';
import type { ServerBody } from '../../packages/testing/src/outbox';
import { VoiceLink } from '../../packages/testing/src/voice-link';
import type { History } from './history';
import { breakLink, type LinkBreak } from './link-breaks';
import type { ANSWER_MANNERS, CallPlan, Step } from './schedule';
import { sendJunk } from './server-junk';
import { taggedEvent, taggedNumber } from './tagged-event';
import type { Wire } from './wire';

/** What a simulated call asks of its world. */
export interface CallSurroundings {
  readonly clock: Clock;
  readonly history: History;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** A new connection to the application. @throws DialError when it takes none. */
  connect(call: SimulatedCall, receiver: FrameReceiver): Promise<{ wire: Wire; connection: Connection }>;
}

type ToolCallBody = Extract<ServerBody, { readonly type: 'tool.call' }>;

/** How late a late answer to a command is. */
const LATE_ANSWER_MS = 12_000;
/** The voice server offers all tools again right after a resumption, and a moment later once more. */
const OFFERED_AGAIN_AFTER_MS = 20;
const SAY_GOODBYE_MS = 500;
/** Enough for a frame to reach the agent, at any latency of a wire. */
const DOING_MS = 300;
/** `burst` fills the server's queue of 256 events; it takes a turn of the loop to empty. */
const BURST_TURN = 200;
/** More than a call's own queue holds: its handler is kept busy meanwhile. */
const FULL_QUEUE = 1_024;

/** The voice server's side of one call, which plays its plan. */
export class SimulatedCall implements LinkOwner {
  readonly number: number;
  readonly tag: string;
  readonly plan: CallPlan;
  readonly link: VoiceLink;
  readonly clock: Clock;
  readonly history: History;
  readonly #surroundings: CallSurroundings;
  readonly #sessionId: number;
  readonly #toolCalls: ToolCallBody[] = [];
  #ordinal = 0;
  #toolCallCount = 0;
  #answers: (typeof ANSWER_MANNERS)[number] = 'at once';
  #offered: readonly string[] | null = null;
  #isOver = false;
  /** The newest connection. */
  wire: Wire | undefined;
  /** Answers to redials that are to get lost. */
  lostAnswers = 0;

  constructor(plan: CallPlan, number: number, sessionId: number, surroundings: CallSurroundings) {
    this.plan = plan;
    this.number = number;
    this.tag = `c${number}`;
    this.#sessionId = sessionId;
    this.#surroundings = surroundings;
    this.clock = surroundings.clock;
    this.history = surroundings.history;
    this.link = new VoiceLink({
      clock: surroundings.clock,
      owner: this,
      random: surroundings.random,
      times: DEFAULT_LINK_TIMES,
      transport: { dial: (receiver) => this.#dial(receiver) },
      start: {
        protocol: PROTOCOL_NAME,
        versions: PROTOCOL_VERSIONS,
        session_id: String(sessionId),
        agent: plan.agent,
        capabilities: { transfer: number % 2 === 0, tools: true },
        call: carrierOf(plan, number),
      },
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Plays the whole call. */
  async run(): Promise<void> {
    const { history, tag: call } = this;
    try {
      const accept = await this.link.open();
      for (const { message } of accept.breaks) this.broke(`accept: ${message}`);
      history.add({ kind: 'accepted', call });
    } catch (error) {
      history.add({ kind: 'refused', call, why: error instanceof Error ? error.message : String(error) });
      this.#isOver = true;
      return;
    }
    for (const step of this.plan.steps) {
      if (step.afterMs > 0) await this.#sleep(step.afterMs);
      if (this.#isOver) return;
      await this.#do(step);
    }
    await this.#sleep(this.plan.quietMs);
    if (this.#isOver) return;
    this.noteQuiet();
    if (this.plan.ending === 'crash') this.crash();
    else await this.#hangUp(`call_ended|${call}`);
  }

  /** The voice server's process is gone: nothing redials, nothing says goodbye. */
  crash(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wire?.resetAgent();
    void this.link.close([]);
  }

  /** Notes what the model is offered, where it can be compared with what the agent wants. */
  noteQuiet(): void {
    if (!this.link.isUp || !this.wire?.isHealthy) return;
    this.history.add({ kind: 'quiet', call: this.tag, offered: this.#offered });
  }

  message(message: AgentMessage): void {
    switch (message.type) {
      case 'session.accept':
      case 'session.reject':
        return this.broke(`a second ${message.type}`);
      case 'tool.result':
        return this.history.add({ kind: 'got a result', call: this.tag, id: message.id });
      default:
        this.#command(message);
    }
  }

  unreadable(error: ProtocolError): void {
    this.broke(`unreadable: ${error.message}`);
  }

  unknownType(wireType: string): void {
    this.broke(`unknown type ${wireType}`);
  }

  binary(): void {
    this.broke('a binary frame');
  }

  broke(rule: string): void {
    this.history.add({ kind: 'broke a rule', call: this.tag, rule });
  }

  lost(_reason: string, redials: boolean): void {
    this.history.add({ kind: 'lost', call: this.tag, redials });
  }

  resumed(): void {
    this.history.add({ kind: 'resumed', call: this.tag });
    this.#offered = null;
    this.clock.setTimer(() => {
      this.#offered = null;
    }, OFFERED_AGAIN_AFTER_MS);
  }

  gone(why: string): void {
    this.history.add({ kind: 'gone', call: this.tag, why });
  }

  frame(): void {
    // The wire keeps the frames.
  }

  async #dial(receiver: FrameReceiver): Promise<Connection> {
    const { wire, connection } = await this.#surroundings.connect(this, receiver);
    this.wire = wire;
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1;
      wire.stall();
    }
    return connection;
  }

  async #do(step: Step): Promise<void> {
    switch (step.does) {
      case 'event':
        return this.#event(step);
      case 'burst':
        return this.#burst(step.count);
      case 'tool':
        return this.#askForTool(step);
      case 'ask again':
      case 'repeat frame':
      case 'reuse key':
        return this.#askAgain(step);
      case 'cancel': {
        const earlier = this.#earlier(step.back);
        if (earlier) this.link.control({ type: 'tool.cancel', id: earlier.id, reason: step.reason });
        return;
      }
      case 'break':
        return this.#break(step);
      case 'answer':
        this.#answers = step.how;
        return;
      case 'junk':
        return sendJunk(this.link, step.which);
      case 'pause':
        return;
    }
  }

  #event({ type, how, ms }: Extract<Step, { does: 'event' }>): void {
    this.#ordinal += 1;
    this.link.event(taggedEvent(type, this.number, { ordinal: this.#ordinal, how, ms }));
  }

  async #burst(count: number): Promise<void> {
    if (count >= FULL_QUEUE)
      this.#event({ does: 'event', afterMs: 0, type: 'user.text', how: 'wait', ms: 3_000 });
    for (let sent = 0; sent < count; sent += 1) {
      if (sent > 0 && sent % BURST_TURN === 0) await this.#sleep(1);
      this.#ordinal += 1;
      this.link.event(
        taggedEvent('turn.interrupted', this.number, { ordinal: this.#ordinal, how: 'note', ms: 0 }),
      );
    }
  }

  #askForTool({ name, how, ms, what }: Extract<Step, { does: 'tool' }>): void {
    this.#toolCallCount += 1;
    const id = this.#toolCallCount;
    const body: ToolCallBody = {
      type: 'tool.call',
      id,
      call_id: `t1.${id}`,
      name,
      arguments: { tag: this.tag, how, ms, what },
      kind: name === 'look' || name === 'peek' || name === 'nothing' ? 'read_only' : 'side_effect',
      epoch: this.number,
      idempotency_key: this.#key(id),
      timeout_ms: 5_000,
    };
    this.#toolCalls.push(body);
    this.link.control(body);
  }

  #askAgain(step: Extract<Step, { does: 'ask again' | 'repeat frame' | 'reuse key' }>): void {
    const earlier = this.#earlier(step.back);
    if (!earlier) return;
    if (step.does === 'repeat frame') {
      this.link.control(earlier);
      return;
    }
    this.#toolCallCount += 1;
    const id = this.#toolCallCount;
    const again =
      step.does === 'ask again'
        ? { ...earlier, id, call_id: `t1.${id}`, idempotency_key: this.#key(id) }
        : { ...earlier, id, call_id: `t1.${id}` };
    const body =
      step.does === 'reuse key' && step.otherArguments
        ? { ...again, arguments: { ...earlier.arguments, what: 'other' } }
        : again;
    if (step.does === 'ask again') this.#toolCalls.push(body);
    this.link.control(body);
  }

  async #break(step: LinkBreak): Promise<void> {
    if (!this.link.isUp || this.wire === undefined) return;
    this.noteQuiet();
    this.link.refuseDials(step.refusals);
    this.lostAnswers = step.lostAnswers;
    if (step.during !== 'nothing') {
      this.wire.deafen();
      if (step.during === 'tool')
        this.#askForTool({ does: 'tool', afterMs: 0, name: 'book', how: 'at once', ms: 1, what: 'w0' });
      else this.#event({ does: 'event', afterMs: 0, type: 'user.text', how: step.during, ms: 0 });
      await this.#sleep(DOING_MS);
      if (!this.link.isUp || this.#isOver) return;
    }
    breakLink(this.link, this.wire, step.how);
    if (step.waits) await this.link.whenUp().catch(() => undefined);
  }

  #earlier(back: number): ToolCallBody | undefined {
    return this.#toolCalls[this.#toolCalls.length - 1 - back];
  }

  /** As a voice server's: unique in the call, alike in another server's call of the same session id. */
  #key(id: number): string {
    return (this.#sessionId * 65_536 + id).toString(16).padStart(16, '0');
  }

  #command(command: CommandMessage): void {
    const { id } = command;
    if (command.type === 'tools.set') this.#offered = command.enabled;
    if (command.type === 'end') this.link.noteEnding();
    if (this.#answers === 'never') return;
    const answer = (): void => {
      const isOk = this.#answers !== 'refused';
      if (id !== undefined) {
        const error = { code: 'queue_full' as const, message: 'the queue is full' };
        this.link.control(
          isOk ? { type: 'command.result', id, ok: true } : { type: 'command.result', id, ok: false, error },
        );
      }
      if (isOk && command.type === 'end')
        this.clock.setTimer(() => void this.#hangUp(`ended_by_agent|${this.tag}`), 1);
    };
    if (command.type === 'end') this.clock.setTimer(answer, SAY_GOODBYE_MS);
    else if (this.#answers === 'late') this.clock.setTimer(answer, LATE_ANSWER_MS);
    else answer();
  }

  async #hangUp(reason: string): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.history.add({ kind: 'hung up', call: this.tag });
    this.#ordinal += 1;
    await this.link.close([
      {
        type: 'session.usage',
        duration_ms: taggedNumber(this.number, this.#ordinal),
        turns: 1,
        interrupted_turns: 0,
        latency: {},
        usage: {},
      },
      { type: 'session.end', reason },
    ]);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.setTimer(resolve, ms);
    });
  }
}

/** A carrier's name of the call tells the agent how to start. */
function carrierOf({ carrier }: CallPlan, number: number) {
  if (carrier === 'none') return undefined;
  const name = carrier === 'twin' ? 'CA|quick|twin' : `CA${number}|${carrier}`;
  return { carrier: 'twilio' as const, carrier_call_id: name, pii_redacted: true };
}
