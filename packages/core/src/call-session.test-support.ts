import { type Class, Module, type Provider, planContainer } from '@callwright/di';
import { VirtualClock } from '../../testing/src/virtual-clock';
import { AgentPlan } from './agent-plan';
import { readAgents } from './agents-reading';
import { CallSession } from './call-session';
import { containerOptions } from './container-options';
import { CommandError } from './failures';
import type { CallerIdentity, Command, Link, ToolRequest } from './link';
import { type LogEntry, Logger } from './logger';
import { callPorts } from './ports';

/** What went out on a link. */
export type Sent =
  | { readonly command: Command; readonly id: string | undefined; readonly re: number | undefined }
  | { readonly result: string; readonly toolId: number }
  | { readonly error: string; readonly toolId: number };

/** A link that keeps what is sent. */
export class RecordingLink implements Link {
  readonly sent: Sent[] = [];
  isOpen = true;
  resultLimitBytes = 65_000;

  sendCommand(command: Command, id: string | undefined, re: number | undefined): void {
    if (command.type === 'say' && command.text.trim() === '')
      throw new CommandError('say', 'invalid_argument');
    this.sent.push({ command, id, re });
  }

  sendToolResult(toolId: number, result: string): boolean {
    if (result.length > this.resultLimitBytes) return false;
    this.sent.push({ result, toolId });
    return true;
  }

  sendToolError(toolId: number, error: string): void {
    this.sent.push({ error, toolId });
  }

  close(): void {
    this.isOpen = false;
  }

  /** Answers of tools, as `[id, text]`. */
  get answers(): [number, string][] {
    return this.sent.flatMap((sent): [number, string][] => {
      if ('result' in sent) return [[sent.toolId, sent.result]];
      return 'error' in sent ? [[sent.toolId, `error: ${sent.error}`]] : [];
    });
  }

  get commands(): {
    readonly command: Command;
    readonly id: string | undefined;
    readonly re: number | undefined;
  }[] {
    return this.sent.flatMap((sent) => ('command' in sent ? [sent] : []));
  }
}

/** A call of one agent with a recording link and a virtual clock. */
export interface TestCall {
  readonly session: CallSession;
  /** One more call of the same agent, with the same clock and log. */
  again(): CallSession;
  readonly link: RecordingLink;
  readonly clock: VirtualClock;
  readonly log: LogEntry[];
  /** The agent's own instance. */
  readonly agent: object;
  /** Sends a tool call; the id counts up. */
  tool(name: string, args?: Record<string, unknown>, more?: Partial<ToolRequest>): number;
  /** Lets promises settle. */
  settle(): Promise<void>;
}

export async function sessionOf(
  agent: Class,
  options: {
    imports?: readonly Class[];
    providers?: readonly Provider[];
    caller?: CallerIdentity;
    transfer?: boolean;
  } = {},
): Promise<TestCall> {
  const clock = new VirtualClock();
  const log: LogEntry[] = [];
  const logger = new Logger({ sink: { write: (entry) => log.push(entry) }, level: 'trace', wallMs: () => 0 });
  @Module({})
  class TestModule {}
  const plan = await planContainer(
    {
      module: TestModule,
      imports: options.imports ?? [],
      providers: [...(options.providers ?? [])],
      agents: [agent],
    },
    containerOptions({ logger, clock }),
  );
  const agents = readAgents(plan, {});
  const problems = [...plan.problems, ...agents.problems];
  if (problems.length > 0)
    throw new Error(problems.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  const draft = agents.agents[0];
  if (!draft) throw new Error('there is no agent');
  const agentPlan = new AgentPlan(draft, await plan.instantiate(), clock);
  const ports = callPorts({ clock, logger });
  const opening = {
    sessionId: '1',
    agentName: 'test',
    protocolVersion: 1,
    capabilities: { transfer: options.transfer ?? true, tools: true },
    caller: options.caller,
  };
  const again = (): CallSession => new CallSession(agentPlan, opening, ports);
  const session = again();
  const link = new RecordingLink();
  let toolId = 0;
  /** Arguments by the source of their request. */
  const sources: Readonly<Record<string, unknown>>[] = [];
  return {
    session,
    again,
    link,
    clock,
    log,
    agent: session.scope.root(0) as object,
    tool(name, args = {}, more = {}) {
      const id = more.id ?? ++toolId;
      session.handleToolCall({
        id,
        callId: `t1.${id}`,
        name,
        args,
        kind: 'read_only',
        epoch: 1,
        wireKey: `key${id}`,
        timeoutMs: 5_000,
        source: String(sources.push(args) - 1),
        readArgs: (source) => sources[Number(source)] ?? {},
        ...more,
      });
      return id;
    },
    settle: () => clock.advance(0),
  };
}

/** A started, accepted call. */
export async function liveCall(
  agent: Class,
  options: Parameters<typeof sessionOf>[1] = {},
): Promise<TestCall> {
  const call = await sessionOf(agent, options);
  await call.session.start();
  call.session.open(call.link);
  return call;
}
