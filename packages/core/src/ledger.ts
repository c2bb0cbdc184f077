import { isDeepStrictEqual } from 'node:util';
import type { Clock } from './clock';
import type { ToolDeclaration, ToolRequest } from './link';
import type { ToolOutcome } from './tool-outcome';

/** A call remembers so many side effects; further ones are refused. */
export const LEDGER_KEYS_LIMIT = 16_384;
/** Bytes of recorded answers, and of requests, that a call keeps; the oldest are dropped first. */
export const LEDGER_KEPT_BYTES = 262_144;
/** An outcome that the model was not told of stands for identical requests so long. */
export const UNDELIVERED_FOR_MS = 120_000;
/**
 * An answer sent so shortly before a loss may not have arrived: where only this side's frames get lost, the voice server notices
 * after 30 to 40 s, and this side when the server then closes.
 */
export const DELIVERY_DOUBT_MS = 45_000;

/** Stands for an answer that the bound on kept answers dropped. */
const DROPPED: unique symbol = Symbol('dropped');

/** What is remembered of one side effect. */
export interface LedgerEntry {
  readonly tool: string;
  /** The key of the request that ran it. */
  readonly wireKey: string;
  readonly repeatable: boolean;
  /** The message of that request, its arguments in it; gone once the bound on kept requests dropped it. */
  source: string | undefined;
  readonly readArgs: ToolRequest['readArgs'];
  /** What the request, and once it ended the answer, count for the bounds. */
  readonly sourceBytes: number;
  answerBytes: number;
  /** Its method was started. */
  begun: boolean;
  /** How it ended, undefined while it runs. A result stands here as its JSON text: the fewer objects stay, the less is collected. */
  ending: string | Exclude<ToolOutcome, { kind: 'result' }> | typeof DROPPED | undefined;
  /** When its answer was handed to a link; undefined while the model was not told. */
  answeredMs: number | undefined;
  /** While now is before it, an identical request gets this outcome instead of running. */
  undeliveredUntilMs: number | undefined;
  /** When the model was told of the undelivered outcome. */
  toldMs: number | undefined;
  /** Called with the outcome: later requests that wait for the same one. */
  joined: ((outcome: ToolOutcome) => void)[] | undefined;
}

/** What the ledger says to a request. */
export type LedgerVerdict =
  | { readonly kind: 'run'; readonly entry: LedgerEntry }
  | { readonly kind: 'known'; readonly entry: LedgerEntry; readonly outcome: ToolOutcome }
  | { readonly kind: 'join'; readonly entry: LedgerEntry }
  | { readonly kind: 'refuse'; readonly message: string };

const OTHER_ARGUMENTS = 'this request was made before with other arguments';
const NO_LONGER_KEPT = 'this was done before; its result is no longer kept';
const LEDGER_FULL = 'too many actions in this call';

/**
 * The side effects of one call: each runs at most once per key, and an identical request does not run while the model has
 * not been told how the first one ended.
 */
export class Ledger {
  readonly #byKey = new Map<string, LedgerEntry>();
  /** Entries whose answer, or whose request, is kept; oldest first. */
  readonly #answers = new Queue(ANSWERS);
  readonly #requests = new Queue(REQUESTS);
  /** Made when there is one. */
  #undelivered: Set<LedgerEntry> | undefined;

