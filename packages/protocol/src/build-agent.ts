import type {
  CommandEnvelope,
  CommandMessage,
  ContextUpdateMessage,
  EndMessage,
  SayMessage,
  ToolsSetMessage,
  TransferMessage,
} from './agent-messages';
import {
  checkContext,
  checkCount,
  checkFrame,
  checkJsonText,
  checkSpokenText,
  checkText,
  invalid,
  isDestination,
  plainContext,
  tooMany,
} from './checks';
import { isBoolean } from './fields';
import {
  MAX_COMMAND_ID_BYTES,
  MAX_ENABLED_TOOLS,
  MAX_NOTE_BYTES,
  MAX_OUTGOING_MESSAGE_BYTES,
  MAX_REJECT_BYTES,
  MAX_SAY_BYTES,
  MAX_SYSTEM_PROMPT_BYTES,
  MAX_TOOL_ERROR_BYTES,
} from './limits';
import { cutUtf8, toWellFormed } from './text';

/** A message without its type, as a builder takes it. */
export type Fields<Message> = Omit<Message, 'type'>;

/**
 * The frame of a `session.reject`. Both texts are made well-formed and cut at 512 bytes; never throws.
 * @example
 * import { buildReject } from '@callwright/protocol';
 * buildReject('unavailable'); // '{"type":"session.reject","code":"unavailable"}'
 */
export function buildReject(code?: string | undefined, message?: string | undefined): string {
  return JSON.stringify({
    type: 'session.reject',
    code: code === undefined ? undefined : cutUtf8(toWellFormed(code), MAX_REJECT_BYTES),
    message: message === undefined ? undefined : cutUtf8(toWellFormed(message), MAX_REJECT_BYTES),
  });
}

/**
 * The frame that answers a tool call. `resultJson` is JSON text of at most 120 levels; it is put in as it is.
 * @throws ProtocolError `too_large` when the frame has more than 65,536 bytes; `invalid_argument` for a lone surrogate, too
 * many levels, an empty text or an id that is no integer from 0 to 2^53 - 1.
 * @example
 * import { buildToolResult } from '@callwright/protocol';
 * buildToolResult(7, '{"booked":true}'); // '{"type":"tool.result","id":7,"result":{"booked":true}}'
 */
export function buildToolResult(id: number, resultJson: string): string {
  checkCount(id, 'tool.result id');
  checkJsonText(resultJson, 'tool.result result');
  return checkFrame(`{"type":"tool.result","id":${id},"result":${resultJson}}`, 'Message tool.result');
}

/**
 * The frame that answers a tool call with an error the model reads. The text is made well-formed and cut at 1,024 bytes.
 * @throws ProtocolError `invalid_argument` for an id that is no integer from 0 to 2^53 - 1.
 */
export function buildToolError(id: number, message: string): string {
  checkCount(id, 'tool.result id');
  const error = cutUtf8(toWellFormed(message), MAX_TOOL_ERROR_BYTES);
  return `{"type":"tool.result","id":${id},"error":${JSON.stringify(error)}}`;
}

/**
 * The frame of any of the five commands (protocol section 5).
 * @throws ProtocolError `invalid_argument` for a value, `too_large` for a count or a frame over 65,536 bytes.
 */
export function buildCommand(command: CommandMessage): string {
  switch (command.type) {
    case 'say':
      return buildSay(command);
    case 'end':
      return buildEnd(command);
    case 'transfer':
      return buildTransfer(command);
    case 'context.update':
      return buildContextUpdate(command);
    case 'tools.set':
      return buildToolsSet(command);
  }
}

/**
 * The frame of a `say`.
 * @throws ProtocolError as {@link buildCommand}.
 * @example
 * import { buildSay } from '@callwright/protocol';
 * buildSay({ text: 'One moment.', id: 'c1' }); // '{"type":"say","id":"c1","text":"One moment."}'
 */
export function buildSay({ id, re, text, interrupt }: Fields<SayMessage>): string {
  checkEnvelope({ id, re });
  checkSpokenText(text, 'say text', MAX_SAY_BYTES);
  if (interrupt !== undefined && !isBoolean(interrupt)) throw invalid('say interrupt', 'must be a boolean');
  return commandFrame({ type: 'say', id, re, text, interrupt: interrupt === true ? true : undefined });
}

/**
 * The frame of an `end`.
 * @throws ProtocolError as {@link buildCommand}.
 */
export function buildEnd({ id, re, say, reason }: Fields<EndMessage>): string {
  checkEnvelope({ id, re });
  if (say !== undefined) checkSpokenText(say, 'end say', MAX_SAY_BYTES);
  if (reason !== undefined) checkText(reason, 'end reason', MAX_NOTE_BYTES);
  return commandFrame({ type: 'end', id, re, say, reason });
}

/**
 * The frame of a `transfer`.
 * @throws ProtocolError as {@link buildCommand}.
 */
export function buildTransfer(fields: Fields<TransferMessage>): string {
  const { id, re, destination, mode, summary, reason } = fields;
  checkEnvelope({ id, re });
  if (!isDestination(destination)) {
    throw invalid('transfer destination', 'must be "+" and 8 to 15 digits, the first of them not 0');
  }
  if (mode !== undefined && mode !== 'cold' && mode !== 'warm') {
    throw invalid('transfer mode', 'must be cold or warm');
  }
  if (summary !== undefined) checkText(summary, 'transfer summary', MAX_NOTE_BYTES);
  if (reason !== undefined) checkText(reason, 'transfer reason', MAX_NOTE_BYTES);
  return commandFrame({ type: 'transfer', id, re, destination, mode, summary, reason });
}

/**
 * The frame of a `context.update`.
 * @throws ProtocolError as {@link buildCommand}.
 */
export function buildContextUpdate({ id, re, system_prompt, append }: Fields<ContextUpdateMessage>): string {
  checkEnvelope({ id, re });
  if (system_prompt !== undefined) {
    checkSpokenText(system_prompt, 'context.update system_prompt', MAX_SYSTEM_PROMPT_BYTES);
  }
  if (append !== undefined) checkContext(append, 'context.update append');
  return commandFrame({
    type: 'context.update',
    id,
    re,
    system_prompt,
    append: append === undefined ? undefined : plainContext(append),
  });
}

/**
 * The frame of a `tools.set`.
 * @throws ProtocolError as {@link buildCommand}.
 */
export function buildToolsSet({ id, re, enabled }: Fields<ToolsSetMessage>): string {
  checkEnvelope({ id, re });
  if (enabled !== null) {
    if (!Array.isArray(enabled))
      throw invalid('tools.set enabled', 'must be an array of names, or null for all');
    if (enabled.length > MAX_ENABLED_TOOLS) throw tooMany('tools.set enabled', MAX_ENABLED_TOOLS);
    enabled.forEach((name, index) => {
      checkText(name, `tools.set enabled[${index}]`, MAX_OUTGOING_MESSAGE_BYTES);
    });
  }
  return commandFrame({ type: 'tools.set', id, re, enabled });
}

function checkEnvelope({ id, re }: CommandEnvelope): void {
  if (id !== undefined) {
    checkText(id, 'command id', MAX_COMMAND_ID_BYTES);
    if (id === '') throw invalid('command id', 'must not be empty');
  }
  if (re !== undefined) checkCount(re, 'command re');
}

/** Members that are undefined are left out. */
function commandFrame(command: CommandMessage): string {
  return checkFrame(JSON.stringify(command), `Message ${command.type}`);
}
