import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Clock, type Logger } from '@callwright/core';
import { type Container, type ContainerPlan, InjectionToken } from '@callwright/di';

/** The HTTP request that wants to become a WebSocket. Bearer token and origin were checked before. */
export interface ConnectionRequest {
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Path and query. */
  readonly path: string;
  /** The peer's address; behind a proxy, the proxy's. */
  readonly remoteAddress: string | undefined;
  /** Whether it came by TLS to this process. */
  readonly isEncrypted: boolean;
}

/**
 * Decides whether a connection may be opened, before there is a socket and before any call. For what a bearer token cannot
 * say: addresses, paths, signatures. Bound by `APP_CONNECTION_GUARD` providers alone, which are singletons.
 *
 * Refused (403) is whatever is not `true`. A guard that throws, or takes more than 1.5 s, is answered with 503: a voice server may
 * try again.
 *
 * @example
 * ```ts
 * import { APP_CONNECTION_GUARD, type ConnectionGuard, type ConnectionRequest, Injectable, Module } from 'callwright';
 *
 * @Injectable()
 * class PathGuard implements ConnectionGuard {
 *   accepts(request: ConnectionRequest): boolean {
 *     return request.path === '/luigi';
 *   }
 * }
 *
 * @Module({ providers: [{ provide: APP_CONNECTION_GUARD, useClass: PathGuard }] })
 * export class DoorModule {}
 * ```
 */
export interface ConnectionGuard {
  accepts(request: ConnectionRequest): boolean | Promise<boolean>;
}

/** Provide connection guards with it, in any module. */
export const APP_CONNECTION_GUARD = new InjectionToken<ConnectionGuard[]>('APP_CONNECTION_GUARD', {
  multi: true,
});

/** How long all guards of one connection may take. */
export const CONNECTION_GUARDS_LIMIT_MS = 1_500;

const FORBIDDEN = 403;
const UNAVAILABLE = 503;

/** The connection guards of an application, asked one after another. */
export class ConnectionGuards {
  readonly #guards: readonly ConnectionGuard[];
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(guards: readonly ConnectionGuard[], clock: Clock, logger: Logger) {
    this.#guards = guards;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The HTTP status that refuses a request; undefined when it may pass. A promise only when there are guards. */
  judge(request: IncomingMessage): undefined | Promise<number | undefined> {
    if (this.#guards.length === 0) return undefined;
    return new Promise((resolve) => {
      const timer = this.#clock.setTimer(() => {
        this.#logger.error('a connection guard took too long', { limitMs: CONNECTION_GUARDS_LIMIT_MS });
        resolve(UNAVAILABLE);
      }, CONNECTION_GUARDS_LIMIT_MS);
      void this.#ask(connectionRequest(request)).then((status) => {
        timer.cancel();
        resolve(status);
      });
    });
  }

  async #ask(request: ConnectionRequest): Promise<number | undefined> {
    for (const guard of this.#guards) {
      try {
        if ((await guard.accepts(request)) !== true) return FORBIDDEN;
      } catch (error) {
        this.#logger.error('a connection guard failed', { guard: guard.constructor?.name, error });
        return UNAVAILABLE;
      }
    }
    return undefined;
  }
}

/**
 * The instances of all connection guards.
 * @throws DiError `CW_DI_GET_CALL_SCOPED` for one that lives inside calls: there is no call yet.
 */
export function connectionGuardsOf(plan: ContainerPlan, container: Container): readonly ConnectionGuard[] {
  const modules = new Set(plan.providersOf(APP_CONNECTION_GUARD).map(({ module }) => module));
  // A module that exports its guards shows them to others too: each instance counts once.
  return [
    ...new Set(
      [...modules].flatMap((module) => container.get(APP_CONNECTION_GUARD, { module, strict: true })),
    ),
  ];
}

function connectionRequest(request: IncomingMessage): ConnectionRequest {
  const { headers, url = '/', socket } = request;
  return {
    headers,
    path: url,
    remoteAddress: socket.remoteAddress,
    isEncrypted: (socket as Partial<TLSSocket>).encrypted === true, // only sockets of TLS have the member
  };
}
