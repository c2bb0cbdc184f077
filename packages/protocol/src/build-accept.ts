import type { ContextMessage, SessionAcceptMessage, ToolDeclaration } from './agent-messages';
import {
  checkContext,
  checkCount,
  checkFrame,
  checkSpokenText,
  checkText,
  invalid,
  isToolName,
  plainContext,
  stringifyObject,
  tooMany,
} from './checks';
import { isObject, isString } from './fields';
import {
  MAX_GREETING_BYTES,
  MAX_SYSTEM_PROMPT_BYTES,
  MAX_TOOL_DESCRIPTION_BYTES,
  MAX_TOOL_TIMEOUT_MS,
  MAX_TOOLS,
  MIN_TOOL_TIMEOUT_MS,
} from './limits';
import { isBlank, utf8ByteLength } from './text';
import { isSubscribableEvent, RESERVED_TOOL_NAME, type SubscribableEventName } from './vocabulary';

/** An accept as an agent declares it, once for all its calls. */
export interface AcceptParts extends Omit<SessionAcceptMessage, 'type' | 'events' | 'resume'> {
  /** Absent: every event. Empty: none. */
  readonly events?: readonly SubscribableEventName[] | undefined;
  readonly resume?: true | undefined;
}

/**
 * What one call changes in a prepared accept. A given member replaces the prepared one; a blank text takes it away, as
 * the server counts a blank one as absent.
 */
export interface AcceptAdditions extends Omit<AcceptParts, 'version' | 'tools' | 'resume'> {
  /** Names of prepared tools: the call gets these, in this order, and no other. */
  readonly tools?: readonly string[] | undefined;
}

/**
 * An accept whose static part was checked and serialised once, so that a call costs a concatenation.
 * Made by {@link prepareAccept}.
 */
export interface PreparedAccept {
  /** The size of the frame without additions, in bytes. */
  readonly byteLength: number;
  /**
   * The frame for one call.
   * @throws ProtocolError `invalid_argument` for a text or a name; `too_large` for a count, or when the whole frame has more
   * than 65,536 bytes.
   */
  build(additions?: AcceptAdditions | undefined): string;
  /**
   * The frame that answers a resumption: version, `resume: true` and the subscription (protocol section 6).
   * `events` replaces the prepared subscription.
   * @throws ProtocolError as `build`.
   */
  buildResumption(events?: readonly SubscribableEventName[] | undefined): string;
}

/**
 * Checks an agent's accept and serialises it.
 * @throws ProtocolError `invalid_argument` for a value; `too_large` for a count, or when the whole frame has more than 65,536
 * bytes.
 * @example
 * import { prepareAccept } from '@callwright/protocol';
 * const accept = prepareAccept({ version: 1, system_prompt: 'You are a host.', events: ['user.text'] });
 * const frame = accept.build({ greeting: 'Welcome back, Ada!' });
 */
export function prepareAccept(parts: AcceptParts): PreparedAccept {
  return new SerialisedAccept(parts);
}

/**
 * The frame of one accept. An agent that serves many calls uses {@link prepareAccept}.
 * @throws ProtocolError as {@link prepareAccept}.
 */
export function buildAccept(parts: AcceptParts): string {
  return prepareAccept(parts).build();
}

/** Optional members are kept as the JSON text that stands behind their comma, empty when absent. */
class SerialisedAccept implements PreparedAccept {
  readonly byteLength: number;
  readonly #version: number;
  readonly #toolsByName: ReadonlyMap<string, string>;
  readonly #tools: string;
  readonly #systemPrompt: string;
  readonly #context: string;
  readonly #greeting: string;
  readonly #events: string;
  readonly #resume: string;
  readonly #frame: string;

  constructor({ version, tools = [], system_prompt, context, greeting, events, resume }: AcceptParts) {
    checkCount(version, 'session.accept version');
    this.#version = version;
    this.#toolsByName = serialiseTools(tools);
    this.#tools = `[${[...this.#toolsByName.values()].join(',')}]`;
    this.#systemPrompt = systemPromptMember(system_prompt);
    this.#context = contextMember(context);
    this.#greeting = greetingMember(greeting);
    this.#events = eventsMember(events);
    this.#resume = resume === true ? ',"resume":true' : '';
    this.#frame = this.#assemble({});
    this.byteLength = utf8ByteLength(this.#frame);
  }

  build(additions?: AcceptAdditions): string {
    return additions === undefined ? this.#frame : this.#assemble(additions);
  }

  buildResumption(events?: readonly SubscribableEventName[]): string {
    const subscription = events === undefined ? this.#events : eventsMember(events);
    const frame = `{"type":"session.accept","version":${this.#version}${subscription},"resume":true}`;
    return checkFrame(frame, 'Message session.accept');
  }

  #assemble({ tools, system_prompt, context, greeting, events }: AcceptAdditions): string {
    const toolsJson = tools === undefined ? this.#tools : this.#chosenTools(tools);
    const systemPrompt = system_prompt === undefined ? this.#systemPrompt : systemPromptMember(system_prompt);
    const contextJson = context === undefined ? this.#context : contextMember(context);
    const greetingJson = greeting === undefined ? this.#greeting : greetingMember(greeting);
    const eventsJson = events === undefined ? this.#events : eventsMember(events);
    const head = `{"type":"session.accept","version":${this.#version},"tools":${toolsJson}`;
    const frame = `${head}${systemPrompt}${contextJson}${greetingJson}${eventsJson}${this.#resume}}`;
    return checkFrame(frame, 'Message session.accept');
  }

