import { createHmac, randomBytes } from 'node:crypto';
import { ProtocolError } from './errors';
import { isFiniteNumber, isObject } from './fields';
import {
  DEFAULT_TOKEN_LIFETIME_SECONDS,
  MAX_TOKEN_CALL_SECONDS,
  MAX_TOKEN_LIFETIME_SECONDS,
  MIN_IMPLAUSIBLE_UNIX_SECONDS,
  MIN_TOKEN_SECRET_BYTES,
} from './limits';
import { isWellFormed, utf8ByteLength } from './text';

/** The listeners a session token can be for. */
export const TOKEN_AUDIENCES = Object.freeze(['brisvox-webrtc', 'brisvox-rtvi', 'brisvox-ws'] as const);

/** A listener a session token can be for. */
export type TokenAudience = (typeof TOKEN_AUDIENCES)[number];

/** What a session token is minted from (protocol section 7). */
export interface SessionTokenOptions {
  /** Shared with the voice server; at least 32 bytes of UTF-8. It never goes to the browser. */
  readonly secret: string;
  readonly audience: TokenAudience;
  /** Seconds until it ends, 1 to 86,400. @default 60 */
  readonly ttlSeconds?: number | undefined;
  /** The id of the session, which opens one call. @default 16 random bytes as base64url */
  readonly sessionId?: string | undefined;
  /** The server's agent definition to run. */
  readonly agent?: string | undefined;
  /** The longest call it allows, in seconds, 1 to 86,400. */
  readonly maxCallSeconds?: number | undefined;
  /** Facts for the call's metadata; an empty object is left out. */
  readonly meta?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Seconds since 1970. @default the machine's clock */
  readonly nowUnixSeconds?: number | undefined;
}

const SESSION_ID_BYTES = 16;

/**
 * Mints a token with which a visitor's page opens one call on the voice server.
 * @throws ProtocolError `invalid_argument`; its message names the option, never the secret or a value.
 * @example
 * import { mintSessionToken } from '@callwright/protocol';
 * const token = mintSessionToken({
 *   secret: 'a secret of thirty-two bytes or more',
 *   audience: 'brisvox-webrtc',
 *   maxCallSeconds: 600,
 *   meta: { visitor: 'v-17' },
 * });
 */
export function mintSessionToken(options: SessionTokenOptions): string {
  const { secret, audience, maxCallSeconds, meta } = options;
  checkText(secret, 'secret');
  if (utf8ByteLength(secret) < MIN_TOKEN_SECRET_BYTES) {
    throw refused('secret', `must have at least ${MIN_TOKEN_SECRET_BYTES} bytes of UTF-8`);
  }
  if (!TOKEN_AUDIENCES.includes(audience)) {
    throw refused('audience', `must be one of ${TOKEN_AUDIENCES.join(', ')}`);
  }
  const ttlSeconds = options.ttlSeconds ?? DEFAULT_TOKEN_LIFETIME_SECONDS;
  checkSeconds(ttlSeconds, 'ttlSeconds', MAX_TOKEN_LIFETIME_SECONDS);
  if (maxCallSeconds !== undefined) checkSeconds(maxCallSeconds, 'maxCallSeconds', MAX_TOKEN_CALL_SECONDS);
  for (const name of ['sessionId', 'agent'] as const) {
    if (options[name] !== undefined) checkText(options[name], name);
  }
  const claims = {
    aud: audience,
    exp: unixSeconds(options.nowUnixSeconds) + ttlSeconds,
    sid: options.sessionId ?? randomBytes(SESSION_ID_BYTES).toString('base64url'),
    agent: options.agent,
    max_s: maxCallSeconds,
    meta: checkedMeta(meta),
  };
  return sign(asciiJson(claims), secret);
}

function sign(payload: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(payload).digest('base64url');
  return `v1.${Buffer.from(payload).toString('base64url')}.${signature}`;
}

/** Compact JSON in which everything beyond printable ASCII is escaped, byte for byte what the servers' SDK signs. */
function asciiJson(claims: object): string {
  return JSON.stringify(claims).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function unixSeconds(now: number | undefined): number {
  if (now === undefined) return Math.floor(Date.now() / 1000);
  if (!Number.isSafeInteger(now) || now < 0)
    throw refused('nowUnixSeconds', 'must be whole seconds since 1970');
  if (now >= MIN_IMPLAUSIBLE_UNIX_SECONDS)
    throw refused('nowUnixSeconds', 'must be seconds, not milliseconds');
  return now;
}

function checkSeconds(value: unknown, name: string, maximum: number): void {
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= maximum) return;
  throw refused(name, `must be a whole number of seconds from 1 to ${maximum}`);
}

function checkedMeta(meta: SessionTokenOptions['meta']): SessionTokenOptions['meta'] {
  if (meta === undefined) return undefined;
  if (!isObject(meta)) throw refused('meta', 'must be an object');
  const entries = Object.entries(meta);
  for (const [key, value] of entries) {
    checkText(key, 'a key of meta');
    if (typeof value === 'string') checkText(value, 'a value of meta');
    else if (typeof value !== 'boolean' && !isFiniteNumber(value)) {
      throw refused('a value of meta', 'must be a string, a finite number or a boolean');
    }
  }
  // A copy of what was checked; fromEntries defines keys, so "__proto__" is one like any other.
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function checkText(value: unknown, name: string): void {
  if (typeof value !== 'string') throw refused(name, 'must be a string');
  if (!isWellFormed(value)) throw refused(name, 'must not contain a lone surrogate');
}

function refused(what: string, why: string): ProtocolError {
  return new ProtocolError('CW_SESSION_TOKEN_OPTION', { what, why });
}
