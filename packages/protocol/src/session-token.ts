/** The listeners a session token can be for. */
export const TOKEN_AUDIENCES = Object.freeze(['brisvox-webrtc', 'brisvox-rtvi', 'brisvox-ws'] as const);

/** A listener a session token can be for. */
export type TokenAudience = (typeof TOKEN_AUDIENCES)[number];

/** What a session token is minted from (protocol section 7). */
export interface SessionTokenOptions {
  /** Shared with the voice server; at least 32 bytes of UTF-8. */
  readonly secret: string;
  readonly audience: TokenAudience;
  /** Seconds until it ends, 1 to 86,400. @default 60 */
  readonly ttlSeconds?: number | undefined;
  /** The single-use id of the session. @default 16 random bytes as base64url */
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

/**
 * Mints a token with which a visitor's page opens one call.
 * @throws ProtocolError `invalid_argument`; its message names the option, never the secret or a value.
 */
export function mintSessionToken(options: SessionTokenOptions): string {
  throw new Error(`being written ${options.audience}`);
}
