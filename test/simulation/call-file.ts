import type { Entry, EntryOf, Frame } from './history';

/** An entry and its place in the history. */
export type Placed<E extends Entry = Entry> = { readonly at: number; readonly entry: E };

/** A request for a tool as the agent first read it. */
export interface ToolRequestRead {
  readonly at: number;
  readonly atMs: number;
  readonly wire: number;
  readonly id: number;
  readonly name: string;
  readonly isSideEffect: boolean;
  readonly key: string;
  /** Tool and arguments: equal for identical requests. */
  readonly likeness: string;
  readonly what: unknown;
}

/** A tool's method that ran. */
export interface ToolRunNoted {
  readonly at: number;
  readonly atMs: number;
  readonly run: number;
  readonly tool: string;
  readonly id: number;
  readonly key: string;
  readonly likeness: string;
  readonly settled: Placed<EntryOf<'tool settled'>> | undefined;
}

/** One connection of a call, as the agent's end saw it. */
export interface WireNoted {
  readonly wire: number;
  /** The `session.start` read on it. */
  readonly start: Placed<EntryOf<'read'>> | undefined;
  /** The agent's accept. */
  readonly accept: Placed<EntryOf<'wrote'>> | undefined;
  readonly reject: Placed<EntryOf<'wrote'>> | undefined;
  readonly closed: Placed<EntryOf<'closed'>> | undefined;
  /** From here on the call no longer listens to it: closed, replaced by another, or the call was over. */
  readonly endAt: number;
  readonly endMs: number;
}

/** Everything of one true call, sorted for the checks. */
export interface CallFile {
  readonly tag: string;
  /** The agent's instance that accepted it. */
  readonly instance: number | undefined;
  readonly entries: readonly Placed[];
  readonly wires: readonly WireNoted[];
  readonly requests: readonly ToolRequestRead[];
  readonly runs: readonly ToolRunNoted[];
  readonly isResumable: boolean;
}

/** The entries of one kind. */
export function ofKind<K extends Entry['kind']>(
  entries: readonly Placed[],
  kind: K,
): readonly Placed<EntryOf<K>>[] {
  return entries.filter((placed): placed is Placed<EntryOf<K>> => placed.entry.kind === kind);
}

/** Whether the frame is an answer to a first `session.start`: it names the instance as its greeting. */
export function greetingInstance(frame: Frame): number | undefined {
  if (frame.type !== 'session.accept' || typeof frame.greeting !== 'string') return undefined;
  const [, number] = /^i(\d+)$/.exec(frame.greeting) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Sorts a history by true calls. Entries of an instance belong to the call whose accept named it. */
export function callFiles(entries: readonly Entry[]): readonly CallFile[] {
  const tagOfInstance = new Map<number, string>();
  for (const entry of entries) {
    if (entry.kind !== 'wrote') continue;
    const instance = greetingInstance(entry.frame);
    if (instance !== undefined) tagOfInstance.set(instance, entry.call);
  }
  const byTag = new Map<string, Placed[]>();
  entries.forEach((entry, at) => {
    const tag =
      'call' in entry ? entry.call : 'instance' in entry ? tagOfInstance.get(entry.instance) : undefined;
    if (tag === undefined) return;
    const placed = byTag.get(tag) ?? [];
    placed.push({ at, entry });
    byTag.set(tag, placed);
  });
  const instanceOf = new Map([...tagOfInstance].map(([instance, tag]) => [tag, instance]));
  return [...byTag].map(([tag, placed]) => fileOf(tag, instanceOf.get(tag), placed, entries.length));
}

function fileOf(
  tag: string,
  instance: number | undefined,
  entries: readonly Placed[],
  historyLength: number,
): CallFile {
  const wires = wiresOf(entries, historyLength);
  const first = wires.find(({ accept }) => accept !== undefined)?.accept;
  return {
    tag,
    instance,
    entries,
    wires,
    requests: requestsOf(entries),
    runs: runsOf(entries),
    isResumable: first?.entry.frame.resume === true,
  };
}

function wiresOf(entries: readonly Placed[], historyLength: number): readonly WireNoted[] {
  const reads = ofKind(entries, 'read');
  const writes = ofKind(entries, 'wrote');
  const closes = ofKind(entries, 'closed');
  const starts = reads.filter(({ entry }) => entry.frame.type === 'session.start' && 'seq' in entry.frame);
  return ofKind(entries, 'dialled').map(({ entry: { wire } }): WireNoted => {
    const on = <P extends Placed<EntryOf<'read' | 'wrote' | 'closed'>>>(list: readonly P[], type?: string) =>
      list.find(({ entry }) => entry.wire === wire && (type === undefined || typeOf(entry) === type));
    const accept = on(writes, 'session.accept');
    const closed = on(closes);
    const isLater = (placed: Placed): boolean => accept !== undefined && placed.at > accept.at;
    const replaced = writes.find(
      (placed) =>
        isLater(placed) && placed.entry.wire !== wire && placed.entry.frame.type === 'session.accept',
    );
    const over = reads.find(
      (placed) => isLater(placed) && placed.entry.wire === wire && placed.entry.frame.type === 'session.end',
    );
    const ends: Placed[] = [];
    for (const end of [closed, replaced, over]) if (end) ends.push(end);
    ends.sort((a, b) => a.at - b.at);
    return {
      wire,
      start: starts.find(({ entry }) => entry.wire === wire),
      accept,
      reject: on(writes, 'session.reject'),
      closed,
      endAt: ends[0]?.at ?? historyLength,
      endMs: ends[0]?.entry.atMs ?? Number.POSITIVE_INFINITY,
    };
  });
}

function typeOf(entry: EntryOf<'read' | 'wrote' | 'closed'>): string | undefined {
  return entry.kind === 'closed' ? undefined : entry.frame.type;
}

function requestsOf(entries: readonly Placed[]): readonly ToolRequestRead[] {
  const byId = new Map<number, ToolRequestRead>();
  for (const { at, entry } of ofKind(entries, 'read')) {
    const { type, id, name, kind, idempotency_key: key, arguments: args } = entry.frame;
    if (type !== 'tool.call' || typeof id !== 'number' || byId.has(id)) continue;
    byId.set(id, {
      at,
      atMs: entry.atMs,
      wire: entry.wire,
      id,
      name: String(name),
      isSideEffect: kind === 'side_effect',
      key: String(key),
      likeness: likenessOf(String(name), args),
      what: typeof args === 'object' && args !== null && 'what' in args ? args.what : undefined,
    });
  }
  return [...byId.values()];
}

function runsOf(entries: readonly Placed[]): readonly ToolRunNoted[] {
  const settled = new Map(ofKind(entries, 'tool settled').map((placed) => [placed.entry.run, placed]));
  return ofKind(entries, 'tool began').map(({ at, entry }) => ({
    at,
    atMs: entry.atMs,
    run: entry.run,
    tool: entry.tool,
    id: Number(entry.callId.split('.')[1]),
    key: entry.key,
    likeness: likenessOf(entry.tool, entry.args),
    settled: settled.get(entry.run),
  }));
}

function likenessOf(tool: string, args: unknown): string {
  const members: Partial<Record<string, unknown>> = { ...(args as object) }; // arguments are an object
  return JSON.stringify([tool, members.tag, members.how, members.ms, members.what]);
}
