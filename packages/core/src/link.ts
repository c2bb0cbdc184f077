/**
 * The ports between a call and what carries it. `core` knows a link only by this page; the brisvox link lives in
 * `@callwright/gateway`, and other links come beside it.
 */

/** What the other side of a link can do for a call. */
export interface LinkCapabilities {
  readonly transfer: boolean;
  readonly tools: boolean;
}

/**
 * Who calls, as far as the carrier and the voice server tell. The numbers are personal data: they are read by name and
 * stand in no `util.inspect` and no `JSON.stringify`.
 */
export class CallerIdentity {
  readonly #from: string | undefined;
  readonly #to: string | undefined;
  readonly #carrierCallId: string;

  constructor(
    /** `twilio`, `telnyx`, `sip`, or another carrier. */
    readonly carrier: string,
    carrierCallId: string,
    from: string | undefined,
    to: string | undefined,
    /** True when the voice server withheld the numbers. */
    readonly piiRedacted: boolean,
  ) {
    this.#carrierCallId = carrierCallId;
    this.#from = from;
    this.#to = to;
  }

  /** The carrier's own name of the call. */
  get carrierCallId(): string {
    return this.#carrierCallId;
  }

  /** The caller's number, when known. */
  get from(): string | undefined {
    return this.#from;
  }

  /** The number that was called, when known. */
  get to(): string | undefined {
    return this.#to;
  }
}

/** How a call presented itself when its link opened. */
export interface CallOpening {
  /** The wire's name of the call: a counter, not unique. */
  readonly sessionId: string;
  /** The agent definition's name on the voice server. */
  readonly agentName: string;
  readonly protocolVersion: number;
  readonly capabilities: LinkCapabilities;
  readonly caller: CallerIdentity | undefined;
}

export type ContextRole = 'system' | 'user' | 'assistant';

export interface ContextMessage {
  readonly role: ContextRole;
  readonly text: string;
}

/** A command as the call gives it to the link; absent members are left out. */
export type Command =
  | { readonly type: 'say'; readonly text: string; readonly interrupt?: true | undefined }
  | { readonly type: 'end'; readonly say?: string | undefined; readonly reason?: string | undefined }
  | {
      readonly type: 'transfer';
      readonly destination: string;
      readonly mode?: 'cold' | 'warm' | undefined;
      readonly summary?: string | undefined;
      readonly reason?: string | undefined;
    }
  | {
      readonly type: 'context.update';
      readonly systemPrompt?: string | undefined;
      readonly append?: readonly ContextMessage[] | undefined;
    }
  | { readonly type: 'tools.set'; readonly enabled: readonly string[] | null };

/** Outgoing half: what a call asks of its link. No method waits; none throws but where it says so. */
export interface Link {
  /** False once the link is closed or closing: nothing can be sent any more. */
  readonly isOpen: boolean;
  /**
   * Sends one command.
   * @throws CommandError `invalid_argument` or `too_large` when the link's local checks refuse it; nothing was sent then.
   */
  sendCommand(command: Command, id: string | undefined, re: number | undefined): void;
  /** Answers a tool call with JSON text. False: the message would be larger than the link's limit; nothing was sent. */
  sendToolResult(id: number, resultJson: string): boolean;
  /** Answers a tool call with an error the model reads; the link cuts it to its own limit at a code point. */
  sendToolError(id: number, message: string): void;
  /** Closes the link; `reason` is cut to 123 bytes. */
  close(code: number, reason: string): void;
}

export type ToolKind = 'read_only' | 'side_effect';

/** A request of the model to run a tool, as the link read it. */
export interface ToolRequest {
  readonly id: number;
  /** The server's own name of this tool call, unique in the call. */
  readonly callId: string;
  readonly name: string;
  /** An object parsed from JSON, not yet validated by us. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  readonly epoch: number;
  /** Unique inside one call only. */
  readonly wireKey: string;
  readonly timeoutMs: number;
  /** The message it came in: what is remembered of a request is that text, which costs less to keep than its arguments. */
  readonly source: string;
  /** Reads the arguments out of a source again; one function for all requests of a link. */
  readonly readArgs: (source: string) => Readonly<Record<string, unknown>>;
}

export type ToolCancelReason =
  | 'interrupted'
  | 'timeout'
  | 'abandoned'
  | 'link_closed'
  | 'call_ended'
  | (string & {});

/** A tool as the model is told of it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema whose own type is `object`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  readonly timeoutMs?: number | undefined;
  readonly fillerAfterMs?: number | undefined;
  readonly confirm?: true | undefined;
  readonly repeatable?: true | undefined;
}