  /** How many keys are remembered. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Decides what a request for a side effect comes to, and remembers it when it is to run. */
  look(
    request: ToolRequest,
    declaration: Pick<ToolDeclaration, 'name' | 'repeatable'>,
    clock: Pick<Clock, 'nowMs'>,
  ): LedgerVerdict {
    const repeatable = declaration.repeatable === true;
    const known = this.#byKey.get(request.wireKey);
    if (known)
      return isSameRequest(known, request) ? verdictOn(known) : { kind: 'refuse', message: OTHER_ARGUMENTS };
    const undelivered = repeatable ? undefined : this.#undelivered;
    const twin = undelivered?.size ? undeliveredTwin(undelivered, request, clock.nowMs()) : undefined;
    if (this.#byKey.size >= LEDGER_KEYS_LIMIT) return { kind: 'refuse', message: LEDGER_FULL };
    if (twin) {
      this.#byKey.set(request.wireKey, twin);
      return verdictOn(twin);
    }
    const entry: LedgerEntry = {
      tool: declaration.name, // not the request's copy of it, which would be kept for nothing
      wireKey: request.wireKey,
      repeatable,
      source: request.source,
      readArgs: request.readArgs,
      sourceBytes: Buffer.byteLength(request.source),
      answerBytes: 0,
      begun: false,
      ending: undefined,
      answeredMs: undefined,
      undeliveredUntilMs: undefined,
      toldMs: undefined,
      joined: undefined,
    };
    this.#byKey.set(request.wireKey, entry);
    return { kind: 'run', entry };
  }

  /** Records how it ended and tells who joined. A request that never began leaves no trace: it may be made again. */
  settle(entry: LedgerEntry, outcome: ToolOutcome): void {
    if (entry.begun) {
      entry.ending = endingOf(outcome);
      entry.answerBytes = outcome.kind === 'result' ? Buffer.byteLength(outcome.json) : 64;
      this.#answers.add(entry);
      // Not before: an identical request must be known for as long as this one runs. So many run at once, no more.
      this.#requests.add(entry);
    } else this.#byKey.delete(entry.wireKey);
    const { joined } = entry;
    if (!joined) return;
    entry.joined = undefined;
    for (const tell of joined) tell(outcome);
  }

  /** The tool's own code told how a side effect ended of which nobody knew. */
  reconcile(entry: LedgerEntry, outcome: ToolOutcome): void {
    entry.ending = endingOf(outcome);
  }

  /** The answer was handed to the link. */
  answered(entry: LedgerEntry, nowMs: number): void {
    entry.answeredMs = Math.trunc(nowMs); // a small integer stands in the entry itself, a fraction in an object of its own
    entry.undeliveredUntilMs = undefined;
    this.#undelivered?.delete(entry);
  }

  /** The model was not told, or will not believe it: the server gave up waiting. */
  markUndelivered(entry: LedgerEntry, nowMs: number): void {
    if (!entry.begun) return;
    entry.answeredMs = undefined;
    entry.undeliveredUntilMs = nowMs + UNDELIVERED_FOR_MS;
    this.#undelivered ??= new Set();
    this.#undelivered.add(entry);
  }

  /** The link was lost: what runs, and what was answered or told just before, may never reach the model. */
  linkLost(nowMs: number): void {
    for (const entry of new Set(this.#byKey.values())) {
      const saidMs = entry.answeredMs ?? entry.toldMs;
      const isInDoubt =
        saidMs === undefined ? entry.ending === undefined : saidMs > nowMs - DELIVERY_DOUBT_MS;
      if (isInDoubt) this.markUndelivered(entry, nowMs);
    }
  }

  /** Outcomes that the model was not told of, oldest first; each is given once. */
  takeUntold(nowMs: number): { readonly tool: string; readonly outcome: ToolOutcome }[] {
    const untold: { tool: string; outcome: ToolOutcome }[] = [];
    for (const entry of this.#undelivered ?? []) {
      const outcome = entry.toldMs === undefined ? outcomeOf(entry) : undefined;
      if (outcome === undefined) continue;
      entry.toldMs = Math.trunc(nowMs);
      untold.push({ tool: entry.tool, outcome });
    }
    return untold;
  }
}

/** The undelivered outcome of an identical request; those whose time is over leave the set. */
function undeliveredTwin(
  undelivered: Set<LedgerEntry>,
  request: ToolRequest,
  nowMs: number,
): LedgerEntry | undefined {
  for (const entry of undelivered) {
    // One that still runs is joined however long it takes: starting a second beside it would be the fault to avoid.
    const isOver = entry.ending !== undefined && (entry.undeliveredUntilMs ?? 0) <= nowMs;
    if (isOver) {
      undelivered.delete(entry);
      entry.undeliveredUntilMs = undefined;
    } else if (!entry.repeatable && entry.source !== undefined && isSameRequest(entry, request)) return entry;
  }
  return undefined;
}

function verdictOn(entry: LedgerEntry): LedgerVerdict {
  if (entry.ending === undefined) return { kind: 'join', entry };
  const outcome = outcomeOf(entry);
  return outcome ? { kind: 'known', entry, outcome } : { kind: 'refuse', message: NO_LONGER_KEPT };
}

function endingOf(outcome: ToolOutcome): LedgerEntry['ending'] {
  return outcome.kind === 'result' ? outcome.json : outcome;
}

/** How it ended, as far as that is kept. */
function outcomeOf({ ending }: LedgerEntry): ToolOutcome | undefined {
  if (typeof ending === 'string') return { kind: 'result', json: ending };
  return ending === DROPPED ? undefined : ending;
}

/** Equal tool and equal arguments; the order of keys does not matter. Arguments no longer kept count as equal. */
function isSameRequest({ tool, source, readArgs }: LedgerEntry, request: ToolRequest): boolean {
  if (tool !== request.name) return false;
  return source === undefined || isDeepStrictEqual(readArgs(source), request.args);
}

/** What a queue keeps of its entries. An undelivered one is kept whole, whatever the bound. */
interface Keeping {
  bytesOf(entry: LedgerEntry): number;
  drop(oldest: LedgerEntry): void;
}

const ANSWERS: Keeping = {
  bytesOf: (entry) => entry.answerBytes,
  drop: (oldest) => {
    if (oldest.undeliveredUntilMs === undefined) oldest.ending = DROPPED;
  },
};

const REQUESTS: Keeping = {
  bytesOf: (entry) => entry.sourceBytes,
  drop: (oldest) => {
    if (oldest.undeliveredUntilMs === undefined) oldest.source = undefined;
  },
};

/** Entries with a bound on their bytes together; the oldest leave first. */
class Queue {
  readonly #keeping: Keeping;
  #entries: LedgerEntry[] = [];
  #head = 0;
  #keptBytes = 0;

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  add(entry: LedgerEntry): void {
    // A list that grows takes room for sixteen more at once, and most calls have one or two side effects.
    if (this.#entries.length === 0) this.#entries = [entry];
    else this.#entries.push(entry);
    this.#keptBytes += this.#keeping.bytesOf(entry);
    while (this.#keptBytes > LEDGER_KEPT_BYTES) {
      const oldest = this.#entries[this.#head];
      if (!oldest) break;
      this.#head++;
      this.#keptBytes -= this.#keeping.bytesOf(oldest);
      this.#keeping.drop(oldest);
    }
    if (this.#head >= 64 && this.#head * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }
}
