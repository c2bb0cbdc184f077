import { createHmac, randomBytes } from 'node:crypto';
import { ProtocolError } from './errors';
import { isBoolean, isFiniteNumber, isObject, isString } from './fields';
import {
  DEFAULT_TOKEN_LIFETIME_SECONDS,
  MAX_TOKEN_BYTES,
  MAX_TOKEN_CALL_SECONDS,
  MAX_TOKEN_LIFETIME_SECONDS,
  MAX_TOKEN_META_ENTRIES,
  MAX_TOKEN_META_KEY_BYTES,
  MAX_TOKEN_META_VALUE_BYTES,
  MAX_TOKEN_NAME_BYTES,
  MIN_IMPLAUSIBLE_UNIX_SECONDS,
  MIN_TOKEN_SECRET_BYTES,
} from './limits';
import { exceedsUtf8, isWellFormed, utf8ByteLength } from './text';

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
  const { secret, audience, sessionId, agent, maxCallSeconds, meta, nowUnixSeconds } = options;
  const ttlSeconds = options.ttlSeconds ?? DEFAULT_TOKEN_LIFETIME_SECONDS;
  checkSecret(secret);
  if (!TOKEN_AUDIENCES.includes(audience)) {
    throw refused('audience', `must be one of ${TOKEN_AUDIENCES.join(', ')}`);
  }
  checkSeconds(ttlSeconds, 'ttlSeconds', MAX_TOKEN_LIFETIME_SECONDS);
  if (sessionId !== undefined) checkName(sessionId, 'sessionId', MAX_TOKEN_NAME_BYTES);
  if (agent !== undefined) checkName(agent, 'agent', MAX_TOKEN_NAME_BYTES);
  if (maxCallSeconds !== undefined) checkSeconds(maxCallSeconds, 'maxCallSeconds', MAX_TOKEN_CALL_SECONDS);
  const claims = {
    aud: audience,
    exp: unixSeconds(nowUnixSeconds) + ttlSeconds,
    sid: sessionId ?? randomBytes(SESSION_ID_BYTES).toString('base64url'),
    agent,
    max_s: maxCallSeconds,
    meta: meta === undefined ? undefined : checkedMeta(meta),
  };
  const token = sign(asciiJson(claims), secret);
  if (token.length > MAX_TOKEN_BYTES) {
    throw refused('the whole token', `must have at most ${MAX_TOKEN_BYTES} bytes; shorten meta`);
  }
  return token;
}

function sign(payload: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(payload).digest('base64url');
  return `v1.${Buffer.from(payload).toString('base64url')}.${signature}`;
}

/** Compact JSON with everything outside printable ASCII escaped, byte for byte as other minters of these tokens sign it. */
function asciiJson(claims: object): string {
  return JSON.stringify(claims).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function checkSecret(secret: unknown): void {
  checkText(secret, 'secret', Number.POSITIVE_INFINITY);
  if (utf8ByteLength(String(secret)) >= MIN_TOKEN_SECRET_BYTES) return;
  throw refused('secret', `must have at least ${MIN_TOKEN_SECRET_BYTES} bytes of UTF-8`);
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

type Meta = Readonly<Record<string, string | number | boolean>>;

/** A copy of what was checked, undefined when empty; fromEntries defines keys, so `__proto__` is one like any other. */
function checkedMeta(meta: unknown): Meta | undefined {
  if (!isObject(meta)) throw refused('meta', 'must be an object');
  const entries = Object.entries(meta).map(([key, value]): [string, string | number | boolean] => {
    checkName(key, 'a key of meta', MAX_TOKEN_META_KEY_BYTES);
    return [key, checkedMetaValue(value)];
  });
  if (entries.length > MAX_TOKEN_META_ENTRIES) {
    throw refused('meta', `must have at most ${MAX_TOKEN_META_ENTRIES} entries`);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function checkedMetaValue(value: unknown): string | number | boolean {
  if (isBoolean(value) || isFiniteNumber(value)) return value;
  if (!isString(value)) throw refused('a value of meta', 'must be a string, a finite number or a boolean');
  checkText(value, 'a value of meta', MAX_TOKEN_META_VALUE_BYTES);
  return value;
}

const CONTROL_CHARACTER = /\p{Cc}/u;

function checkName(value: unknown, name: string, maxBytes: number): void {
  checkText(value, name, maxBytes);
  if (value === '') throw refused(name, 'must not be empty');
  if (CONTROL_CHARACTER.test(String(value))) throw refused(name, 'must not contain control characters');
}

function checkText(value: unknown, name: string, maxBytes: number): void {
  if (!isString(value)) throw refused(name, 'must be a string');
  if (!isWellFormed(value)) throw refused(name, 'must not contain a lone surrogate');
  if (exceedsUtf8(value, maxBytes)) throw refused(name, `must have at most ${maxBytes} bytes of UTF-8`);
}

function refused(what: string, why: string): ProtocolError {
  return new ProtocolError('CW_SESSION_TOKEN_OPTION', { what, why });
}
