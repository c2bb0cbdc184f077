import { CALL_LIMITS, type CallPorts, type Logger } from '@callwright/core';
import {
  type Container,
  type ContainerGraph,
  type ContainerPlan,
  graphToMermaid,
  type Token,
} from '@callwright/di';
import { CLOSE_CODES } from '@callwright/protocol';
import { Agents, type ServedAgent } from './agents';
import { CallRecorder } from './call-recorder';
import { CallTable } from './call-table';
import type { ConnectionGuards } from './connection-guard';
import { gatewayError } from './errors';
import { Handshake, type HandshakeSurroundings } from './handshake';
import { Heartbeat } from './heartbeat';
import type { ApplicationManifest } from './manifest';
import type { GatewaySettings } from './options';
import { type Connection, GatewayServer, listeningHint } from './server';
import {
  END_LIMITS_OF_SHUTDOWN,
  Shutdown,
  type ShutdownReport,
  type ShutdownSteps,
  type ShutdownTimes,
} from './shutdown';

/** How long the end waits for recordings to be written. */
const RECORDINGS_LIMIT_MS = 1_000;

/** `lame duck`: still as before, but no longer ready. `draining`: only calls that live go on. */
type ApplicationState = 'created' | 'listening' | 'lame duck' | 'draining' | 'closing' | 'closed';

/** Options of {@link Application.close}; what is absent is as the application's own options say. */
export interface CloseOptions extends Partial<ShutdownTimes> {
  /** For the shutdown hooks: why the application closes. */
  readonly signal?: string | undefined;
}

/**
 * A running program of modules and agents. Made by {@link createApplication}; `bootstrap` does all of it for a `main.ts`.
 */
export class Application {
  readonly #settings: GatewaySettings;
  readonly #container: Container;
  readonly #plan: ContainerPlan;
  readonly #agents: readonly ServedAgent[];
  readonly #calls: CallTable;
  readonly #recorder: CallRecorder | undefined;
  readonly #handshakes = new Set<Handshake>();
  readonly #server: GatewayServer;
  readonly #connected: (connection: Connection) => void;
  #state: ApplicationState = 'created';
  /** Calls could come; one that never got so far has nothing to say of its end. */
  #hasServed = false;
  readonly #shutdown: Shutdown;
  #closed: Promise<ShutdownReport> | undefined;
  #signal: string | undefined;
  /** Pending while the bootstrap hooks of an application without a port run. */
  #started: Promise<void> | undefined;

  static {
    // For test kits that call without a socket. No declaration names it, so nobody uses it by accident.
    Object.defineProperty(Application.prototype, Symbol.for('callwright:gateway:connect'), {
      value(this: Application, connection: Connection): Promise<boolean> {
        return this.#connect(connection);
      },
    });
  }

