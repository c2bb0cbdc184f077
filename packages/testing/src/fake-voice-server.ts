import { type Clock, systemClock } from '@callwright/core';
import { type CallIdentity, PROTOCOL_NAME, PROTOCOL_VERSIONS } from '@callwright/protocol';
import type { Brain } from './brain';
import type { TransferDesk, TransferOutcome } from './command-desk';
import { type WhileAwaited, whileAwaitedOn } from './driven-promise';
import { FakeCall } from './fake-call';
import { DEFAULT_LINK_TIMES, type LinkTimes } from './link-parts';
import { seededRandom } from './seeded-random';
import type { Transport } from './transport';

/** Options of {@link FakeVoiceServer}. */
export interface FakeVoiceServerOptions {
  /** How the agent is reached: `webSocketTransport(url)` or `memoryTransport(accept)`. */
  readonly transport: Transport;
  /** What stands in for the model: `rules([...])`, `script([...])`, or your own. */
  readonly brain: Brain;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /**
   * The clock moves by itself while something of a call is awaited; until then time stands still. Needs a {@link VirtualClock},
   * which the agent has too. @default false
   */
  readonly movesClock?: boolean | undefined;
  /** The agent definition's name, as `session.start` carries it. @default 'default' */
  readonly agent?: string | undefined;
  /**
   * A frame that a voice server refuses makes the test fail: the next thing the test awaits rejects with the reason. Without it
   * the server answers the frame as the real one does and goes on.
   * @default true
   */
  readonly strict?: boolean | undefined;
  /** Milliseconds the bot speaks per character; 0 makes speech take no time. @default 0 */
  readonly speechMsPerCharacter?: number | undefined;
  /** What a transfer leads to; `none` means that the call has no call control. @default 'ok' */
  readonly transfer?: TransferOutcome | TransferDesk | 'none' | undefined;
  /** The first call's session id; a voice server counts from 1 after each start. @default 1 */
  readonly firstSessionId?: number | undefined;
  /** The server's own times. @default those of the real voice server */
  readonly times?: Partial<LinkTimes> | undefined;
  /** Seed of the redials' jitter. @default 1 */
  readonly seed?: number | undefined;
}

/** Options of {@link FakeVoiceServer.call}. */
export interface FakeCallOptions {
  /** The caller's number. Without it, and without a carrier, the agent learns nothing of the caller. */
  readonly from?: string | undefined;
  /** The number that was called. */
  readonly to?: string | undefined;
  /** @default 'twilio' */
  readonly carrier?: 'twilio' | 'telnyx' | 'sip' | undefined;
  /** @default a new one per call */
  readonly carrierCallId?: string | undefined;
  /** True when the server withholds the numbers. @default false */
  readonly piiRedacted?: boolean | undefined;
  /** Another agent definition than the server's. */
  readonly agent?: string | undefined;
}

/**
 * The voice server's side of protocol 1, for tests: it dials an agent, plays a call, and behaves as the real one does, with
 * its limits, its order and its times. One process can have several; their session ids then are alike, as in real life.
 *
 * @example
 * ```ts no-run
 * import { FakeVoiceServer, rules, webSocketTransport, when } from '@callwright/testing';
 *
 * async function play(): Promise<void> {
 *   const server = new FakeVoiceServer({
 *     transport: webSocketTransport('ws://127.0.0.1:8765'),
 *     brain: rules([when(/hours on (\w+)/).call('opening_hours', (m) => ({ day: m[1] })).say('From six to eleven.')]),
 *   });
 *   const call = await server.call({ from: '+390612345678' });
 *   await call.user('What are your hours on friday?');
 *   await call.hangUp();
 * }
 * void play();
 * ```
 */
export class FakeVoiceServer {
  readonly #options: FakeVoiceServerOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #whileAwaited: WhileAwaited;
  #calls: FakeCall[] = [];
  #nextSessionId: number;

  constructor(options: FakeVoiceServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#whileAwaited = whileAwaitedOn(this.#clock, options.movesClock === true);
    this.#random = seededRandom(options.seed ?? 1);
    this.#nextSessionId = options.firstSessionId ?? 1;
  }

  /** Calls that have not ended. */
  get liveCalls(): readonly FakeCall[] {
    return this.#calls.filter((call) => call.endReason === undefined);
  }

  /**
   * A caller comes in: dials the agent and waits for its answer.
   * @throws LinkRefused when the agent rejects the call or breaks the handshake.
   * @throws DialFailure when it cannot be reached or does not answer in time.
   */
  call(options: FakeCallOptions = {}): Promise<FakeCall> {
    return this.#whileAwaited(this.#open(options));
  }

  async #open(options: FakeCallOptions): Promise<FakeCall> {
    const sessionId = String(this.#nextSessionId);
    this.#nextSessionId += 1;
    const call = new FakeCall({
      clock: this.#clock,
      whileAwaited: this.#whileAwaited,
      mind: this.#options.brain.startCall(),
      strict: this.#options.strict ?? true,
      speechMsPerCharacter: this.#options.speechMsPerCharacter ?? 0,
      transfer: this.#transferDesk(),
      link: {
        transport: this.#options.transport,
        random: this.#random,
        times: { ...DEFAULT_LINK_TIMES, ...this.#options.times },
        start: {
          protocol: PROTOCOL_NAME,
          versions: PROTOCOL_VERSIONS,
          session_id: sessionId,
          agent: options.agent ?? this.#options.agent ?? 'default',
          capabilities: { transfer: this.#options.transfer !== 'none', tools: true },
          call: identityOf(options),
        },
      },
    });
    await call.open();
    this.#calls = [...this.liveCalls, call];
    return call;
  }

  /** Ends every live call as a hang-up. @throws TestingError `CW_FRAME_REFUSED` on a strict server. */
  async close(): Promise<void> {
    const calls = this.liveCalls;
    await Promise.all(calls.map((call) => call.hangUp()));
  }

  /** The server's process dies and starts again: live calls are reset, and session ids count from the first one. */
  restart(): void {
    for (const call of this.liveCalls) call.crash();
    this.#calls = [];
    this.#nextSessionId = this.#options.firstSessionId ?? 1;
  }

  #transferDesk(): TransferDesk | undefined {
    const { transfer = 'ok' } = this.#options;
    if (transfer === 'none') return undefined;
    return typeof transfer === 'function' ? transfer : () => transfer;
  }
}

/** Carriers never give an id twice, so these count over all servers of the process. */
let carrierCalls = 0;

function identityOf(options: FakeCallOptions): CallIdentity | undefined {
  const { from, to, carrier, carrierCallId, piiRedacted } = options;
  const given = [from, to, carrier, carrierCallId, piiRedacted].some((value) => value !== undefined);
  if (!given) return undefined;
  carrierCalls += 1;
  return {
    carrier: carrier ?? 'twilio',
    carrier_call_id: carrierCallId ?? `CA${String(carrierCalls).padStart(32, '0')}`,
    ...(piiRedacted === true ? {} : { from, to }),
    pii_redacted: piiRedacted === true,
  };
}
