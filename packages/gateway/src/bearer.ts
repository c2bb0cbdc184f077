import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Decides whether an `Authorization` header carries one of the accepted bearer tokens. The time it takes tells
 * nothing of the tokens: both sides are hashed with a key that only this process has, and every token is compared.
 */
export class BearerCheck {
  readonly #key = randomBytes(32);
  readonly #digests: readonly Buffer[];

  /** @param tokens the accepted tokens; none: everybody is let in. */
  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map((token) => this.#digest(token));
  }

  /**
   * @returns the index of the token that was presented, 0 when none is asked for; undefined: refused.
   */
  accept(request: Pick<IncomingMessage, 'headersDistinct'>): number | undefined {
    if (this.#digests.length === 0) return 0;
    const headers = request.headersDistinct.authorization;
    // Two headers are two claims; which of them another party in between believed cannot be known.
    if (headers?.length !== 1) return undefined;
    const presented = /^bearer +([^ ].*)$/i.exec(headers[0] ?? '')?.[1];
    if (presented === undefined) return undefined;
    const digest = this.#digest(presented);
    let accepted: number | undefined;
    for (const [index, candidate] of this.#digests.entries()) {
      if (timingSafeEqual(candidate, digest)) accepted = index;
    }
    return accepted;
  }

  #digest(token: string): Buffer {
    return createHmac('sha256', this.#key).update(token).digest();
  }
}
