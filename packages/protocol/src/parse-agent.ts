import { AgentFields, SERVER_SIDE_READING } from './agent-fields';
import type {
  AgentMessage,
  ContextMessage,
  SessionAcceptMessage,
  ToolDeclaration,
  ToolResultMessage,
} from './agent-messages';
import { type Fields, isString, readFrame } from './fields';
import { MAX_WIRE_TYPE_BYTES } from './limits';
import { cutUtf8 } from './text';

/** A readable message of a type that agents of version 1 do not send; the server answers `unknown_type`. */
export interface UnknownAgentMessage {
  readonly type: 'unknown';
  /** Comes from outside, cut at 64 bytes. */
  readonly wire_type: string;
  /** The id to answer to. */
  readonly id?: string | undefined;
}

/**
 * Reads one message of an agent as strictly as the voice server does, for a peer that plays it: a field of the wrong
 * type anywhere refuses the whole message, also in an accept. What is readable may still break a rule:
 * `reviewAccept` and `reviewCommand` tell.
 * @throws ProtocolError `bad_message`, or `too_large` over 65,536 bytes; nothing else. An id to answer to is its
 * `commandId`.
 * @example
 * import { parseAgentMessage } from '@callwright/protocol';
 * const message = parseAgentMessage('{"type":"say","id":"1","text":"Good evening."}');
 * if (message.type === 'say') console.log(message.text); // Good evening.
 */
export function parseAgentMessage(text: string): AgentMessage | UnknownAgentMessage {
  const raw = readFrame(text, SERVER_SIDE_READING);
  const fields = new AgentFields(raw);
  fields.refuseWhatStrictParsersRefuse(text);
  const type = fields.required(raw.type, 'type', 'string');
  switch (type) {
    case 'session.accept':
      return readAccept(raw, fields);
    case 'session.reject': {
      const code = fields.nullable(raw.code, 'code', 'string');
      return { type, code, message: fields.nullable(raw.message, 'message', 'string') };
    }
    case 'tool.result':
      return readToolResult(raw, fields);
    case 'say': {
      const interrupt = fields.unlessAbsent(raw.interrupt, 'interrupt', 'boolean');
      return { type, ...fields.envelope(), text: fields.required(raw.text, 'text', 'string'), interrupt };
    }
    case 'end': {
      const say = fields.nullable(raw.say, 'say', 'string');
      return { type, ...fields.envelope(), say, reason: fields.nullable(raw.reason, 'reason', 'string') };
    }
    case 'transfer':
      return {
        type,
        ...fields.envelope(),
        destination: fields.required(raw.destination, 'destination', 'string'),
        mode: fields.nullableWord(raw.mode, 'mode', ['cold', 'warm']),
        summary: fields.nullable(raw.summary, 'summary', 'string'),
        reason: fields.nullable(raw.reason, 'reason', 'string'),
      };
    case 'context.update': {
      const system_prompt = fields.nullable(raw.system_prompt, 'system_prompt', 'string');
      return { type, ...fields.envelope(), system_prompt, append: readContext(raw.append, fields, 'append') };
    }
    case 'tools.set':
      return { type, ...fields.envelope(), enabled: fields.nullableStrings(raw.enabled, 'enabled') ?? null };
    default:
      return { type: 'unknown', wire_type: cutUtf8(type, MAX_WIRE_TYPE_BYTES), id: fields.echoedId };
  }
}

function readAccept(raw: Fields, fields: AgentFields): SessionAcceptMessage {
  return {
    type: 'session.accept',
    version: fields.required(raw.version, 'version', 'integer'),
    tools: fields.list(raw.tools, 'tools', (item, where) => readTool(item, fields, where)),
    system_prompt: fields.nullable(raw.system_prompt, 'system_prompt', 'string'),
    context: readContext(raw.context, fields, 'context'),
    greeting: fields.nullable(raw.greeting, 'greeting', 'string'),
    events: fields.nullableStrings(raw.events, 'events'),
    resume: fields.unlessAbsent(raw.resume, 'resume', 'boolean'),
  };
}

function readTool(raw: Fields, fields: AgentFields, where: string): ToolDeclaration {
  const { parameters } = raw;
  if (parameters === undefined) throw fields.mistyped(`${where}.parameters`, 'given');
  return {
    name: fields.required(raw.name, `${where}.name`, 'string'),
    description: fields.required(raw.description, `${where}.description`, 'string'),
    // The server takes any JSON here and reports what is no object schema as a broken rule.
    parameters: parameters as ToolDeclaration['parameters'],
    kind: fields.word(raw.kind, `${where}.kind`, ['read_only', 'side_effect']),
    timeout_ms: fields.nullable(raw.timeout_ms, `${where}.timeout_ms`, 'integer'),
    filler_after_ms: fields.nullable(raw.filler_after_ms, `${where}.filler_after_ms`, 'integer'),
    confirm: fields.unlessAbsent(raw.confirm, `${where}.confirm`, 'boolean'),
    repeatable: fields.unlessAbsent(raw.repeatable, `${where}.repeatable`, 'boolean'),
  };
}

function readContext(
  value: unknown,
  fields: AgentFields,
  name: string,
): readonly ContextMessage[] | undefined {
  return fields.list(value, name, (item, where) => ({
    role: fields.word(item.role, `${where}.role`, ['system', 'user', 'assistant']),
    text: fields.required(item.text, `${where}.text`, 'string'),
  }));
}

function readToolResult(raw: Fields, fields: AgentFields): ToolResultMessage {
  const id = fields.required(raw.id, 'id', 'integer');
  const error = fields.nullable(raw.error, 'error', 'string');
  return isString(error)
    ? { type: 'tool.result', id, error }
    : { type: 'tool.result', id, result: raw.result ?? null };
}
