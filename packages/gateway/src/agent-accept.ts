import {
  type Accept,
  type AgentContract,
  type ToolDeclaration as CoreToolDeclaration,
  coreErrors,
  type Problem,
} from '@callwright/core';
import {
  type AcceptAdditions,
  type AcceptParts,
  isSubscribableEvent,
  MAX_OUTGOING_MESSAGE_BYTES,
  PROTOCOL_VERSIONS,
  type PreparedAccept,
  ProtocolError,
  prepareAccept,
  SUBSCRIBABLE_EVENTS,
  type SubscribableEventName,
  type ToolDeclaration,
} from '@callwright/protocol';

/** An agent's answer to a call, serialised once at boot; each call adds its own part. */
export class AgentAccept {
  readonly #contract: AgentContract;
  readonly #prepared: PreparedAccept;

  private constructor(contract: AgentContract, prepared: PreparedAccept) {
    this.#contract = contract;
    this.#prepared = prepared;
  }

  /** Prepares the answer, or says why the voice server could not read it. */
  static prepare(contract: AgentContract): AgentAccept | Problem {
    const parts = partsOf(contract);
    try {
      return new AgentAccept(contract, prepareAccept(parts));
    } catch (error) {
      if (error instanceof ProtocolError) return acceptProblem(contract, parts, error);
      throw error;
    }
  }

  /** In bytes of UTF-8; a call's own additions come on top. */
  get size(): { readonly bytes: number; readonly limitBytes: number } {
    return { bytes: this.#prepared.byteLength, limitBytes: MAX_OUTGOING_MESSAGE_BYTES };
  }

  /**
   * The frame for one call.
   * @throws ProtocolError when what the start hooks added cannot be sent, or makes the frame too large.
   */
  frameFor(accept: Accept | undefined): string {
    return accept === undefined ? this.#prepared.build() : this.#prepared.build(this.#additionsOf(accept));
  }

  /** The frame that answers a resumption of a call that was accepted with `accept`. */
  resumptionFrameFor(accept: Accept | undefined): string {
    const events = accept?.events ?? this.#contract.events;
    return this.#prepared.buildResumption(events === 'all' ? undefined : events.filter(isSubscribable));
  }

  #additionsOf(accept: Accept): AcceptAdditions {
    const { context: own = [] } = this.#contract.options;
    return {
      system_prompt: accept.systemPrompt,
      context: accept.context && [...own, ...accept.context],
      greeting: accept.greeting,
      events: accept.events === 'all' ? SUBSCRIBABLE_EVENTS : accept.events,
      tools: accept.tools,
    };
  }
}

function partsOf(contract: AgentContract): AcceptParts {
  const { systemPrompt, context, greeting, resume } = contract.options;
  return {
    // A second version would need a frame of its own; with one, the highest common version is always it.
    version: PROTOCOL_VERSIONS[0] ?? 1,
    tools: [...contract.tools.values()].map((tool) => wireTool(tool.declaration)),
    system_prompt: systemPrompt,
    context,
    greeting,
    events: contract.events === 'all' ? undefined : contract.events.filter(isSubscribable),
    resume: resume === true ? true : undefined,
  };
}

function isSubscribable(name: string): name is SubscribableEventName {
  return isSubscribableEvent(name);
}

function wireTool(tool: CoreToolDeclaration): ToolDeclaration {
  const { name, description, parameters, kind, timeoutMs, fillerAfterMs, confirm, repeatable } = tool;
  return {
    name,
    description,
    parameters,
    kind,
    timeout_ms: timeoutMs,
    filler_after_ms: fillerAfterMs,
    confirm,
    repeatable,
  };
}

function acceptProblem(contract: AgentContract, parts: AcceptParts, error: ProtocolError): Problem {
  const agent = contract.type.name;
  if (error.code !== 'too_large') {
    const details = { agent, option: 'or one of its tools', why: error.message };
    return { code: 'CW_AGENT_OPTION_INVALID', message: coreErrors.CW_AGENT_OPTION_INVALID(details) };
  }
  const details = {
    agent,
    bytes: Buffer.byteLength(JSON.stringify(parts)),
    limitBytes: MAX_OUTGOING_MESSAGE_BYTES,
    largest: largestParts(parts),
  };
  return { code: 'CW_ACCEPT_TOO_LARGE', message: coreErrors.CW_ACCEPT_TOO_LARGE(details) };
}

/** The three largest parts with their sizes: where shortening helps. */
function largestParts(parts: AcceptParts): string {
  const named: [string, unknown][] = [
    ['systemPrompt', parts.system_prompt],
    ['greeting', parts.greeting],
    ['context', parts.context],
    ...(parts.tools ?? []).map((tool): [string, unknown] => [`tool ${tool.name}`, tool]),
  ];
  return named
    .filter(([, part]) => part !== undefined)
    .map(([name, part]): [string, number] => [name, Buffer.byteLength(JSON.stringify(part))])
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, bytes]) => `${name} ${bytes} bytes`)
    .join(', ');
}
