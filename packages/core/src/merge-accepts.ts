import { SUBSCRIBABLE_EVENT_TYPES } from './events';
import type { Accept } from './hooks';

/** What a hook's value is held against. */
export interface AcceptBounds {
  readonly tools: ReadonlyMap<string, unknown>;
}

const FIELDS = ['systemPrompt', 'context', 'greeting', 'events', 'tools'];

/** Lays what one start hook returned over what earlier ones did. @throws TypeError when it is no usable `Accept`. */
export function mergeAccepts(
  earlier: Accept | undefined,
  returned: unknown,
  bounds: AcceptBounds,
): Accept | undefined {
  if (returned === undefined || returned === null) return earlier;
  if (typeof returned !== 'object' || Array.isArray(returned)) {
    throw new TypeError('onCallStart returned neither an accept object nor undefined');
  }
  const later = returned as Accept;
  for (const field of Object.keys(later)) {
    if (!FIELDS.includes(field)) throw new TypeError(`onCallStart returned an unknown field: ${field}`);
  }
  checkTexts(later);
  checkNames('tools', later.tools, (name) => bounds.tools.has(name));
  if (later.events !== 'all') {
    checkNames('events', later.events, (name) =>
      (SUBSCRIBABLE_EVENT_TYPES as readonly string[]).includes(name),
    );
  }
  return {
    systemPrompt: later.systemPrompt ?? earlier?.systemPrompt,
    context: later.context ? [...(earlier?.context ?? []), ...later.context] : earlier?.context,
    greeting: later.greeting ?? earlier?.greeting,
    events: later.events ?? earlier?.events,
    tools: later.tools ?? earlier?.tools,
  };
}

function checkTexts(accept: Accept): void {
  for (const field of ['systemPrompt', 'greeting'] as const) {
    const text: unknown = accept[field];
    if (text !== undefined && typeof text !== 'string')
      throw new TypeError(`onCallStart returned a ${field} that is no text`);
  }
  const context: unknown = accept.context;
  if (context === undefined) return;
  const isUsable =
    Array.isArray(context) &&
    context.every((message) => typeof message?.role === 'string' && typeof message?.text === 'string');
  if (!isUsable) throw new TypeError('onCallStart returned a context that is no list of { role, text }');
}

function checkNames(field: string, names: unknown, isKnown: (name: string) => boolean): void {
  if (names === undefined) return;
  if (!Array.isArray(names)) throw new TypeError(`onCallStart returned ${field} that are no list`);
  const unknown = names.find((name) => typeof name !== 'string' || !isKnown(name));
  if (unknown !== undefined)
    throw new TypeError(`onCallStart returned an unknown name in ${field}: ${String(unknown)}`);
}
