import type { Clock } from '@callwright/core';
import type { Connection, FrameReceiver } from '@callwright/testing';
import type { ApplicationPeer } from '../../packages/testing/src/memory-application';
import type { Frame, History } from './history';

const WITHOUT_CLOSE_FRAME = 1006;

/** What a wire is told of its surroundings. */
export interface WireParts {
  readonly clock: Clock;
  readonly history: History;
  readonly call: string;
  /** Unique in the world. */
  readonly number: number;
  readonly latencyMs: number;
}

/**
 * One connection between the simulated voice server and the application. Unlike a polite one it can hold frames back, lose
 * them, lose only one direction, or tell only one side of its end. Everything that reaches or leaves the agent's end goes
 * into the history.
 */
export class Wire {
  readonly #parts: WireParts;
  readonly #toAgent: Lane;
  readonly #toServer: Lane;
  #serverReceiver: FrameReceiver | undefined;
  #agentReceiver: FrameReceiver | undefined;
  #halfClosed: (() => void) | undefined;
  #serverIsOpen = true;
  #agentIsOpen = true;
  #isFrozen = false;
  #isDeaf = false;
  #unsentBytes = 0;

  constructor(parts: WireParts) {
    this.#parts = parts;
    this.#toAgent = new Lane(parts.clock, parts.latencyMs);
    this.#toServer = new Lane(parts.clock, parts.latencyMs);
  }

  /** The voice server's end. */
  serverEnd(receiver: FrameReceiver): Connection {
    this.#serverReceiver = receiver;
    return {
      sendText: (text) => this.#send((agent) => agent.text(text), text),
      sendBinary: (bytes) => this.#send((agent) => agent.binary(bytes.byteLength)),
      ping: () => this.#send((agent) => agent.ping()),
      close: (code, reason) => this.#closeFromServer(code, reason),
      terminate: () => this.cut(),
      freeze: () => this.freeze(),
    };
  }

