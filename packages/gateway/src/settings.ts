import {
  type Clock,
  type ErrorDetail,
  LOG_LEVELS,
  Logger,
  type LogLevel,
  type LogSink,
  lineSink,
  type Problem,
  systemClock,
} from '@callwright/core';
import { isLoopback, normalizeHost } from './address';
import { gatewayProblem } from './errors';
import {
  hasMethods,
  type OptionSource,
  readChoice,
  readInteger,
  reportInvalid,
  reportUnknownMembers,
  shorten,
} from './option-source';
import type { Environment, GatewayOptions, GatewaySettings, LogOptions } from './options';
import { directorySink, type RecordingSink } from './recording-sink';
import type { TlsFiles } from './tls';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8765;
const DEFAULT_MAX_CALLS = 256;
const MAX_CALLS_BOUND = 1_000_000;
const DEFAULT_HANDSHAKE_TIMEOUT_MS = 1_500;
const HANDSHAKE_TIMEOUT_BOUND_MS = 60_000;
/** Balancers ask for readiness every few seconds. Where only this machine is served there is none. */
const DEFAULT_LAME_DUCK_MS = 5_000;
const LAME_DUCK_BOUND_MS = 600_000;
const DEFAULT_DRAIN_MS = 900_000;
const DRAIN_BOUND_MS = 86_400_000;
/** The header that carries a token is bounded at 8 KiB; a much longer token could never arrive. */
const TOKEN_LENGTH_BOUND = 4_096;
const TOKEN_COUNT_BOUND = 64;
const ORIGIN_COUNT_BOUND = 1_024;

const OPTION_NAMES = Object.keys({
  host: 0,
  port: 0,
  token: 0,
  allowUnauthenticated: 0,
  allowedOrigins: 0,
  tls: 0,
  maxCalls: 0,
  handshakeTimeoutMs: 0,
  lameDuckMs: 0,
  drainMs: 0,
  timeZone: 0,
  log: 0,
  record: 0,
  clock: 0,
} satisfies { readonly [Name in keyof GatewayOptions]-?: 0 });

/** What {@link readSettings} found. With problems, the settings are complete but must not be used. */
export interface ReadSettings {
  readonly settings: GatewaySettings;
  readonly problems: readonly Problem[];
}

/** Merges options with the environment and checks both. An option given in code wins over its variable. */
export function readSettings(options: GatewayOptions, environment: Environment): ReadSettings {
  const source: OptionSource = { options: { ...options }, environment, problems: [] };
  reportUnknownOptions(source);
  const host = readHost(source);
  const allowUnauthenticated = readAllowUnauthenticated(source);
  const tokens = readTokens(source);
  const clock = readClock(source);
  const settings = Object.freeze({
    host,
    port: readPort(source),
    tokens: tokens ?? [],
    allowUnauthenticated,
    allowedOrigins: readAllowedOrigins(source),
    tls: readTls(source),
    maxCalls: readInteger(source, 'maxCalls', {
      standard: DEFAULT_MAX_CALLS,
      least: 1,
      most: MAX_CALLS_BOUND,
    }),
    handshakeTimeoutMs: readInteger(source, 'handshakeTimeoutMs', {
      standard: DEFAULT_HANDSHAKE_TIMEOUT_MS,
      least: 1,
      most: HANDSHAKE_TIMEOUT_BOUND_MS,
    }),
    lameDuckMs: readInteger(source, 'lameDuckMs', {
      standard: isLoopback(host) ? 0 : DEFAULT_LAME_DUCK_MS,
      least: 0,
      most: LAME_DUCK_BOUND_MS,
    }),
    drainMs: readInteger(source, 'drainMs', { standard: DEFAULT_DRAIN_MS, least: 0, most: DRAIN_BOUND_MS }),
    timeZone: readTimeZone(source),
    record: readRecord(source),
    logger: readLogger(source, clock),
    clock,
  });
  // A token that was refused is reported as such; that there is "no token" would be a second report of the same mistake.
  if (tokens?.length === 0 && !allowUnauthenticated && !isLoopback(host)) {
    source.problems.push(gatewayProblem('CW_UNAUTHENTICATED_HOST', { host }));
  }
  return { settings, problems: source.problems };
}

function reportUnknownOptions(source: OptionSource): void {
  for (const option of Object.keys(source.options)) {
    if (OPTION_NAMES.includes(option)) continue;
    source.problems.push(
      gatewayProblem('CW_OPTION_UNKNOWN', { option: shorten(option), known: OPTION_NAMES }),
    );
  }
}

