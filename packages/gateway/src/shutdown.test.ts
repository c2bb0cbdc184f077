import { type CallEnd, OnEvent, Tool, ToolContext, UserText, VoiceAgent } from '@callwright/core';
import { Injectable, Module, type OnApplicationShutdown } from '@callwright/di';
import { VirtualClock } from '../../testing/src/virtual-clock';
import type { Application } from './application';
import { createApplication } from './assembly';
import { LogRecorder } from './connected.test-support';
import type { GatewayOptions } from './options';
import { VoiceServerClient } from './voice-server.test-support';

const LAME_DUCK_MS = 3_000;
const DRAIN_MS = 60_000;
let journal: string[];
let clock: VirtualClock;
let running: Application | undefined;

@Injectable()
class Pool implements OnApplicationShutdown {
  onApplicationShutdown(signal?: string): Promise<void> | void {
    journal.push(`module hook ${signal}`);
    if (signal === 'hang') return new Promise(() => undefined);
    if (signal === 'throw') throw new Error('secret');
  }
}

@VoiceAgent({ name: 'desk', resume: true })
class DeskAgent {
  @Tool('Answers.')
  ping(): string {
    return 'pong';
  }

  @Tool({ description: 'Books.', kind: 'side_effect' })
  book(tool: ToolContext): Promise<void> {
    journal.push('book');
    return new Promise((resolve) => {
      tool.signal.addEventListener('abort', () => {
        journal.push('booking stopped');
        resolve();
      });
    });
  }

  @OnEvent(UserText)
  heard(_event: UserText): Promise<void> {
    return new Promise(() => undefined);
  }

  onCallEnd(end: CallEnd): void {
    journal.push(`end ${end.reason}`);
  }
}

@Module({ agents: [DeskAgent], providers: [Pool] })
class AppModule {}

async function serve(options: GatewayOptions = {}): Promise<Application> {
  clock = new VirtualClock();
  running = await createApplication(AppModule, {
    port: 0,
    clock,
    lameDuckMs: LAME_DUCK_MS,
    drainMs: DRAIN_MS,
    log: { sink: new LogRecorder().sink },
    ...options,
  });
  await running.listen();
  return running;
}

async function outcome(url: string): Promise<unknown> {
  const client = (await VoiceServerClient.connect(url)).start();
  const answer = await client.next(() => true);
  return answer.code ?? answer.type;
}

beforeEach(() => {
  journal = [];
});

afterEach(async () => {
  const closed = running?.close({ drainMs: 0 });
  await clock.advance(10_000);
  await closed;
});

describe('a shutdown', () => {
  it('is not ready at once, takes calls for the lame-duck time, and then turns them away', async () => {
    const application = await serve();
    const { url } = application;
    const live = await VoiceServerClient.call(url);
    void application.close({ signal: 'SIGTERM' });
    expect(application.isReady).toBe(false);
    await clock.advance(LAME_DUCK_MS - 1);
    expect(await outcome(url)).toBe('session.accept');
    await clock.advance(1);
    expect(await outcome(url)).toBe('unavailable');
    live.toolCall(1, 'ping');
    expect(await live.result(1)).toMatchObject({ result: 'pong' });
  });

  it('takes resumptions of its own calls while it drains', async () => {
    const application = await serve({ lameDuckMs: 0 });
    const live = await VoiceServerClient.call(application.url);
    void application.close();
    await clock.advance(1);
    live.socket.terminate();
    await live.whenClosed;
    const again = await VoiceServerClient.connect(application.url);
    again.start({ seq: 3, t_ms: 1_000, resume: { attempt: 1, previous_seq: 2, down_ms: 1 } });
    expect((await again.next(() => true)).type).toBe('session.accept');
  });

  it('ends as soon as the last call has ended, hooks of calls before those of modules', async () => {
    const application = await serve({ lameDuckMs: 0 });
    const live = await VoiceServerClient.call(application.url);
    const closed = application.close({ signal: 'SIGTERM' });
    live.send({ type: 'session.end', reason: 'call_ended' });
    live.socket.close(1000);
    expect(await closed).toEqual({ cutCalls: 0 });
    expect(journal).toEqual(['end call_ended', 'module hook SIGTERM']);
    await expect(VoiceServerClient.connect(application.url)).rejects.toThrow();
  });

  it('cuts what still lives after the drain time and says how many', async () => {
    const application = await serve();
    const live = await VoiceServerClient.call(application.url);
    const closed = application.close();
    await clock.advance(LAME_DUCK_MS + DRAIN_MS - 1);
    expect(journal).toEqual([]);
    await clock.advance(1);
    expect(await closed).toEqual({ cutCalls: 1 });
    expect((await live.whenClosed).code).toBe(1001);
    expect(journal).toEqual(['end shutdown', 'module hook undefined']);
  });

  it('goes straight to the end when somebody is in a hurry', async () => {
    const application = await serve();
    await VoiceServerClient.call(application.url);
    const closed = application.close();
    void application.close({ drainMs: 0 });
    expect(await closed).toEqual({ cutCalls: 1 });
  });

  it.each(['hang', 'throw'])('is bounded and complete when a module hook does %s', async (signal) => {
    const application = await serve({ lameDuckMs: 0, drainMs: 0 });
    const closed = application.close({ signal });
    await clock.advance(5_000);
    await expect(closed).resolves.toEqual({ cutCalls: 0 });
  });

  it('is bounded by hooks that never settle, of calls and of modules: 5 s after the drain', async () => {
    const application = await serve({ lameDuckMs: 0, drainMs: 0 });
    const live = await VoiceServerClient.call(application.url);
    live.send({ type: 'user.text', epoch: 1, text: 'stuck' });
    live.toolCall(1, 'ping');
    await live.result(1); // the event was read before
    const closed = application.close({ signal: 'hang' });
    await clock.advance(5_000);
    expect(await closed).toEqual({ cutCalls: 1 });
    expect(journal).toEqual(['end shutdown', 'module hook hang']); // also behind a stuck handler
  });

  it('tells side effects to stop before the modules end that they use', async () => {
    const application = await serve({ lameDuckMs: 0, drainMs: 0 });
    const live = await VoiceServerClient.call(application.url);
    live.toolCall(1, 'book', {}, { kind: 'side_effect' });
    live.toolCall(2, 'ping');
    await live.result(2); // the booking was read before
    const closed = application.close();
    await clock.advance(5_000);
    await closed;
    expect(journal).toEqual(['book', 'end shutdown', 'booking stopped', 'module hook undefined']);
  });

  it('waits for nobody when the application could not listen', async () => {
    const other = await serve();
    const { port } = new URL(other.url);
    const log = { sink: new LogRecorder().sink };
    const second = await createApplication(AppModule, {
      port: Number(port),
      clock,
      log,
      lameDuckMs: LAME_DUCK_MS,
    });
    await expect(second.listen()).rejects.toMatchObject({ code: 'CW_PORT_IN_USE' });
  });

  it('leaves no port open when it comes while the application begins to listen', async () => {
    const application = await serve();
    const { port } = new URL(application.url);
    const closed = application.close({ lameDuckMs: 0, drainMs: 0 });
    await closed;
    const log = { sink: new LogRecorder().sink };
    const second = await createApplication(AppModule, { port: Number(port), clock, log });
    const listening = second.listen();
    const secondClosed = second.close({ lameDuckMs: 0, drainMs: 0 });
    await expect(listening).rejects.toMatchObject({ code: 'CW_LISTEN_TWICE' });
    await secondClosed;
    await expect(VoiceServerClient.connect(`ws://127.0.0.1:${port}`)).rejects.toThrow();
  });
});
