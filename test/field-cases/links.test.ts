import { type Application, createApplication } from '@callwright/gateway';
import { VirtualClock } from '@callwright/testing';
import {
  Call,
  CallClosed,
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
import { RawCall } from '../autobahn/raw-call';
import { closeAll, Gate, serve, until } from './served';

let ends: string[] = [];
let failures: string[] = [];
let late = new Gate();

/** Says a lot, says something too late, and says something at the end. */
@Injectable({ scope: Scope.CALL })
class TalkativeAgent {
  constructor(readonly call: Call) {}

  @Tool('Answers.')
  ping(): string {
    return 'pong';
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    if (event.text === 'flood') {
      for (let count = 0; count < 5_000; count += 1) {
        this.call.say('x'.repeat(4_096)).catch((error: unknown) => failures.push(nameOf(error)));
      }
    }
    if (event.text === 'late') {
      await late.promise;
      await this.call.say('too late').catch((error: unknown) => failures.push(nameOf(error)));
    }
  }

  async onCallEnd(end: CallEnd): Promise<void> {
    ends.push(end.reason);
    await this.call.say('goodbye').catch((error: unknown) => failures.push(nameOf(error)));
  }
}

function nameOf(error: unknown): string {
  if (CallClosed.is(error)) return 'closed';
  return error instanceof Error ? error.name : 'unknown';
}

@VoiceAgent({ name: 'final' })
class FinalAgent extends TalkativeAgent {}

@VoiceAgent({ name: 'resumable', resume: true })
class ResumableAgent extends TalkativeAgent {
  onCallParked(): void {
    failures.push(`parked ${this.call.state}`);
  }
}

@Module({ agents: [ResumableAgent] })
class ResumableModule {}

beforeEach(() => {
  ends = [];
  failures = [];
  late = new Gate();
});

afterEach(closeAll);

it('B38: a peer that stops reading costs a bounded number of bytes; then its link is lost and every promise rejects', async () => {
  const { application } = await serve(FinalAgent);
  const client = await VoiceServerClient.call(application.url);
  client.socket.pause();
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  client.send({ type: 'user.text', epoch: 1, text: 'flood' });
  await until(() => failures.length === 5_001);
  expect(process.memoryUsage().arrayBuffers + process.memoryUsage().external - before).toBeLessThan(
    16 * 2 ** 20,
  );
  expect(new Set(failures)).toEqual(new Set(['closed']));
  expect(ends).toEqual(['link_closed']);
  client.socket.terminate();
});

it('B43: a peer that closes its half is lost at once, and nothing more is sent', async () => {
  const { application } = await serve(FinalAgent);
  const call = await RawCall.open(application.url);
  const count = call.frames.length;
  call.socket.end();
  await call.whenClosed;
  await until(() => ends.length === 1);
  expect(call.frames).toHaveLength(count);
});

it('B44: closing takes 2 s at most, though a peer never answers the close frame', async () => {
  const { application } = await serve(FinalAgent);
  const call = await RawCall.open(application.url);
  const beganMs = performance.now();
  await application.close();
  await call.whenClosed;
  expect(performance.now() - beganMs).toBeLessThan(3_000);
  expect(ends).toEqual(['shutdown']);
});

it('B45: commands of an end hook, and of a handler whose link is gone, reject as closed; nothing escapes', async () => {
  const { application, log } = await serve(FinalAgent);
  const client = await VoiceServerClient.call(application.url);
  client.send({ type: 'user.text', epoch: 1, text: 'late' });
  client.toolCall(1, 'ping');
  await client.result(1);
  client.socket.terminate();
  await until(() => application.callCount === 0);
  late.open();
  await until(() => failures.length === 2);
  expect(failures).toEqual(['closed', 'closed']);
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
});

it('B46: a reset ends a call without resumption once, at once', async () => {
  const { application } = await serve(FinalAgent);
  const call = await RawCall.open(application.url);
  call.socket.resetAndDestroy();
  await until(() => ends.length === 1);
  expect(ends).toEqual(['link_closed']);
});

describe('with resumption, on a clock that a test moves', () => {
  let clock: VirtualClock;
  let application: Application;

  beforeEach(async () => {
    clock = new VirtualClock();
    application = await createApplication(ResumableModule, {
      port: 0,
      clock,
      drainMs: 0,
      log: { level: 'fatal' },
    });
    await application.listen();
  });

  afterEach(() => clock.runUntil(application.close()));

  it('B46: a reset parks the call; it ends once, when the window is over', async () => {
    const call = await RawCall.open(application.url);
    call.socket.resetAndDestroy();
    await until(() => failures.includes('parked parked'));
    await clock.advance(14_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual(['link_closed']);
  });

  it('B45: a command while the call is parked rejects as closed', async () => {
    const call = await VoiceServerClient.call(application.url);
    call.send({ type: 'user.text', epoch: 1, text: 'late' });
    call.toolCall(1, 'ping');
    await call.result(1);
    call.socket.terminate();
    await until(() => clock.pendingTimerCount > 1);
    late.open();
    await until(() => failures.length === 2);
    expect(failures).toEqual(['closed', 'parked parked']);
  });

  it('B41: a link over which nothing comes is lost within 20 s, and its call ends once', async () => {
    const call = await RawCall.open(application.url);
    call.socket.pause();
    await clock.advance(20_000);
    await until(() => failures.includes('parked parked'));
    await clock.advance(60_000);
    expect(ends).toEqual(['link_closed']);
    call.socket.destroy();
  });
});
