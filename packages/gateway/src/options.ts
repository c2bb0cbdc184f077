import type { Clock, ErrorDetail, Logger, LogLevel, LogSink } from '@callwright/core';
import type { RecordingSink } from './recording-sink';
import type { TlsFiles } from './tls';

/**
 * How an application is reached and what it takes. Everything is checked at boot; a name that is not listed here, or a
 * value that makes no sense, is a boot error. What is left out comes from the environment where a variable is named,
 * else from the default.
 *
 * @example
 * ```ts no-run
 * import { bootstrap, Module } from 'callwright';
 *
 * @Module({})
 * class AppModule {}
 *
 * void bootstrap(AppModule, { port: 9000, token: ['old-token', 'new-token'], maxCalls: 64 });
 * ```
 */
export interface GatewayOptions {
  /** Address to listen on. `::` serves both address families. Environment: `HOST`. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** 0 takes any free port. Environment: `PORT`. @default 8765 */
  readonly port?: number | undefined;
  /**
   * What a voice server must present as `Authorization: Bearer …`; several are accepted while one replaces another.
   * Environment: `BRISVOX_AGENT_TOKEN`. Without any, only loopback addresses are served.
   */
  readonly token?: string | readonly string[] | undefined;
  /**
   * Serves without a token on an address that others can reach. Environment: `CALLWRIGHT_ALLOW_UNAUTHENTICATED=1`.
   * @default false
   */
  readonly allowUnauthenticated?: boolean | undefined;
  /**
   * Origins of web pages that may connect, such as `https://console.example.com`. A voice server sends none; every
   * other origin is refused, so that a page in somebody's browser cannot drive an agent on their machine.
   * @default []
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Serves `wss://` with these PEM files, read when listening starts. @default none: `ws://` */
  readonly tls?: TlsFiles | undefined;
  /** Calls at once, 1 to 1,000,000; one more is rejected as `unavailable`. @default 256 */
  readonly maxCalls?: number | undefined;
  /**
   * Milliseconds from an open connection to its answer, start hooks included, 1 to 60,000. The voice server gives up
   * after 2,000 unless it was told otherwise. @default 1500
   */
  readonly handshakeTimeoutMs?: number | undefined;
  /**
   * IANA name of a time zone, such as `Europe/Rome`: dates in tool arguments may then be local times of it.
   * @default none: dates need an offset
   */
  readonly timeZone?: string | undefined;
  /**
   * Milliseconds after the beginning of a shutdown in which calls are still taken, while {@link Application.isReady} is false
   * already and balancers notice it; 0 to 600,000. @default 5000; 0 where only this machine is served
   */
  readonly lameDuckMs?: number | undefined;
  /**
   * Milliseconds that live calls may then go on to their own end, before they are cut; 0 to 86,400,000.
   * @default 900000 (15 minutes)
   */
  readonly drainMs?: number | undefined;
  /** What is logged, and where to. */
  readonly log?: LogOptions | undefined;
  /**
   * Records calls: a file of JSON lines per call in this directory, or what a sink of your own makes of the lines. Numbers of
   * caller and called, sensitive arguments and long numbers in words are taken out before a line is written; other words of
   * the caller are in it, so keep recordings as you keep the calls' own.
   * @default none
   */
  readonly record?: RecordingOption | undefined;
  /** The clock of every time-out; tests give a virtual one. @default the machine's */
  readonly clock?: Clock | undefined;
}

/** Where recordings go. */
export type RecordingOption = { readonly directory: string } | RecordingSink;

/** How an application logs. */
export interface LogOptions {
  /** The least severe level that is written. Environment: `CALLWRIGHT_LOG_LEVEL`. @default 'info' */
  readonly level?: LogLevel | undefined;
  /** Where lines go. @default standard error: lines for people on a terminal, JSON lines elsewhere */
  readonly sink?: LogSink | undefined;
  /**
   * `full` lets messages of exceptions through; they may hold what a caller said.
   * @default 'safe'; 'full' on a terminal, unless `NODE_ENV` is `production`
   */
  readonly errorDetail?: ErrorDetail | undefined;
}

/** Options as they are used: checked, completed, frozen. */
export interface GatewaySettings {
  readonly host: string;
  readonly port: number;
  readonly tokens: readonly string[];
  readonly allowUnauthenticated: boolean;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly tls: TlsFiles | undefined;
  readonly maxCalls: number;
  readonly handshakeTimeoutMs: number;
  readonly lameDuckMs: number;
  readonly drainMs: number;
  readonly timeZone: string | undefined;
  readonly record: RecordingSink | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The environment variables that options are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;