  /** The agent's end. */
  agentEnd(): ApplicationPeer {
    const wire = this;
    return {
      listen: (receiver) => {
        this.#agentReceiver = receiver;
        this.#toAgent.open();
      },
      sendText: (text) => this.#sendFromAgent(text),
      sendBinary: () => undefined,
      ping: () =>
        this.#answer((server) => {
          server.ping();
          this.#send((agent) => agent.pong());
        }),
      close: (code, reason) => this.#closeFromAgent(code, reason),
      terminate: () => this.#terminateFromAgent(),
      freeze: () => undefined,
      onHalfClose: (heard) => {
        this.#halfClosed = heard;
      },
      get unsentBytes(): number {
        return wire.#unsentBytes;
      },
    };
  }

  begin(): void {
    this.#toServer.open();
  }

  /** Whether both ends are open and everything passes. */
  get isHealthy(): boolean {
    return (
      this.#serverIsOpen && this.#agentIsOpen && !this.#isFrozen && !this.#isDeaf && !this.#toServer.isHeld
    );
  }

  /** Nothing passes any more, in either direction, and nobody is told. */
  freeze(): void {
    this.#isFrozen = true;
    this.#toAgent.drop();
    this.#toServer.drop();
  }

  /** Both ends hear of the end; what was under way arrives before. */
  cut(): void {
    this.#serverIsOpen = false;
    if (this.#agentIsOpen && !this.#isFrozen) {
      this.#toAgent.push(() => this.#agentHearsEnd(WITHOUT_CLOSE_FRAME, '', 'reset'));
    }
  }

  /** Both ends hear of the end; what was under way never arrives. */
  cutWithLoss(): void {
    this.#toAgent.drop();
    this.#toServer.drop();
    this.resetAgent();
    this.#serverHearsEnd(WITHOUT_CLOSE_FRAME);
  }

  /** Only the agent's end is reset; the server goes on writing into nothing. */
  resetAgent(): void {
    this.#toAgent.drop();
    this.#toServer.drop();
    this.#isFrozen = true;
    this.#agentHearsEnd(WITHOUT_CLOSE_FRAME, '', 'reset');
  }

  /** The server's end writes no more, but would still read. */
  halfClose(): void {
    this.#toAgent.push(() => {
      if (!this.#agentIsOpen) return;
      this.#recordEnd('peer');
      this.#halfClosed?.();
    });
  }

  /** What the agent writes is no longer taken, as behind a full send buffer; the server's own frames still arrive. */
  stall(): void {
    this.#toServer.hold();
  }

  /** What the agent writes gets lost, though its system takes it; the server's own frames still arrive. */
  deafen(): void {
    this.#isDeaf = true;
  }

  #send(deliver: (agent: FrameReceiver) => void, text?: string): void {
    if (this.#isFrozen || !this.#serverIsOpen) return;
    this.#toAgent.push(() => {
      const receiver = this.#agentReceiver;
      if (receiver === undefined || !this.#agentIsOpen) return;
      const { history, call, number: wire } = this.#parts;
      if (text === undefined) history.add({ kind: 'pinged', call, wire });
      else history.add({ kind: 'read', call, wire, frame: frameOf(text) });
      deliver(receiver);
      // A WebSocket answers a ping by itself.
      if (text === undefined) this.#answer((server) => server.pong());
    });
  }

  #answer(deliver: (server: FrameReceiver) => void): void {
    if (this.#isFrozen || this.#isDeaf || !this.#agentIsOpen) return;
    this.#toServer.push(() => {
      if (this.#serverIsOpen && this.#serverReceiver !== undefined) deliver(this.#serverReceiver);
    });
  }

  #sendFromAgent(text: string): void {
    const { history, call, number: wire } = this.#parts;
    history.add({ kind: 'wrote', call, wire, frame: frameOf(text), text });
    if (this.#isFrozen || this.#toServer.isHeld) this.#unsentBytes += Buffer.byteLength(text);
    this.#answer((server) => server.text(text));
  }

  #closeFromServer(code: number, reason: string): void {
    if (this.#isFrozen || !this.#serverIsOpen) return;
    this.#toAgent.push(() => {
      const wasOpen = this.#agentIsOpen;
      this.#agentHearsEnd(code, reason, 'peer');
      if (wasOpen) this.#toServer.push(() => this.#serverHearsEnd(code));
    });
  }

  #closeFromAgent(code: number, reason: string): void {
    this.#recordEnd('agent');
    if (this.#isFrozen || this.#isDeaf) return;
    this.#toServer.push(() => {
      this.#serverHearsEnd(code);
      this.#toAgent.push(() => this.#agentHearsEnd(code, reason, 'peer'));
    });
  }

  #terminateFromAgent(): void {
    this.#recordEnd('agent');
    this.#agentIsOpen = false;
    if (!this.#isFrozen && !this.#isDeaf)
      this.#toServer.push(() => this.#serverHearsEnd(WITHOUT_CLOSE_FRAME));
  }

  #agentHearsEnd(code: number, reason: string, by: 'peer' | 'reset'): void {
    if (!this.#agentIsOpen) return;
    this.#recordEnd(by);
    this.#agentIsOpen = false;
    this.#agentReceiver?.closed(code, reason);
  }

  #isEndRecorded = false;

  #recordEnd(by: 'peer' | 'agent' | 'reset'): void {
    if (this.#isEndRecorded) return;
    this.#isEndRecorded = true;
    const { history, call, number: wire } = this.#parts;
    history.add({ kind: 'closed', call, wire, by });
  }

  #serverHearsEnd(code: number): void {
    if (!this.#serverIsOpen) return;
    this.#serverIsOpen = false;
    this.#serverReceiver?.closed(code, '');
  }
}

/** One direction of a wire: in order, each frame in a later turn of the loop, or after the latency. */
class Lane {
  readonly #clock: Clock;
  readonly #latencyMs: number;
  #waiting: (() => void)[] = [];
  #isOpen = false;
  #isHeld = false;
  #isPlanned = false;
  #generation = 0;

  constructor(clock: Clock, latencyMs: number) {
    this.#clock = clock;
    this.#latencyMs = latencyMs;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  open(): void {
    this.#isOpen = true;
    this.#plan();
  }

  hold(): void {
    this.#isHeld = true;
  }

  drop(): void {
    this.#waiting = [];
    this.#generation += 1;
  }

  push(deliver: () => void): void {
    if (this.#latencyMs === 0) {
      this.#waiting.push(deliver);
      this.#plan();
      return;
    }
    const generation = this.#generation;
    this.#clock.setTimer(() => {
      if (generation !== this.#generation) return;
      this.#waiting.push(deliver);
      this.#plan();
    }, this.#latencyMs);
  }

  #plan(): void {
    if (this.#isPlanned || !this.#isOpen || this.#isHeld || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    this.#clock.defer(() => {
      this.#isPlanned = false;
      if (!this.#isHeld) for (const deliver of this.#waiting.splice(0)) deliver();
    });
  }
}

function frameOf(text: string): Frame {
  try {
    const frame: unknown = JSON.parse(text);
    if (typeof frame === 'object' && frame !== null && 'type' in frame && typeof frame.type === 'string') {
      return frame as Frame; // an object with a type is what a frame is
    }
  } catch {
    // Frames that are no JSON are sent on purpose.
  }
  return { type: 'unreadable' };
}