function readHost(source: OptionSource): string {
  const fromEnvironment = source.options.host === undefined;
  const option = fromEnvironment ? 'HOST (environment)' : 'host';
  const value = fromEnvironment ? source.environment.HOST || DEFAULT_HOST : source.options.host;
  if (typeof value === 'string' && /^[^\s/]{1,255}$/.test(value)) return normalizeHost(value);
  reportInvalid(source, option, value, 'the address or name of a network interface of this machine');
  return DEFAULT_HOST;
}

function readPort(source: OptionSource): number {
  const variable = source.environment.PORT;
  if (source.options.port !== undefined || !variable) {
    return readInteger(source, 'port', { standard: DEFAULT_PORT, least: 0, most: 65_535 });
  }
  const port = /^\d{1,5}$/.test(variable) ? Number(variable) : Number.NaN;
  if (port <= 65_535) return port;
  reportInvalid(source, 'PORT (environment)', variable, 'an integer from 0 to 65535');
  return DEFAULT_PORT;
}

/** Undefined when a token was given and refused. */
function readTokens(source: OptionSource): readonly string[] | undefined {
  const { token } = source.options;
  if (token === undefined) {
    const variable = source.environment.BRISVOX_AGENT_TOKEN;
    return variable ? checkTokens(source, [variable], () => 'BRISVOX_AGENT_TOKEN') : [];
  }
  if (typeof token === 'string') return checkTokens(source, [token], () => 'The option token');
  if (Array.isArray(token) && token.length > 0 && token.length <= TOKEN_COUNT_BOUND) {
    return checkTokens(source, token, (index) => `The option token[${index}]`);
  }
  // What stands there may be a secret in a wrong wrapping: only its kind is shown.
  const found = Array.isArray(token) ? `a list of ${token.length}` : `of type ${typeof token}`;
  source.problems.push(
    gatewayProblem('CW_OPTION_INVALID', {
      option: 'token',
      found,
      expected: `a string, or a list of 1 to ${TOKEN_COUNT_BOUND} strings`,
    }),
  );
  return undefined;
}

function checkTokens(
  source: OptionSource,
  tokens: readonly unknown[],
  nameOf: (index: number) => string,
): readonly string[] | undefined {
  const accepted: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const reason = tokenFault(token);
    if (reason === undefined) accepted.push(String(token));
    else source.problems.push(gatewayProblem('CW_TOKEN_INVALID', { option: nameOf(index), reason }));
  }
  return accepted.length === tokens.length ? accepted : undefined;
}

function tokenFault(token: unknown): string | undefined {
  if (typeof token !== 'string') return `is of type ${typeof token}, not a string`;
  if (token === '') return 'is empty';
  if (token.trim() === '') return 'is blank';
  if (token.trim() !== token) return 'begins or ends with a blank or a line break';
  if (!/^[\x20-\x7e]*$/.test(token)) return 'holds a control character or one outside ASCII';
  if (token.length > TOKEN_LENGTH_BOUND) return `is longer than ${TOKEN_LENGTH_BOUND} characters`;
  return undefined;
}

function readAllowUnauthenticated(source: OptionSource): boolean {
  const { allowUnauthenticated } = source.options;
  if (typeof allowUnauthenticated === 'boolean') return allowUnauthenticated;
  if (allowUnauthenticated !== undefined) {
    reportInvalid(source, 'allowUnauthenticated', allowUnauthenticated, 'true or false');
    return false;
  }
  const name = 'CALLWRIGHT_ALLOW_UNAUTHENTICATED';
  const variable = source.environment[name];
  if (variable === '1') return true;
  if (variable && variable !== '0')
    reportInvalid(source, `${name} (environment)`, variable, '1, 0, or empty');
  return false;
}

function readAllowedOrigins(source: OptionSource): ReadonlySet<string> {
  const { allowedOrigins } = source.options;
  const origins = new Set<string>();
  if (allowedOrigins === undefined) return origins;
  if (!Array.isArray(allowedOrigins) || allowedOrigins.length > ORIGIN_COUNT_BOUND) {
    reportInvalid(
      source,
      'allowedOrigins',
      allowedOrigins,
      `a list of at most ${ORIGIN_COUNT_BOUND} origins`,
    );
    return origins;
  }
  for (const [index, origin] of allowedOrigins.entries()) {
    if (isOrigin(origin)) origins.add(origin);
    else {
      const expected =
        'an origin as a browser sends it, in lower case, without a path: https://console.example.com';
      reportInvalid(source, `allowedOrigins[${index}]`, origin, expected);
    }
  }
  return origins;
}

