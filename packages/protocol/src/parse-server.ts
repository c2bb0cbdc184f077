import { type Fields, isObject, isString, readFrame, unreadable } from './fields';
import { MAX_WIRE_TYPE_BYTES } from './limits';
import { readSessionStart } from './parse-start';
import { readLatencySummary, readMetrics, readTokenUsage, readUsageSummary } from './parse-summary';
import {
  booleanOf,
  countOf,
  epochOf,
  kindOf,
  objectOf,
  SERVER_READING,
  seqOf,
  stringOf,
  textOf,
  timeOf,
} from './server-fields';
import type {
  CommandFailure,
  ServerMessage,
  SessionUsageMessage,
  ToolCallMessage,
  UnknownMessage,
} from './server-messages';
import { cutUtf8 } from './text';

/**
 * Reads one message of a live link. Unknown fields are left behind; a type that version 1 does not have comes back as
 * `unknown`.
 * @throws ProtocolError `bad_message` when the text is no message of version 1, `too_large` over 1 MiB; nothing else.
 * The error of a `tool.call` with a usable id carries it as `toolCallId`.
 * @example
 * import { parseServerMessage } from '@callwright/protocol';
 * const message = parseServerMessage('{"type":"user.text","seq":4,"t_ms":900,"epoch":1,"text":"Hello"}');
 * if (message.type === 'user.text') console.log(message.text); // Hello
 */
export function parseServerMessage(text: string): ServerMessage | UnknownMessage {
  const fields = readFrame(text, SERVER_READING);
  const { type } = fields;
  if (!isString(type)) throw unreadable('A message', 'it has no string "type"');
  switch (type) {
    case 'tool.call':
      return readToolCall(fields);
    case 'user.text':
    case 'bot.text':
    case 'bot.tts_text':
      return { type, seq: seqOf(fields), t_ms: timeOf(fields), epoch: epochOf(fields), text: textOf(fields) };
    case 'user.transcript': {
      const final = booleanOf(fields.final, fields, 'final');
      return { type, seq: seqOf(fields), t_ms: timeOf(fields), text: textOf(fields), final };
    }
    case 'turn.user_started':
    case 'turn.user_ended':
    case 'turn.bot_started':
    case 'turn.bot_ended':
    case 'turn.interrupted':
      return { type, seq: seqOf(fields), t_ms: timeOf(fields), epoch: epochOf(fields) };
    case 'bot.llm_started':
    case 'bot.tts_stopped':
      return { type, seq: seqOf(fields), t_ms: timeOf(fields), epoch: epochOf(fields) };
    case 'bot.llm_stopped': {
      const usage = readTokenUsage(fields.usage);
      return { type, seq: seqOf(fields), t_ms: timeOf(fields), epoch: epochOf(fields), usage };
    }
    case 'turn.metrics': {
      const metrics = readMetrics(fields.metrics);
      return { type, seq: seqOf(fields), t_ms: timeOf(fields), epoch: epochOf(fields), metrics };
    }
    default:
      return readRareMessage(type, fields);
  }
}

function readRareMessage(type: string, fields: Fields): ServerMessage | UnknownMessage {
  const seq = seqOf(fields);
  const t_ms = timeOf(fields);
  switch (type) {
    case 'tool.cancel': {
      const reason = stringOf(fields.reason, fields, 'reason');
      return { type, seq, t_ms, id: countOf(fields.id, fields, 'id'), reason };
    }
    case 'command.result': {
      const id = stringOf(fields.id, fields, 'id');
      return { type, seq, t_ms, id, ok: booleanOf(fields.ok, fields, 'ok'), error: readError(fields.error) };
    }
    case 'language.switched': {
      const from = stringOf(fields.from, fields, 'from');
      return { type, seq, t_ms, from, to: stringOf(fields.to, fields, 'to') };
    }
    case 'events.lost':
      return { type, seq, t_ms, count: countOf(fields.count, fields, 'count') };
    case 'error': {
      const stage = stringOf(fields.stage, fields, 'stage');
      const message = stringOf(fields.message, fields, 'message');
      return { type, seq, t_ms, stage, message, fatal: booleanOf(fields.fatal, fields, 'fatal') };
    }
    case 'session.usage':
      return readSessionUsage(fields);
    case 'session.end':
      return { type, seq, t_ms, reason: stringOf(fields.reason, fields, 'reason') };
    case 'session.start':
      return readSessionStart(fields);
    default:
      return { type: 'unknown', seq, t_ms, wire_type: cutUtf8(type, MAX_WIRE_TYPE_BYTES) };
  }
}

function readToolCall(fields: Fields): ToolCallMessage {
  return {
    type: 'tool.call',
    seq: seqOf(fields),
    t_ms: timeOf(fields),
    id: countOf(fields.id, fields, 'id'),
    call_id: stringOf(fields.call_id, fields, 'call_id'),
    name: stringOf(fields.name, fields, 'name'),
    arguments: objectOf(fields.arguments, fields, 'arguments'),
    kind: kindOf(fields),
    epoch: epochOf(fields),
    idempotency_key: stringOf(fields.idempotency_key, fields, 'idempotency_key'),
    timeout_ms: countOf(fields.timeout_ms, fields, 'timeout_ms'),
  };
}

function readSessionUsage(fields: Fields): SessionUsageMessage {
  return {
    type: 'session.usage',
    seq: seqOf(fields),
    t_ms: timeOf(fields),
    duration_ms: countOf(fields.duration_ms, fields, 'duration_ms'),
    turns: countOf(fields.turns, fields, 'turns'),
    interrupted_turns: countOf(fields.interrupted_turns, fields, 'interrupted_turns'),
    latency: readLatencySummary(fields.latency),
    usage: readUsageSummary(fields.usage),
  };
}

function readError(value: unknown): CommandFailure | undefined {
  if (!isObject(value)) return undefined;
  const { code, message } = value;
  return isString(code) && isString(message) ? { code, message } : undefined;
}