  /** Applications are made by {@link createApplication}. */
  constructor(parts: ApplicationParts) {
    const { settings, ports, container, agents } = parts;
    this.#settings = settings;
    this.#container = container;
    this.#plan = parts.plan;
    this.#agents = agents;
    const recorder = settings.record && new CallRecorder(settings.record, ports.clock);
    this.#recorder = recorder;
    this.#calls = new CallTable(settings.maxCalls, ports.clock, (session) => recorder?.end(session));
    const surroundings: HandshakeSurroundings = {
      agents: new Agents(agents),
      calls: this.#calls,
      handshakes: this.#handshakes,
      heartbeat: new Heartbeat(ports.clock, ports.logger),
      recorder,
      ports,
      handshakeTimeoutMs: settings.handshakeTimeoutMs,
      takesCalls: () => this.#state === 'listening' || this.#state === 'lame duck',
      takesResumptions: () => this.#isOpen,
    };
    this.#connected = (connection) => void new Handshake(connection, surroundings);
    this.#server = new GatewayServer(settings, {
      isOpen: () => this.#isOpen,
      judge: (request) => parts.guards.judge(request),
      connected: this.#connected,
    });
    this.#shutdown = new Shutdown(this.#shutdownSteps(), ports.clock, ports.logger);
  }

  /** `ws://host:port` or `wss://host:port`; empty before `listen()` resolved. */
  get url(): string {
    return this.#server.url;
  }

  /**
   * Whether balancers should send calls here: what a readiness probe answers. False from the moment the application begins to
   * close, while calls are still taken for the lame-duck time.
   */
  get isReady(): boolean {
    return this.#state === 'listening';
  }

  get #isOpen(): boolean {
    return this.#state === 'listening' || this.#state === 'lame duck' || this.#state === 'draining';
  }

  /** How many calls hold a place now. */
  get callCount(): number {
    return this.#calls.openCount;
  }

  /** The application's logger. */
  get logger(): Logger {
    return this.#settings.logger;
  }

  /**
   * The instance of a singleton, wherever it is provided.
   * @throws DiError when nothing provides the token, or when it lives inside calls.
   */
  get<T>(token: Token<T>): T {
    return this.#container.get(token, { strict: false });
  }

  /** Agents, tools, schemas, what is bound around them, and limits, as plain data. Nothing secret, nothing of a call. */
  manifest(): ApplicationManifest {
    const { maxCalls, handshakeTimeoutMs } = this.#settings;
    return {
      manifestVersion: 1,
      agents: this.#agents.map(({ plan, accept }) => ({ ...plan.manifest(), accept: accept.size })),
      limits: { maxCalls, handshakeTimeoutMs, ofEachCall: CALL_LIMITS },
    };
  }

  /** Modules, providers, scopes and dependencies: as plain data, or as a Mermaid flowchart. */
  graph(): ContainerGraph;
  graph(format: 'mermaid'): string;
  graph(format?: 'mermaid'): ContainerGraph | string {
    const graph = this.#plan.graph();
    return format === 'mermaid' ? graphToMermaid(graph) : graph;
  }

  /**
   * Runs the bootstrap hooks and starts to take calls. @returns the url.
   * @throws CallwrightError `CW_PORT_IN_USE`, `CW_PORT_FORBIDDEN`, `CW_HOST_UNUSABLE`, `CW_TLS_UNUSABLE`, `CW_LISTEN_FAILED`,
   * `CW_LISTEN_TWICE`, or what a bootstrap hook throws; the application is closed then.
   */
  async listen(): Promise<string> {
    if (this.#state !== 'created') throw gatewayError('CW_LISTEN_TWICE', []);
    this.#state = 'listening';
    try {
      await this.#container.bootstrap();
      if (this.#closed === undefined) await this.#server.listen();
      // Somebody closed it meanwhile: a port that opened after that must not stay open.
      if (this.#closed !== undefined) throw gatewayError('CW_LISTEN_TWICE', []);
    } catch (error) {
      this.#server.stopListening();
      // Nobody was served, so there is nobody to wait for.
      await this.close({ lameDuckMs: 0, drainMs: 0 });
      throw error;
    }
    this.#hasServed = true;
    this.logger.info(`listening on ${this.url}`, { serves: listeningHint(this.#settings) });
    if (this.#settings.tokens.length === 0) {
      this.logger.warn(
        'there is no token: whoever reaches this address can take calls (set BRISVOX_AGENT_TOKEN)',
      );
    }
    this.#compileTools();
    return this.url;
  }

  /**
   * Closes in steps: not ready at once; calls are taken for `lameDuckMs` more; then only those that live go on, for at most
   * `drainMs`; then the port is free, the calls that are left hear `shutdown`, and the hooks of calls and modules run for at
   * most 5 s. Never rejects; what fails is logged. Calling it again gives the same promise; with `drainMs: 0`, it goes straight
   * to the end.
   */
  close(options: CloseOptions = {}): Promise<ShutdownReport> {
    const { lameDuckMs, drainMs } = this.#settings;
    if (this.#closed === undefined) {
      this.#signal = options.signal;
      const wasListening = this.#state === 'listening';
      if (wasListening) this.#state = 'lame duck';
      const times = { lameDuckMs: options.lameDuckMs ?? lameDuckMs, drainMs: options.drainMs ?? drainMs };
      this.#closed = this.#shutdown.run(wasListening ? times : { lameDuckMs: 0, drainMs: 0 });
    } else if (options.drainMs === 0) this.#shutdown.hurry();
    return this.#closed;
  }

  /** Takes a connection that no server let in; without one, the application starts here. @returns false: not ready. */
  async #connect(connection: Connection): Promise<boolean> {
    if (this.#state === 'created') {
      this.#state = 'listening';
      this.#hasServed = true;
      this.#started = this.#container.bootstrap();
      this.#compileTools();
    }
    await this.#started;
    if (!this.#isOpen) return false;
    this.#connected(connection);
    return true;
  }

  #shutdownSteps(): ShutdownSteps {
    return {
      drain: () => {
        this.#state = 'draining';
      },
      whenEmpty: () => this.#calls.whenEmpty(),
      cut: () => this.#cutCalls(),
      finish: (limitMs) => this.#finish(limitMs),
    };
  }

  #cutCalls(): number {
    this.#state = 'closing';
    this.#server.stopListening();
    for (const handshake of [...this.#handshakes]) handshake.abandon();
    const calls = this.#calls.acceptedCalls();
    for (const call of calls) call.end('shutdown', CLOSE_CODES.goingAway, END_LIMITS_OF_SHUTDOWN);
    return calls.length;
  }

  async #finish(limitMs: number): Promise<void> {
    this.#server.terminate();
    const { clock } = this.#settings;
    const failures = await this.#container.close(this.#signal, {
      deadlineMs: limitMs,
      setTimer: (run, delayMs) => clock.setTimer(run, delayMs),
    });
    for (const error of failures) this.logger.error('a shutdown hook failed', { error });
    await this.#recorder?.whenWritten(RECORDINGS_LIMIT_MS);
    this.#state = 'closed';
    if (this.#hasServed) this.logger.info('closed');
  }

  /** Compiles the validators while nobody waits, one in each turn of the loop; a call that comes first compiles its own. */
  #compileTools(): void {
    const waiting = this.#agents.flatMap((agent) => [...agent.plan.contract.tools.values()]);
    const compileNext = (): void => {
      const tool = waiting.pop();
      try {
        tool?.args.compile();
      } catch (error) {
        // A keyword written by hand; calls of that tool fail, everything else goes on. Its message holds nothing of a caller.
        const why = error instanceof Error ? error.message : undefined;
        this.logger.error('the arguments of a tool cannot be validated', { tool: tool?.where, why, error });
      }
      if (waiting.length > 0 && this.isReady) this.#settings.clock.defer(compileNext);
    };
    this.#settings.clock.defer(compileNext);
  }
}

/** What an application is made of: checked, planned, instantiated. */
export interface ApplicationParts {
  readonly settings: GatewaySettings;
  readonly ports: CallPorts;
  readonly container: Container;
  readonly agents: readonly ServedAgent[];
  readonly plan: ContainerPlan;
  readonly guards: ConnectionGuards;
}
