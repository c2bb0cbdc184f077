import { type Application, createApplication } from '@callwright/gateway';
import { VirtualClock } from '@callwright/testing';
import {
  Arg,
  BotText,
  Call,
  type CallEnd,
  Injectable,
  Module,
  OnEvent,
  Scope,
  Tool,
  UserText,
  VoiceAgent,
} from 'callwright';
import { VoiceServerClient } from '../../packages/gateway/src/voice-server.test-support';
import { answersTo, closeAll, dealtWith, Gate, serve, turn, until } from './served';

afterEach(closeAll);

it('B18: a start hook that throws, rejects, returns nonsense or takes too long rejects its call alone', async () => {
  const ended: string[] = [];

  @VoiceAgent({ name: 'starter' })
  class StarterAgent {
    constructor(readonly call: Call) {}

    onCallStart(): never | Promise<never> {
      const { sessionId } = this.call;
      if (sessionId === 'throws') throw new Error('no');
      if (sessionId === 'rejects') return Promise.reject(new Error('no'));
      if (sessionId === 'late') return new Promise(() => undefined);
      // The compiler would refuse it.
      return (sessionId === 'nonsense' ? 7 : undefined) as never;
    }

    onCallEnd(): void {
      ended.push(this.call.sessionId);
    }

    @Tool('Answers.')
    ping(): string {
      return 'pong';
    }
  }
  const served = await serve(StarterAgent);
  const other = await served.call();
  for (const sessionId of ['throws', 'rejects', 'nonsense', 'late']) {
    const client = await served.connect();
    client.start({ session_id: sessionId });
    expect((await client.whenClosed).code).toBe(1000);
    expect(client.received).toEqual([
      { type: 'session.reject', code: 'unavailable', message: 'the agent is not available' },
    ]);
  }
  await dealtWith(other, 'ping');
  expect(ended).toEqual([]);
});

it('B22: handlers that take a random time hear 200 events in order, one at a time; two calls overlap', async () => {
  const heard: Record<string, number[]> = {};
  let running = 0;
  const busy = new Set<string>();
  let mostAtOnce = 0;
  const overlaps: string[] = [];

  @VoiceAgent({ name: 'patient' })
  class PatientAgent {
    constructor(readonly call: Call) {}

    @OnEvent(UserText)
    async heard(event: UserText): Promise<void> {
      const { sessionId } = this.call;
      if (busy.has(sessionId)) overlaps.push(sessionId);
      busy.add(sessionId);
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      for (let turns = Math.floor(Math.random() * 4); turns > 0; turns -= 1) await turn();
      heard[sessionId] = [...(heard[sessionId] ?? []), Number(event.text)];
      running -= 1;
      busy.delete(sessionId);
    }
  }
  const served = await serve(PatientAgent);
  const clients = await Promise.all(['a', 'b'].map((session_id) => served.call({ session_id })));
  const numbers = Array.from({ length: 200 }, (_, at) => at + 2);
  for (const number of numbers) {
    for (const client of clients) client.send({ type: 'user.text', epoch: 1, text: String(number) });
  }
  await until(() => (heard.a?.length ?? 0) + (heard.b?.length ?? 0) === 400);
  expect(heard).toEqual({ a: numbers, b: numbers });
  expect(overlaps).toEqual([]);
  expect(mostAtOnce).toBe(2);
});

it('B24: a handler that waits, also for its own command, delays no tool, cancel or result', async () => {
  const gate = new Gate();
  const seen: string[] = [];

  @VoiceAgent({ name: 'slow' })
  class SlowAgent {
    constructor(readonly call: Call) {}

    @OnEvent(UserText)
    async heard(): Promise<void> {
      await this.call.say('one moment');
      seen.push('said');
      await gate.promise;
    }

    @Tool('Answers.')
    ping(): string {
      return 'pong';
    }
  }
  const client = await (await serve(SlowAgent)).call();
  client.send({ type: 'user.text', epoch: 1, text: 'hello' });
  const say = await client.next(({ type }) => type === 'say');
  const beganMs = performance.now();
  client.toolCall(1, 'ping');
  client.send({ type: 'tool.cancel', id: 9, reason: 'timeout' });
  await client.result(1);
  expect(performance.now() - beganMs).toBeLessThan(1_000);
  expect(seen).toEqual([]);
  client.send({ type: 'command.result', id: say.id, ok: true });
  await dealtWith(client, 'ping');
  expect(seen).toEqual(['said']);
  gate.open();
});

