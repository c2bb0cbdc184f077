import type { CallEvent } from '@callwright/core';
import type { ServerBody } from '../../packages/testing/src/outbox';

/** An event with what it was made of: its true call, its number in that call, and what its handler is to do. */
export interface SimulatedEvent {
  readonly tag: string | undefined;
  readonly ordinal: number;
  readonly how: string;
  readonly ms: number;
}

/** Numbers that carry a call's number and an ordinal. */
const ORDINALS = 1_000_000;

export const EVENT_TYPES = [
  'user.text',
  'user.transcript',
  'bot.text',
  'bot.tts_text',
  'turn.user_started',
  'turn.bot_ended',
  'turn.interrupted',
  'turn.metrics',
  'bot.llm_started',
  'bot.llm_stopped',
  'language.switched',
  'error',
] as const;

export type SimulatedEventType = (typeof EVENT_TYPES)[number];

/** The event as the voice server sends it. The types with a text tell its handler what to do; the others only carry their numbers. */
export function taggedEvent(
  type: SimulatedEventType,
  call: number,
  event: Omit<SimulatedEvent, 'tag'>,
): ServerBody {
  const text = `c${call}|${event.ordinal}|${event.how}|${event.ms}`;
  const epoch = call * ORDINALS + event.ordinal;
  switch (type) {
    case 'user.text':
    case 'bot.text':
    case 'bot.tts_text':
      return { type, epoch, text };
    case 'user.transcript':
      return { type, text, final: true };
    case 'turn.metrics':
      return { type, epoch, metrics: { response_ms: 1 } };
    case 'language.switched':
      return { type, from: 'en', to: text };
    case 'error':
      return { type, stage: 'llm', message: text, fatal: false };
    default:
      return { type, epoch };
  }
}

/** What a handler was told. A count of lost events, and a resumption, belong to no call by their own words. */
export function readEvent(event: CallEvent): SimulatedEvent {
  switch (event.type) {
    case 'events.lost':
      return { tag: undefined, ordinal: event.count, how: 'note', ms: 0 };
    case 'session.resumed':
      return { tag: undefined, ordinal: event.previousSeq, how: 'note', ms: 0 };
    case 'session.end':
      return { tag: undefined, ordinal: 0, how: 'note', ms: 0 };
    case 'session.usage':
      return fromNumber(event.durationMs);
    case 'language.switched':
      return fromText(event.to);
    case 'error':
      return fromText(event.message);
    default:
      return 'text' in event ? fromText(event.text) : fromNumber(event.epoch);
  }
}

/** The number of a usage message, which is an event too. */
export function taggedNumber(call: number, ordinal: number): number {
  return call * ORDINALS + ordinal;
}

function fromNumber(value: number): SimulatedEvent {
  return { tag: `c${Math.floor(value / ORDINALS)}`, ordinal: value % ORDINALS, how: 'note', ms: 0 };
}

function fromText(text: string): SimulatedEvent {
  const [tag = '', ordinal = '', how = '', ms = ''] = text.split('|');
  return { tag, ordinal: Number(ordinal), how, ms: Number(ms) };
}

/** The wire's number of a frame of an event, and whether it is one. */
export function ordinalOf(frame: Readonly<Record<string, unknown>>): number | undefined {
  const { type, epoch, text, to, message, duration_ms: durationMs } = frame;
  if (type === 'session.usage') return fromNumber(Number(durationMs)).ordinal;
  if (type === 'tool.call') return undefined;
  const named = type === 'language.switched' ? to : type === 'error' ? message : text;
  if (typeof named === 'string' && named.startsWith('c') && named.includes('|'))
    return fromText(named).ordinal;
  return typeof epoch === 'number' ? fromNumber(epoch).ordinal : undefined;
}
