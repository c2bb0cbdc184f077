import { type ExecutionContext, isReadOnlyTool } from '../execution-context';
import type { Interceptor, Next } from '../interceptor';
import type { ToolContext } from '../tool-context';
import { wholeNumber } from './whole-number';

/** Options of {@link CacheInterceptor}. */
export interface CacheOptions {
  /** How long a result is good, 1 to 86,400,000 milliseconds. */
  readonly ttlMs: number;
  /** How many results are kept, for each call or together; the oldest goes first. 1 to 10,000. @default 64 */
  readonly maxEntries?: number | undefined;
  /** True: one memory for all calls. Only for answers that do not depend on who asks. @default false */
  readonly sharedBetweenCalls?: boolean | undefined;
}

interface Kept {
  readonly result: Promise<unknown>;
  readonly untilMs: number;
  /** The tool call that runs it, for as long as it runs. */
  maker: ToolContext | undefined;
}

/**
 * Answers a read-only tool from memory when it was asked the same (equal arguments, in any order of their names) a moment
 * ago, also while the first answer is still under way. Failures are not kept, and nobody else fails with a call that was
 * cancelled. Everything else passes through.
 */
export class CacheInterceptor implements Interceptor {
  readonly #ttlMs: number;
  readonly #maxEntries: number;
  readonly #shared: Map<string, Kept> | undefined;
  /** By call: what a caller was told goes with the call. */
  readonly #ofCalls = new WeakMap<object, Map<string, Kept>>();

  /** @throws RangeError when an option is out of its bounds. */
  constructor(options: CacheOptions) {
    this.#ttlMs = wholeNumber('CacheInterceptor: ttlMs', options.ttlMs, 1, 86_400_000);
    this.#maxEntries = wholeNumber('CacheInterceptor: maxEntries', options.maxEntries ?? 64, 1, 10_000);
    this.#shared = options.sharedBetweenCalls === true ? new Map() : undefined;
  }

  intercept(context: ExecutionContext, next: Next): Promise<unknown> {
    if (!isReadOnlyTool(context)) return next();
    const memory = this.#shared ?? this.#memoryOf(context.call);
    const key = `${context.where} ${canonical(context.args)}`;
    const nowMs = context.clock.nowMs();
    const known = memory.get(key);
    if (known && known.untilMs > nowMs && !isCancelled(known.maker)) return this.#join(known, context, next);
    const result = next();
    const kept: Kept = { result, untilMs: nowMs + this.#ttlMs, maker: context.tool };
    memory.delete(key); // a new one goes to the end of the order
    memory.set(key, kept);
    result.then(
      () => {
        kept.maker = undefined;
      },
      () => {
        if (memory.get(key) === kept) memory.delete(key);
      },
    );
    for (const oldest of memory.keys()) {
      if (memory.size <= this.#maxEntries) break;
      memory.delete(oldest);
    }
    return result;
  }

  #join({ result, maker }: Kept, context: ExecutionContext, next: Next): Promise<unknown> {
    if (maker === undefined) return result;
    return result.catch((error) => {
      if (!isCancelled(maker)) throw error;
      return this.intercept(context, next);
    });
  }

  #memoryOf(call: object): Map<string, Kept> {
    const known = this.#ofCalls.get(call);
    if (known) return known;
    const made = new Map<string, Kept>();
    this.#ofCalls.set(call, made);
    return made;
  }
}

function isCancelled(maker: ToolContext | undefined): boolean {
  return maker?.cancelRequested !== undefined;
}

/** JSON with the members of objects in the order of their names. The arguments' depth was bounded when they were read. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
