import { suggestion } from '@callwright/di';
import type { ArgumentsPlan, ResultPlan } from '@callwright/schema';
import type { Call } from './call';
import type { Class } from './class-types';
import { readHandlers } from './contract-handlers';
import { readTools } from './contract-tools';
import { coreErrors } from './errors';
import type { CallEvent } from './events';
import type { ToolDeclaration } from './link';
import type { ParameterSource } from './method-parameters';
import type { Problem } from './problem';
import { classChain, ownRecords } from './records';
import type { ToolContext } from './tool-context';
import type { VoiceAgentOptions } from './voice-agent';

/** A tool, ready to run: what the model is told, what is checked and what is called are one thing. */
export interface ToolPlan {
  readonly declaration: ToolDeclaration;
  /** `LuigiAgent.bookTable`. */
  readonly where: string;
  /** The class whose instance the method runs on: the agent or one of its tool sets. */
  readonly type: Class;
  readonly method: PropertyKey;
  readonly parameters: readonly ParameterSource[];
  readonly args: ArgumentsPlan;
  /** Serialises the result through its class, when one was declared: what the class excludes never leaves. */
  readonly result: ResultPlan | undefined;
  /** Tells how an earlier request of unknown outcome ended; undefined: it does not know either. */
  readonly reconcile:
    | ((args: Readonly<Record<string, unknown>>, context: ToolContext) => unknown)
    | undefined;
  /** Calls the method with bound arguments; only for parameters that need nothing else. */
  readonly invoke: (instance: object, bound: unknown, context: ToolContext) => unknown;
}

/** An event handler, ready to run. */
export interface HandlerPlan {
  readonly where: string;
  readonly type: Class;
  readonly method: PropertyKey;
  readonly parameters: readonly ParameterSource[];
  /** Wire names of the events it hears. */
  readonly eventTypes: readonly string[];
  /** Calls the method; only for parameters that need nothing but the event and the call. */
  readonly invoke: (instance: object, event: CallEvent, call: Call) => unknown;
}

/** What one `@VoiceAgent` class with its tool sets promises. */
export interface AgentContract {
  readonly type: Class;
  readonly options: VoiceAgentOptions;
  readonly tools: ReadonlyMap<string, ToolPlan>;
  readonly handlers: readonly HandlerPlan[];
  /** Wire names to subscribe to, or all of them. */
  readonly events: 'all' | readonly string[];
}

/** A contract with everything that is wrong with it. */
export interface ContractReading {
  readonly contract: AgentContract | undefined;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The options of a class that is, or derives from, a voice agent. */
export function agentOptions(type: Class): VoiceAgentOptions | undefined {
  for (const current of classChain(type)) {
    const options = ownRecords(current)?.agent;
    if (options) return options;
  }
  return undefined;
}

/** Settings of the application that a contract depends on. */
export interface ContractSettings {
  /** IANA name; local times in arguments are taken there. */
  readonly timeZone?: string | undefined;
  /** CALL providers beside the tool sets whose handlers belong to the agent's calls. */
  readonly callProviders: readonly Class[];
}

/** Reads what decorators recorded on the agent, its tool sets and its CALL providers. Reports, never throws. */
export function readContract(type: Class, settings: ContractSettings): ContractReading {
  const options = agentOptions(type);
  if (!options) {
    const message = coreErrors.CW_AGENT_UNDECORATED({ agent: type.name });
    return { contract: undefined, problems: [{ code: 'CW_AGENT_UNDECORATED', message }], warnings: [] };
  }
  const owners = [type, ...(options.toolSets ?? [])];
  const tools = readTools(type, owners, settings.timeZone);
  const handlers = readHandlers(
    type,
    [...new Set([...owners, ...settings.callProviders])],
    options.events ?? 'auto',
  );
  return {
    contract: { type, options, tools: tools.tools, handlers: handlers.handlers, events: handlers.events },
    problems: [...agentProblems(type, options), ...tools.problems, ...handlers.problems],
    warnings: tools.warnings,
  };
}

const AGENT_NAME = /^[A-Za-z0-9_-]{1,64}$/;

function agentProblems(type: Class, options: VoiceAgentOptions): Problem[] {
  const problems: Problem[] = [];
  const { name } = options;
  if (typeof name !== 'string' || !AGENT_NAME.test(name)) {
    problems.push({
      code: 'CW_AGENT_NAME_INVALID',
      message: coreErrors.CW_AGENT_NAME_INVALID({ agent: type.name, name: String(name) }),
    });
  }
  const invalid = (option: string, why: string): void => {
    problems.push({
      code: 'CW_AGENT_OPTION_INVALID',
      message: coreErrors.CW_AGENT_OPTION_INVALID({ agent: type.name, option, why }),
    });
  };
  for (const option of Object.keys(options)) {
    if (!AGENT_OPTIONS.includes(option))
      invalid(option, `there is no such option${suggestion(option, AGENT_OPTIONS)}`);
  }
  for (const option of ['default', 'resume'] as const) {
    if (!['boolean', 'undefined'].includes(typeof options[option]))
      invalid(option, 'it is neither true nor false');
  }
  checkText('systemPrompt', options.systemPrompt, 65_536, invalid);
  checkText('greeting', options.greeting, 4_096, invalid);
  checkContext(options.context, invalid);
  return problems;
}

const AGENT_OPTIONS = [
  'name',
  'default',
  'systemPrompt',
  'context',
  'greeting',
  'events',
  'resume',
  'toolSets',
];
const CONTEXT_ROLES = ['system', 'user', 'assistant'];
const CONTEXT_LIMIT = 32;

type Invalid = (option: string, why: string) => void;

function checkText(option: string, text: unknown, limitBytes: number, invalid: Invalid): void {
  if (text === undefined) return;
  if (typeof text !== 'string' || text.trim() === '') return invalid(option, 'it is not a text, or blank');
  if (!text.isWellFormed()) return invalid(option, 'it holds half a surrogate pair');
  const bytes = Buffer.byteLength(text);
  if (bytes > limitBytes) invalid(option, `it has ${bytes} bytes of UTF-8, at most ${limitBytes} are read`);
}

function checkContext(context: VoiceAgentOptions['context'], invalid: Invalid): void {
  if (context === undefined) return;
  if (!Array.isArray(context)) return invalid('context', 'it is not a list');
  if (context.length > CONTEXT_LIMIT) {
    invalid('context', `it has ${context.length} messages, at most ${CONTEXT_LIMIT} are read`);
  }
  context.forEach((message, index) => {
    if (!CONTEXT_ROLES.includes(message?.role))
      invalid(`context[${index}]`, 'its role is not system, user or assistant');
    checkText(`context[${index}]`, message?.text ?? '', 65_536, invalid);
  });
}
