import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, CommandError, type ContextRole, type TransferableCall } from 'callwright';
import { rawLinkOf } from './raw-link';

/** What the tool `act` tells the model. */
export interface Outcome {
  readonly ok: boolean;
  readonly code?: string;
}

/** The arguments of every act, from the scenario's JSON. Each act takes those that its name calls for. */
interface ActArguments {
  readonly text: string;
  readonly interrupt?: boolean;
  readonly say?: string;
  readonly reason?: string;
  readonly destination: string;
  readonly mode?: 'cold' | 'warm';
  readonly summary?: string;
  readonly id?: string;
  readonly system_prompt?: string;
  readonly append?: readonly { readonly role: ContextRole; readonly text: string }[];
  readonly enabled: readonly string[] | null;
  readonly bytes: number;
  readonly message: unknown;
  readonly ms: number;
}

type Act = (call: Call, given: ActArguments) => Promise<void> | void;

const closeAfterMs = 20;

const acts: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['say', (call, { text, interrupt }) => call.say(text, { interrupt })],
  ['end', (call, { say, reason }) => call.end({ say, reason })],
  ['transfer', transfer],
  [
    'context',
    (call, { system_prompt: systemPrompt, append }) => call.updateContext({ systemPrompt, append }),
  ],
  ['tools', (call, { enabled }) => call.setTools(enabled ?? 'all')],
  // The rest goes past every check of ours, to see what the voice server itself says.
  ['raw', sendAlone],
  ['raw_text', (call, { text }) => rawLinkOf(call).send(text)],
  ['raw_binary', (call, { bytes }) => rawLinkOf(call).send(Buffer.alloc(bytes))],
  ['fill', (call, { bytes }) => rawLinkOf(call).send(sayOf(bytes))],
  ['later', sendLater],
  ['close', closeSoon],
]);

/** Runs one act of a scenario on the call, and returns what the agent's side saw of it. */
export async function act(call: Call, name: string, given: ActArguments): Promise<Outcome> {
  const run = acts.get(name);
  if (run === undefined) return { ok: false, code: 'unknown_command' };
  try {
    await run(call, given);
    return { ok: true };
  } catch (error) {
    if (CommandError.is(error)) return { ok: false, code: error.code };
    throw error;
  }
}

function transfer(call: Call, { destination, mode, summary, reason, id }: ActArguments): Promise<void> {
  // A user asks `can('transfer')` first, or it does not compile. Here the answer to a call that cannot is what is looked for.
  return (call as TransferableCall).transfer(destination, { mode, summary, reason, id });
}

const gapMs = 5;
const lastSends = new WeakMap<Call, Promise<void>>();

/**
 * Sends a raw message with a pause behind it. The voice server has queues with tasks of their own behind them; messages that
 * arrive together would fill a queue before its task has taken the first one out.
 */
function sendAlone(call: Call, given: unknown): Promise<void> {
  const sent = (lastSends.get(call) ?? Promise.resolve()).then(() => {
    rawLinkOf(call).send(JSON.stringify(given));
    return sleep(gapMs);
  });
  lastSends.set(call, sent);
  return sent;
}

/** A `say` message of exactly so many bytes. */
function sayOf(bytes: number): string {
  const empty = JSON.stringify({ type: 'say', id: 'm', text: '' });
  return JSON.stringify({ type: 'say', id: 'm', text: 'x'.repeat(bytes - empty.length) });
}

function sendLater(call: Call, { message, ms }: ActArguments): void {
  const link = rawLinkOf(call);
  setTimeout(() => link.send(JSON.stringify(message)), ms);
}

function closeSoon(call: Call): void {
  const link = rawLinkOf(call);
  setTimeout(() => link.close(1000, ''), closeAfterMs);
}