  #chosenTools(names: readonly string[]): string {
    if (!Array.isArray(names)) throw invalid('session.accept tools', 'must be an array of names');
    // A set: the server refuses the second of two equal names.
    const chosen = [...new Set(names)].map((name, index) => {
      const json = this.#toolsByName.get(name);
      if (json === undefined) throw invalid(`session.accept tools[${index}]`, 'must name a declared tool');
      return json;
    });
    return `[${chosen.join(',')}]`;
  }
}

function systemPromptMember(text: string | undefined): string {
  return textMember('system_prompt', text, MAX_SYSTEM_PROMPT_BYTES);
}

function greetingMember(text: string | undefined): string {
  return textMember('greeting', text, MAX_GREETING_BYTES);
}

function textMember(name: string, text: string | undefined, maxBytes: number): string {
  if (text === undefined) return '';
  checkText(text, `session.accept ${name}`, maxBytes);
  return isBlank(text) ? '' : `,"${name}":${JSON.stringify(text)}`;
}

function contextMember(messages: readonly ContextMessage[] | undefined): string {
  if (messages === undefined) return '';
  checkContext(messages, 'session.accept context');
  return messages.length === 0 ? '' : `,"context":${JSON.stringify(plainContext(messages))}`;
}

function eventsMember(events: readonly SubscribableEventName[] | undefined): string {
  if (events === undefined) return '';
  if (!Array.isArray(events)) throw invalid('session.accept events', 'must be an array of event names');
  events.forEach((name: unknown, index) => {
    if (isString(name) && isSubscribableEvent(name)) return;
    throw invalid(`session.accept events[${index}]`, 'must be the name of a subscribable event');
  });
  return `,"events":${JSON.stringify(events)}`;
}

function serialiseTools(tools: readonly ToolDeclaration[]): ReadonlyMap<string, string> {
  if (!Array.isArray(tools)) throw invalid('session.accept tools', 'must be an array');
  if (tools.length > MAX_TOOLS) throw tooMany('session.accept tools', MAX_TOOLS);
  const jsonByName = new Map<string, string>();
  tools.forEach((tool, index) => {
    const where = `session.accept tools[${index}]`;
    const json = serialiseTool(tool, where);
    if (jsonByName.has(tool.name)) throw invalid(`${where}.name`, 'must not be the name of an earlier tool');
    jsonByName.set(tool.name, json);
  });
  return jsonByName;
}

function serialiseTool(tool: ToolDeclaration, where: string): string {
  if (!isObject(tool)) throw invalid(where, 'must be an object');
  const { name, description, kind, timeout_ms, filler_after_ms, confirm, repeatable } = tool;
  if (!isToolName(name)) {
    throw invalid(`${where}.name`, 'must be 1 to 64 of A-Z a-z 0-9 _ -');
  }
  if (name === RESERVED_TOOL_NAME) throw invalid(`${where}.name`, `must not be ${RESERVED_TOOL_NAME}`);
  checkSpokenText(description, `${where}.description`, MAX_TOOL_DESCRIPTION_BYTES);
  if (kind !== 'read_only' && kind !== 'side_effect') {
    throw invalid(`${where}.kind`, 'must be read_only or side_effect');
  }
  const parameters = serialiseParameters(tool, `${where}.parameters`);
  checkTimes(tool, where);
  if (kind === 'read_only' && (confirm === true || repeatable === true)) {
    throw invalid(where, 'must be side_effect to be confirmed or repeatable');
  }
  const members = JSON.stringify({
    name,
    description,
    kind,
    timeout_ms,
    filler_after_ms,
    confirm: confirm === true ? true : undefined,
    repeatable: repeatable === true ? true : undefined,
  });
  return `${members.slice(0, -1)},"parameters":${parameters}}`;
}

function serialiseParameters({ parameters }: ToolDeclaration, where: string): string {
  const json = stringifyObject(parameters, where);
  if (parameters.type !== 'object') throw invalid(`${where}.type`, 'must be "object"');
  return json;
}

function checkTimes({ timeout_ms, filler_after_ms }: ToolDeclaration, where: string): void {
  if (timeout_ms !== undefined) {
    checkCount(timeout_ms, `${where}.timeout_ms`);
    if (timeout_ms < MIN_TOOL_TIMEOUT_MS || timeout_ms > MAX_TOOL_TIMEOUT_MS) {
      throw invalid(`${where}.timeout_ms`, `must be ${MIN_TOOL_TIMEOUT_MS} to ${MAX_TOOL_TIMEOUT_MS}`);
    }
  }
  if (filler_after_ms !== undefined) checkCount(filler_after_ms, `${where}.filler_after_ms`);
}
