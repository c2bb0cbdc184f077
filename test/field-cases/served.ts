import type { Class } from '@callwright/di';
import { type Application, createApplication, type GatewayOptions } from '@callwright/gateway';
import type { LogEntry } from 'callwright';
import { Module } from 'callwright';
import { VoiceServerClient } from '../../packages/gateway/src/voice-server.test-support';

type Message = Readonly<Record<string, unknown>>;

/** An application with one agent, its log, and calls to it; closed after the test. */
export interface Served {
  readonly application: Application;
  readonly log: LogEntry[];
  call(start?: Message): Promise<VoiceServerClient>;
  connect(): Promise<VoiceServerClient>;
}

const open: Application[] = [];

export async function serve(
  agent: Class,
  options: GatewayOptions = {},
  providers: readonly Class[] = [],
): Promise<Served> {
  @Module({ agents: [agent], providers: [...providers] })
  class CaseModule {}
  const log: LogEntry[] = [];
  const application = await createApplication(CaseModule, {
    port: 0,
    drainMs: 0,
    log: { level: 'debug', sink: { write: (entry) => log.push(entry) } },
    ...options,
  });
  open.push(application);
  const url = await application.listen();
  return {
    application,
    log,
    call: (start) => VoiceServerClient.call(url, start),
    connect: () => VoiceServerClient.connect(url),
  };
}

/** Closes what a test opened. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((application) => application.close()));
}

/** A promise that a test settles. */
export class Gate<T = void> {
  readonly promise: Promise<T>;
  open: (value: T) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

/** Every answer to a tool call. */
export function answersTo(client: VoiceServerClient, id: number): readonly Message[] {
  return client.received.filter((message) => message.type === 'tool.result' && message.id === id);
}

/** Resolves when everything sent before was read and dealt with. */
export async function dealtWith(client: VoiceServerClient, tool: string): Promise<void> {
  const id = 1_000_000 + client.seq;
  client.toolCall(id, tool);
  await client.result(id);
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Gives the loop turns until it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}
