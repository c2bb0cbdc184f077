import type {
  CommandMessage,
  ContextMessage,
  ContextUpdateMessage,
  SessionAcceptMessage,
  ToolDeclaration,
} from './agent-messages';
import { isDestination, isToolName } from './checks';
import { isObject } from './fields';
import {
  MAX_CONTEXT_MESSAGES,
  MAX_CONTEXT_TEXT_BYTES,
  MAX_ENABLED_TOOLS,
  MAX_GREETING_BYTES,
  MAX_SAY_BYTES,
  MAX_SYSTEM_PROMPT_BYTES,
  MAX_TOOLS,
} from './limits';
import { exceedsUtf8, isBlank } from './text';
import {
  isSubscribableEvent,
  RESERVED_TOOL_NAME,
  SUBSCRIBABLE_EVENTS,
  type SubscribableEventName,
} from './vocabulary';

/** A rule that a readable message breaks, with the code and a text as the voice server would report it. */
export interface RuleBreak {
  readonly code: 'invalid_argument' | 'too_large';
  /** Names fields and bounds, never a value. */
  readonly message: string;
}

/** What the voice server makes of a readable accept. */
export interface ReviewedAccept {
  /** The tools that are registered. */
  readonly tools: readonly ToolDeclaration[];
  readonly system_prompt: string | undefined;
  readonly context: readonly ContextMessage[];
  readonly greeting: string | undefined;
  /** The events that will be sent. */
  readonly events: readonly SubscribableEventName[];
  readonly resume: boolean;
  /** Each comes as an `error` event of stage `agent_link` right behind the accept. */
  readonly breaks: readonly RuleBreak[];
}

/**
 * Applies the voice server's rules to a readable accept: a broken rule leaves out the part it is about, and the call
 * goes on. `serverTools` are the names of tools the server has itself.
 * @example
 * import { parseAgentMessage, reviewAccept } from '@callwright/protocol';
 * const accept = parseAgentMessage('{"type":"session.accept","version":1,"events":["user.text","user.smell"]}');
 * if (accept.type === 'session.accept') console.log(reviewAccept(accept).breaks.length); // 1
 */
export function reviewAccept(
  accept: SessionAcceptMessage,
  serverTools: readonly string[] = [],
): ReviewedAccept {
  const breaks: RuleBreak[] = [];
  return {
    tools: reviewTools(accept.tools ?? [], serverTools, breaks),
    system_prompt: unlessBlank(accept.system_prompt),
    context: reviewContext(accept.context ?? [], breaks),
    greeting: reviewGreeting(unlessBlank(accept.greeting), breaks),
    events: reviewEvents(accept.events, breaks),
    resume: accept.resume === true,
    breaks,
  };
}

function unlessBlank(text: string | undefined): string | undefined {
  return text === undefined || isBlank(text) ? undefined : text;
}

function reviewTools(
  tools: readonly ToolDeclaration[],
  serverTools: readonly string[],
  breaks: RuleBreak[],
): readonly ToolDeclaration[] {
  if (tools.length > MAX_TOOLS) {
    breaks.push(tooLarge(`${tools.length} tools: at most ${MAX_TOOLS}, so none is registered`));
    return [];
  }
  const taken = new Set(serverTools);
  return tools.filter((tool, index) => {
    const why = toolRefusal(tool, taken);
    if (why !== undefined) breaks.push(invalidArgument(`tools[${index}] is refused: ${why}`));
    else taken.add(tool.name);
    return why === undefined;
  });
}

function toolRefusal(tool: ToolDeclaration, taken: ReadonlySet<string>): string | undefined {
  if (!isToolName(tool.name)) return 'its name is not 1 to 64 of A-Z a-z 0-9 _ -';
  if (tool.name === RESERVED_TOOL_NAME) return 'its name is reserved';
  if (taken.has(tool.name)) return 'its name is taken';
  if (tool.kind === 'read_only' && (tool.confirm === true || tool.repeatable === true)) {
    return 'a read_only tool is neither confirmed nor repeatable';
  }
  if (!isObject(tool.parameters) || tool.parameters.type !== 'object') {
    return 'the type of its parameters is not "object"';
  }
  return hasRemoteReference(tool.parameters) ? 'its parameters refer to a schema elsewhere' : undefined;
}

