import { coreErrors } from './errors';
import { SUBSCRIBABLE_EVENT_TYPES } from './events';
import { CallwrightError } from './failures';
import { type Accept, hookName } from './hooks';
import { plainWord } from './plain-word';

/** What a hook's value is held against. */
export interface AcceptBounds {
  readonly tools: ReadonlyMap<string, unknown>;
}

const FIELDS = ['systemPrompt', 'context', 'greeting', 'events', 'tools'];

/**
 * Lays what one start hook returned over what earlier ones did.
 * @throws CallwrightError `CW_ACCEPT_INVALID`, naming the hook, when it is no usable `Accept`.
 */
export function mergeAccepts(
  earlier: Accept | undefined,
  returned: unknown,
  bounds: AcceptBounds,
  hook: object,
): Accept | undefined {
  if (returned === undefined || returned === null) return earlier;
  const why = faultOf(returned, bounds);
  if (why !== undefined) {
    const details = { hook: hookName(hook, 'onCallStart'), why };
    throw new CallwrightError('CW_ACCEPT_INVALID', coreErrors.CW_ACCEPT_INVALID(details));
  }
  const later = returned as Accept; // it was looked at just now
  return {
    systemPrompt: later.systemPrompt ?? earlier?.systemPrompt,
    context: later.context ? [...(earlier?.context ?? []), ...later.context] : earlier?.context,
    greeting: later.greeting ?? earlier?.greeting,
    events: later.events ?? earlier?.events,
    tools: later.tools ?? earlier?.tools,
  };
}

/** Why the value is no usable `Accept`. Names fields and kinds, never a value. */
function faultOf(returned: unknown, bounds: AcceptBounds): string | undefined {
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned))
    return 'it is neither an object nor undefined';
  const unknown = Object.keys(returned).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) return `it has an unknown field${named(unknown)}`;
  const accept = returned as Accept; // its fields are looked at below
  return (
    textFault(accept) ??
    namesFault('tools', accept.tools, (name) => bounds.tools.has(name)) ??
    (accept.events === 'all' ? undefined : namesFault('events', accept.events, isSubscribable))
  );
}

function textFault(accept: Accept): string | undefined {
  for (const field of ['systemPrompt', 'greeting'] as const) {
    const text: unknown = accept[field];
    if (text !== undefined && typeof text !== 'string') return `its ${field} is no text`;
  }
  const context: unknown = accept.context;
  if (context === undefined) return undefined;
  const isUsable =
    Array.isArray(context) &&
    context.every((message) => typeof message?.role === 'string' && typeof message?.text === 'string');
  return isUsable ? undefined : 'its context is no list of { role, text }';
}

function namesFault(field: string, names: unknown, isKnown: (name: string) => boolean): string | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names)) return `its ${field} are no list`;
  const isUnknown = (name: unknown): boolean => typeof name !== 'string' || !isKnown(name);
  const index = names.findIndex(isUnknown);
  return index < 0 ? undefined : `its ${field} hold an unknown name${named(names[index])}`;
}

function isSubscribable(name: string): boolean {
  return (SUBSCRIBABLE_EVENT_TYPES as readonly string[]).includes(name);
}

/** Where it is a word of a program; what a caller said may stand in any of these by mistake. */
function named(value: unknown): string {
  const word = typeof value === 'string' ? plainWord(value) : undefined;
  return word === undefined ? '' : `, ${word}`;
}