it('B37: a provider that throws while the call starts: a rejection, its siblings are disposed of, others go on', async () => {
  const disposed: string[] = [];

  @Injectable({ scope: Scope.CALL })
  class Sibling {
    [Symbol.dispose](): void {
      disposed.push('sibling');
    }
  }
  @Injectable({ scope: Scope.CALL })
  class Fragile {
    constructor(call: Call, _sibling: Sibling) {
      if (call.sessionId === 'broken') throw new Error('no');
    }
  }
  @VoiceAgent({ name: 'fragile' })
  class FragileAgent {
    constructor(readonly fragile: Fragile) {}

    @Tool('Answers.')
    ping(): string {
      return 'pong';
    }
  }
  const served = await serve(FragileAgent, {}, [Sibling, Fragile]);
  const other = await served.call();
  const client = await served.connect();
  client.start({ session_id: 'broken' });
  expect((await client.whenClosed).code).toBe(1000);
  expect(client.received).toMatchObject([{ type: 'session.reject', code: 'unavailable' }]);
  await until(() => disposed.length > 0);
  expect(disposed).toEqual(['sibling']);
  await dealtWith(other, 'ping');
});

describe('two voice servers with equal session ids', () => {
  let ends: string[];
  let clock: VirtualClock;
  let application: Application;

  @VoiceAgent({ name: 'twin', resume: true })
  class TwinAgent {
    readonly heard: string[] = [];

    @OnEvent(UserText)
    hear(event: UserText): void {
      this.heard.push(event.text);
    }

    @Tool('What this call heard.')
    told(): string[] {
      return this.heard;
    }

    onCallEnd(end: CallEnd): void {
      ends.push(`${this.heard.join()} ${end.reason}`);
    }
  }
  @Module({ agents: [TwinAgent] })
  class TwinModule {}

  beforeEach(async () => {
    ends = [];
    clock = new VirtualClock();
    application = await createApplication(TwinModule, {
      port: 0,
      clock,
      drainMs: 0,
      log: { level: 'fatal' },
    });
    await application.listen();
  });

  afterEach(() => clock.runUntil(application.close()));

  it('B48: share nothing; each started call ends once; a restarted server is served while its old call waits', async () => {
    const { url } = application;
    const ofA = await VoiceServerClient.call(url);
    const ofB = await VoiceServerClient.call(url);
    ofA.send({ type: 'user.text', epoch: 1, text: 'A' });
    ofB.send({ type: 'user.text', epoch: 1, text: 'B' });
    ofA.toolCall(1, 'told');
    ofB.toolCall(1, 'told');
    expect(await ofA.result(1)).toMatchObject({ result: ['A'] });
    expect(await ofB.result(1)).toMatchObject({ result: ['B'] });
    ofA.socket.terminate();
    await ofA.whenClosed;
    const restarted = await VoiceServerClient.call(url);
    restarted.send({ type: 'user.text', epoch: 1, text: 'A again' });
    restarted.toolCall(1, 'told');
    expect(await restarted.result(1)).toMatchObject({ result: ['A again'] });
    expect(answersTo(ofB, 1)).toHaveLength(1);
    await until(() => clock.pendingTimerCount > 1);
    await clock.advance(15_000);
    expect(ends).toEqual(['A link_closed']);
    for (const client of [ofB, restarted]) client.send({ type: 'session.end', reason: 'call_ended' });
    await until(() => ends.length === 3);
    expect(ends.sort()).toEqual(['A again call_ended', 'A link_closed', 'B call_ended']);
  });

  it('B102: a resumption that fits no call is rejected, which is final; while the process closes it is only refused', async () => {
    const { url } = application;
    const stranger = await VoiceServerClient.connect(url);
    stranger.start({ resume: { attempt: 1, previous_seq: 0, down_ms: 100 } });
    expect(await stranger.next(({ type }) => type === 'session.reject')).toMatchObject({
      code: 'unknown_session',
    });
    const closing = clock.runUntil(application.close());
    await expect(VoiceServerClient.connect(url)).rejects.toThrow();
    await closing;
  });
});

it('B106: a tool call may come before the text of its turn', async () => {
  const order: string[] = [];

  @VoiceAgent({ name: 'early' })
  class EarlyAgent {
    @OnEvent(UserText)
    heard(event: UserText): void {
      order.push(event.text);
    }

    @OnEvent(BotText)
    spoke(): void {}

    @Tool('Looks.')
    look(@Arg('what') what: string): string {
      order.push(what);
      return what;
    }
  }
  const client = await (await serve(EarlyAgent)).call();
  client.send({
    type: 'tool.call',
    seq: 7,
    id: 1,
    call_id: 'c',
    name: 'look',
    arguments: { what: 'first' },
    kind: 'read_only',
    epoch: 4,
    idempotency_key: 'k',
    timeout_ms: 5_000,
  });
  client.send({ type: 'user.text', seq: 8, epoch: 4, text: 'then' });
  client.send({ type: 'turn.user_ended', seq: 6, epoch: 4 });
  expect(await client.result(1)).toMatchObject({ result: 'first' });
  await until(() => order.length === 2);
  expect(order).toEqual(['first', 'then']);
});