/** Walks without recursion; what a parsed frame holds is bounded. */
function hasRemoteReference(schema: object): boolean {
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value) && typeof value.$ref === 'string' && /^https?:/i.test(value.$ref)) return true;
    open.push(...Object.values(value));
  }
  return false;
}

function reviewContext(messages: readonly ContextMessage[], breaks: RuleBreak[]): readonly ContextMessage[] {
  if (messages.length > MAX_CONTEXT_MESSAGES) {
    breaks.push(
      tooLarge(`${messages.length} context messages: at most ${MAX_CONTEXT_MESSAGES}, so all are left out`),
    );
    return [];
  }
  return messages.filter(({ text }, index) => {
    const why = textBreak(text, MAX_CONTEXT_TEXT_BYTES);
    if (why !== undefined) breaks.push(invalidArgument(`context[${index}] is left out: it ${why}`));
    return why === undefined;
  });
}

function reviewGreeting(greeting: string | undefined, breaks: RuleBreak[]): string | undefined {
  if (greeting === undefined || !exceedsUtf8(greeting, MAX_GREETING_BYTES)) return greeting;
  breaks.push(invalidArgument(`the greeting is not spoken: it has more than ${MAX_GREETING_BYTES} bytes`));
  return undefined;
}

function reviewEvents(
  events: readonly string[] | undefined,
  breaks: RuleBreak[],
): readonly SubscribableEventName[] {
  if (events === undefined) return SUBSCRIBABLE_EVENTS;
  const known = events.filter(isSubscribableEvent);
  const unknown = events.length - known.length;
  if (unknown > 0) breaks.push(invalidArgument(`${unknown} of the events are unknown and ignored`));
  return known;
}

/**
 * The rule that a readable command breaks, or undefined: then the server would carry it out.
 * @example
 * import { reviewCommand } from '@callwright/protocol';
 * reviewCommand({ type: 'say', text: ' ' })?.code; // 'invalid_argument'
 */
export function reviewCommand(command: CommandMessage): RuleBreak | undefined {
  switch (command.type) {
    case 'say':
      return spokenBreak('text', command.text, MAX_SAY_BYTES);
    case 'end':
      return spokenBreak('say', command.say, MAX_SAY_BYTES);
    case 'transfer':
      // The server forgives blanks around the number.
      if (isDestination(command.destination.trim())) return undefined;
      return invalidArgument('destination must be "+" and 8 to 15 digits, the first of them not 0');
    case 'context.update':
      return contextUpdateBreak(command);
    case 'tools.set':
      if ((command.enabled?.length ?? 0) <= MAX_ENABLED_TOOLS) return undefined;
      return tooLarge(`enabled may hold at most ${MAX_ENABLED_TOOLS} names`);
  }
}

function contextUpdateBreak({ system_prompt, append = [] }: ContextUpdateMessage): RuleBreak | undefined {
  if (append.length > MAX_CONTEXT_MESSAGES) {
    return tooLarge(`append may hold at most ${MAX_CONTEXT_MESSAGES} messages`);
  }
  const promptBreak = spokenBreak('system_prompt', system_prompt, MAX_SYSTEM_PROMPT_BYTES);
  if (promptBreak !== undefined) return promptBreak;
  for (const [index, { text }] of append.entries()) {
    const found = spokenBreak(`append[${index}].text`, text, MAX_CONTEXT_TEXT_BYTES);
    if (found !== undefined) return found;
  }
  return undefined;
}

function spokenBreak(where: string, text: string | undefined, maxBytes: number): RuleBreak | undefined {
  const why = text === undefined ? undefined : textBreak(text, maxBytes);
  return why === undefined ? undefined : invalidArgument(`${where} ${why}`);
}

function textBreak(text: string, maxBytes: number): string | undefined {
  if (isBlank(text)) return 'is blank';
  return exceedsUtf8(text, maxBytes) ? `has more than ${maxBytes} bytes` : undefined;
}

function invalidArgument(message: string): RuleBreak {
  return { code: 'invalid_argument', message };
}

function tooLarge(message: string): RuleBreak {
  return { code: 'too_large', message };
}
