import {
  Call,
  CallerIdentity,
  type Command,
  CommandError,
  type CommandErrorCode,
  type ToolCancelReason,
  ToolContext,
  type ToolKind,
} from '@callwright/core';

/** Options of {@link detachedCall}. */
export interface DetachedCallOptions {
  /** The caller's number; without it and without `to` there is no caller identity. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** @default 'default' */
  readonly agentName?: string | undefined;
  /** Whether the call can be transferred. @default true */
  readonly transfer?: boolean | undefined;
}

/** A call with nobody behind it. */
export interface DetachedCall {
  readonly call: Call;
  /** What was ordered through it, in order. */
  readonly commands: readonly Command[];
  /** The next command is refused with this code instead of succeeding. */
  refuseNext(code: CommandErrorCode): void;
}

let callCount = 0;

/**
 * A call for a test of one class alone: live, every command succeeds at once and is kept. It has no voice server, so nothing
 * checks the commands; `app.call()` of a test application does.
 *
 * @example
 * ```ts
 * import { detachedCall } from '@callwright/testing';
 * import { Call, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'hello' })
 * class HelloAgent {
 *   constructor(private readonly call: Call) {}
 *
 *   async greet(): Promise<void> {
 *     await this.call.say('Hello!');
 *   }
 * }
 *
 * async function main(): Promise<void> {
 *   const { call, commands } = detachedCall({ from: '+390612345678' });
 *   await new HelloAgent(call).greet();
 *   console.log(commands); // [{ type: 'say', text: 'Hello!' }]
 * }
 * void main();
 * ```
 */
export function detachedCall(options: DetachedCallOptions = {}): DetachedCall {
  const { from, to } = options;
  const commands: Command[] = [];
  let refusal: CommandErrorCode | undefined;
  callCount += 1;
  const hasCaller = from !== undefined || to !== undefined;
  const call = new Call({
    id: `detached-${callCount}`,
    sessionId: String(callCount),
    agentName: options.agentName ?? 'default',
    protocolVersion: 1,
    capabilities: { transfer: options.transfer ?? true, tools: true },
    caller: hasCaller ? new CallerIdentity('twilio', `CA${callCount}`, from, to, false) : undefined,
    state: 'live',
    resumeCount: 0,
    endReason: undefined,
    link: undefined,
    command(command) {
      commands.push(command);
      const code = refusal;
      refusal = undefined;
      if (code === undefined) return Promise.resolve();
      return Promise.reject(new CommandError(command.type, code, 'refused by the test'));
    },
  });
  return {
    call,
    commands,
    refuseNext(code) {
      refusal = code;
    },
  };
}

/** Options of {@link detachedTool}. */
export interface DetachedToolOptions {
  /** @default one of {@link detachedCall} */
  readonly call?: Call | undefined;
  /** @default 'tool' */
  readonly name?: string | undefined;
  /** @default 'side_effect' */
  readonly kind?: ToolKind | undefined;
  /** The key of the voice server; the tool's `idempotencyKey` has the call's id before it. @default a new one */
  readonly wireKey?: string | undefined;
  /** @default 10,000 */
  readonly timeoutMs?: number | undefined;
}

/** A running tool call with nobody behind it. */
export interface DetachedTool {
  readonly tool: ToolContext;
  /** Nobody waits for the tool any more: `cancelRequested` says why, and the signal of a read fires. */
  cancel(reason: ToolCancelReason): void;
  /** The tool has to stop now: its signal fires, whichever kind it is. */
  stop(reason: ToolCancelReason): void;
}

let toolCount = 0;

/** A `ToolContext` for a test of one tool method alone. */
export function detachedTool(options: DetachedToolOptions = {}): DetachedTool {
  toolCount += 1;
  const kind = options.kind ?? 'side_effect';
  const callId = `t1.${toolCount}`;
  const tool = new ToolContext(options.call ?? detachedCall().call, {
    id: toolCount,
    callId,
    name: options.name ?? 'tool',
    args: {},
    kind,
    epoch: 1,
    wireKey: options.wireKey ?? `detached-${callId}`,
    timeoutMs: options.timeoutMs ?? 10_000,
    source: '{}',
    readArgs: () => ({}),
  });
  return {
    tool,
    cancel(reason) {
      if (kind === 'read_only') ToolContext.stop(tool, reason);
      else ToolContext.requestCancel(tool, reason);
    },
    stop: (reason) => ToolContext.stop(tool, reason),
  };
}
