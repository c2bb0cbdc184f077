import type { Class, DynamicModule, Token } from '@callwright/di';
import type { LogOptions as GatewayLogOptions } from '@callwright/gateway';
import {
  type Application,
  assembleApplication,
  type GatewayOptions,
  type Replacements,
} from '@callwright/gateway';
import type { Brain } from './brain';
import { CapturedLog } from './captured-log';
import type { FakeCall } from './fake-call';
import { type FakeCallOptions, FakeVoiceServer, type FakeVoiceServerOptions } from './fake-voice-server';
import { applicationTransport } from './memory-application';
import { rules } from './rules';
import { VirtualClock } from './virtual-clock';

/** Options of the voice server that calls a test application. */
export type TestVoiceServerOptions = Omit<FakeVoiceServerOptions, 'transport' | 'clock' | 'movesClock'>;

/** Options of an application that nobody reaches over a network; those about ports, tokens and TLS make no sense for it. */
export interface TestApplicationOptions
  extends Omit<
    GatewayOptions,
    'host' | 'port' | 'token' | 'allowUnauthenticated' | 'allowedOrigins' | 'tls' | 'clock' | 'log'
  > {
  /** The clock of the application and of the voice server. @default a new one */
  readonly clock?: VirtualClock | undefined;
  /** What is captured in `log`. @default { level: 'debug', errorDetail: 'safe' } */
  readonly log?: Omit<GatewayLogOptions, 'sink'> | undefined;
  /** The voice server that `call` calls with; its brain answers calls that bring none. */
  readonly voiceServer?: Partial<TestVoiceServerOptions> | undefined;
}

/** A call to a test application. */
export interface TestCallOptions extends FakeCallOptions {
  /** What stands in for the model in this call. @default the voice server's; without any, words of the user fail the test */
  readonly brain?: Brain | undefined;
}

/**
 * An application in this process, without a port, and a voice server that calls it. Time is virtual: it moves while something
 * of a call is awaited, and when the test moves `clock`.
 */
export class TestApplication {
  /** The application under test. */
  readonly application: Application;
  readonly clock: VirtualClock;
  /** What the application logged. */
  readonly log: CapturedLog;
  /** The voice server that {@link call} calls with; `server.restart()` is its crash. */
  readonly server: FakeVoiceServer;
  readonly #calls: FakeCall[] = [];
  readonly #standardBrain: Brain;
  #nextBrain: Brain;

  private constructor(parts: TestApplicationParts) {
    this.application = parts.application;
    this.clock = parts.clock;
    this.log = parts.log;
    this.#standardBrain = parts.voiceServer.brain ?? rules([]);
    this.#nextBrain = this.#standardBrain;
    this.server = this.voiceServer({
      ...parts.voiceServer,
      brain: { startCall: () => this.#nextBrain.startCall() },
    });
  }

  /** For {@link TestingModuleBuilder.createApplication}. */
  static async create(
    root: Class | DynamicModule,
    replacements: Replacements,
    options: TestApplicationOptions,
  ): Promise<TestApplication> {
    const { clock = new VirtualClock(), voiceServer = {}, log: logOptions, ...others } = options;
    const log = new CapturedLog();
    const application = await assembleApplication(
      root,
      {
        ...others,
        // Whatever the environment of the test run says: nobody listens.
        host: '127.0.0.1',
        port: 0,
        clock,
        log: { level: 'debug', errorDetail: 'safe', ...logOptions, sink: log },
      },
      replacements,
    );
    return new TestApplication({ application, clock, log, voiceServer });
  }

  /**
   * The instance of a singleton, wherever it is provided.
   * @throws DiError when nothing provides the token, or when it lives inside calls.
   */
  get<T>(token: Token<T>): T {
    return this.application.get(token);
  }

  /**
   * A caller comes in. The first call starts the application, bootstrap hooks included.
   * @throws LinkRefused when the agent rejects the call or breaks the handshake.
   */
  async call(options: TestCallOptions = {}): Promise<FakeCall> {
    const { brain, ...callOptions } = options;
    this.#nextBrain = brain ?? this.#standardBrain;
    const call = await this.server.call(callOptions);
    this.#calls.push(call);
    return call;
  }

  /** Another voice server; its session ids are like those of the first. */
  voiceServer(options: TestVoiceServerOptions): FakeVoiceServer {
    const { clock } = this;
    const transport = applicationTransport(this.application, { clock });
    return new FakeVoiceServer({ ...options, transport, clock, movesClock: true });
  }

  /**
   * Closes the application, as a signal would: live calls end with `shutdown`.
   * @throws TestingError `CW_FRAME_REFUSED` when, in a call of a strict voice server, the agent sent what such a server refuses.
   */
  async close(): Promise<void> {
    await this.clock.runUntil(this.application.close());
    for (const call of this.#calls) call.requireClean();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

interface TestApplicationParts {
  readonly application: Application;
  readonly clock: VirtualClock;
  readonly log: CapturedLog;
  readonly voiceServer: Partial<TestVoiceServerOptions>;
}