function isOrigin(origin: unknown): origin is string {
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin;
}

function readTls(source: OptionSource): TlsFiles | undefined {
  const { tls } = source.options;
  if (tls === undefined) return undefined;
  if (typeof tls !== 'object' || tls === null) {
    reportInvalid(source, 'tls', tls, '{ certFile, keyFile }');
    return undefined;
  }
  reportUnknownMembers(source, 'tls', tls, ['certFile', 'keyFile']);
  const certFile = 'certFile' in tls ? tls.certFile : undefined;
  const keyFile = 'keyFile' in tls ? tls.keyFile : undefined;
  if (isFileName(certFile) && isFileName(keyFile)) return { certFile, keyFile };
  if (!isFileName(certFile)) reportInvalid(source, 'tls.certFile', certFile, 'the name of a PEM file');
  if (!isFileName(keyFile)) reportInvalid(source, 'tls.keyFile', keyFile, 'the name of a PEM file');
  return undefined;
}

function isFileName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readTimeZone(source: OptionSource): string | undefined {
  const { timeZone } = source.options;
  if (timeZone === undefined || isTimeZone(timeZone)) return timeZone;
  reportInvalid(source, 'timeZone', timeZone, 'the IANA name of a time zone, such as Europe/Rome');
  return undefined;
}

function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // the constructor throws for a name it does not know: there is no other way to ask it
  }
}

function readClock(source: OptionSource): Clock {
  const { clock } = source.options;
  if (clock === undefined) return systemClock;
  if (hasMethods<Clock>(clock, ['nowMs', 'wallMs', 'setTimer', 'defer'])) return clock;
  reportInvalid(source, 'clock', clock, 'an object with the methods nowMs, wallMs, setTimer and defer');
  return systemClock;
}

function readRecord(source: OptionSource): RecordingSink | undefined {
  const { record } = source.options;
  if (record === undefined || hasMethods<RecordingSink>(record, ['open'])) return record;
  const directory =
    typeof record === 'object' && record !== null && 'directory' in record && record.directory;
  if (typeof directory !== 'string' || directory === '') {
    reportInvalid(source, 'record', record, '{ directory: "recordings" }, or an object with the method open');
    return undefined;
  }
  reportUnknownMembers(source, 'record', record as object, ['directory']);
  try {
    return directorySink(directory);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    source.problems.push(gatewayProblem('CW_RECORDING_DIRECTORY', { directory: shorten(directory), reason }));
    return undefined;
  }
}

function readLogger(source: OptionSource, clock: Clock): Logger {
  const log = readLogOptions(source);
  const isDevelopment = process.stderr.isTTY && source.environment.NODE_ENV !== 'production';
  return new Logger({
    level: log.level ?? readLevelVariable(source),
    sink: log.sink ?? lineSink(),
    errorDetail: log.errorDetail ?? (isDevelopment ? 'full' : 'safe'),
    wallMs: () => clock.wallMs(),
  });
}

function readLevelVariable(source: OptionSource): LogLevel | undefined {
  const name = 'CALLWRIGHT_LOG_LEVEL';
  const variable = source.environment[name];
  return variable ? readChoice(source, `${name} (environment)`, variable, LOG_LEVELS) : undefined;
}

function readLogOptions(source: OptionSource): LogOptions {
  const { log } = source.options;
  if (log === undefined) return {};
  if (typeof log !== 'object' || log === null) {
    reportInvalid(source, 'log', log, '{ level, sink, errorDetail }');
    return {};
  }
  reportUnknownMembers(source, 'log', log, ['level', 'sink', 'errorDetail']);
  const { level, sink, errorDetail } = log as Partial<Record<keyof LogOptions, unknown>>;
  return {
    level: readChoice<LogLevel>(source, 'log.level', level, LOG_LEVELS),
    errorDetail: readChoice<ErrorDetail>(source, 'log.errorDetail', errorDetail, ['safe', 'full']),
    sink: readSink(source, sink),
  };
}

function readSink(source: OptionSource, sink: unknown): LogSink | undefined {
  if (sink === undefined || hasMethods<LogSink>(sink, ['write'])) return sink;
  reportInvalid(source, 'log.sink', sink, 'an object with the method write');
  return undefined;
}
