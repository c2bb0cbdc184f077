import { Call, type CallEnd, CallResumed, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import { Module } from '@callwright/di';
import { VirtualClock } from '@callwright/testing';
import type { Application } from './application';
import { createApplication } from './assembly';
import { LogRecorder } from './connected.test-support';
import type { GatewayOptions } from './options';
import { VoiceServerClient } from './voice-server.test-support';

let journal: string[] = [];
let log = new LogRecorder();
let running: Application | undefined;
let clock = new VirtualClock();
let endHook: Promise<void> | undefined;

@VoiceAgent({ name: 'keeper', resume: true, greeting: 'Hello!' })
class KeeperAgent {
  #heard = 0;

  @OnEvent(UserText)
  heard(event: UserText, call: Call): void {
    this.#heard += 1;
    journal.push(`heard ${event.text} ${this.#heard}`);
    if (event.text === 'say') void call.say('Here I am', { wait: false });
  }

  @OnEvent(CallResumed)
  resumed(event: CallResumed): void {
    journal.push(`resumed ${event.attempt} ${event.previousSeq} ${event.seenSeq}`);
  }

  onCallStart(): void {
    journal.push('start');
  }

  onCallEnd(end: CallEnd): Promise<void> | undefined {
    journal.push(`end ${end.reason}`);
    return endHook;
  }

  @Tool('Says so.')
  ping(): string {
    return 'pong';
  }
}

@Module({ agents: [KeeperAgent] })
class AppModule {}

async function serve(options: GatewayOptions = {}): Promise<Application> {
  log = new LogRecorder();
  clock = new VirtualClock();
  running = await createApplication(AppModule, {
    port: 0,
    clock,
    drainMs: 0,
    log: { sink: log.sink, level: 'debug' },
    ...options,
  });
  await running.listen();
  return running;
}

/** Cuts the client's socket and waits until the call is parked. */
async function lose(client: VoiceServerClient): Promise<void> {
  const parked = log.messages().filter((message) => message.includes('parked')).length;
  client.socket.terminate();
  await client.whenClosed;
  while (log.messages().filter((message) => message.includes('parked')).length === parked) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const accepted = (client: VoiceServerClient) => client.next((message) => message.type === 'session.accept');
const outcomeOf = async (client: VoiceServerClient): Promise<unknown> => {
  const answer = await client.next((message) => String(message.type).startsWith('session.'));
  return answer.code ?? answer.type;
};

beforeEach(() => {
  journal = [];
  endHook = undefined;
});

afterEach(async () => {
  const closed = running?.close();
  await clock.advance(60_000);
  await closed;
});

describe('a call with resume', () => {
  it('says so in its accept, and keeps its instance over a lost link', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    expect(client.received[0]).toMatchObject({ resume: true });
    client.send({ type: 'user.text', epoch: 1, text: 'one' });
    client.toolCall(1, 'ping');
    await client.result(1);
    await lose(client);
    const again = await client.redial(url);
    expect(await accepted(again)).toEqual({
      type: 'session.accept',
      version: 1,
      resume: true,
      events: ['user.text'],
    });
    again.send({ type: 'user.text', epoch: 2, text: 'say' });
    await again.next((message) => message.type === 'say');
    expect(journal).toEqual(['start', 'heard one 1', 'resumed 1 3 3', 'heard say 2']);
    expect(running?.callCount).toBe(1);
  });

  it('is taken over while its old link still looks open; the end of that one changes nothing', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    const again = await client.redial(url, { t_ms: 200 });
    await accepted(again);
    expect(await client.whenClosed).toMatchObject({ code: 1000 });
    again.toolCall(1, 'ping');
    await again.result(1);
    expect(journal).toEqual(['start', 'resumed 1 1 1']);
  });

  it('closes its link behind the end, whether or not the voice server does', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    client.send({ type: 'session.end', reason: 'call_ended' });
    expect(await client.whenClosed).toMatchObject({ code: 1000 });
    expect(journal).toEqual(['start', 'end call_ended']);
  });

  it('ends once when nobody comes back within 15 s, and is unknown then', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    await lose(client);
    await clock.advance(14_999);
    expect(journal).toEqual(['start']);
    await clock.advance(1);
    expect(journal).toEqual(['start', 'end link_closed']);
    expect(running?.callCount).toBe(0);
    expect(await outcomeOf(await client.redial(url, { t_ms: 15_000 }))).toBe('unknown_session');
  });

  it('is unknown as soon as it has ended, also while its end hooks run', async () => {
    const { url } = await serve();
    let release: () => void = () => undefined;
    endHook = new Promise((resolve) => {
      release = resolve;
    });
    const client = await VoiceServerClient.call(url);
    await lose(client);
    await clock.advance(15_000);
    expect(journal).toEqual(['start', 'end link_closed']);
    expect(await outcomeOf(await client.redial(url, { t_ms: 15_000 }))).toBe('unknown_session');
    expect(running?.callCount).toBe(0);
    release();
  });

  it('when it is over here, its late resumption is not taken for another call that looks the same', async () => {
    const { url } = await serve();
    const one = await VoiceServerClient.call(url);
    const two = await VoiceServerClient.call(url);
    await lose(one);
    await clock.advance(15_000);
    expect(await outcomeOf(await one.redial(url, { t_ms: 15_000 }))).toBe('unknown_session');
    two.toolCall(1, 'ping');
    await two.result(1);
  });

  it('waits until 60 s after the last frame when the loss was silent', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    client.socket.pause();
    await clock.advance(20_000);
    await new Promise((resolve) => setImmediate(resolve));
    while (!log.messages().some((message) => message.includes('parked'))) await clock.settle();
    await clock.advance(39_999);
    expect(journal).toEqual(['start']);
    await clock.advance(5_001);
    expect(journal).toEqual(['start', 'end link_closed']);
    client.socket.terminate();
  });

  it('keeps its place while it is parked, and gives it to nobody', async () => {
    const { url } = await serve({ maxCalls: 1 });
    const client = await VoiceServerClient.call(url);
    await lose(client);
    const other = await VoiceServerClient.connect(url);
    expect(await outcomeOf(other.start({ session_id: '2' }))).toBe('unavailable');
    await accepted(await client.redial(url));
  });

  it('is left alone by a plain start with its session id', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    await lose(client);
    await VoiceServerClient.call(url);
    expect(running?.callCount).toBe(2);
    expect(journal).toEqual(['start', 'start']);
  });

  it('is not resumed when two fit, and both stay', async () => {
    const { url } = await serve();
    const [one, two] = [await VoiceServerClient.call(url), await VoiceServerClient.call(url)];
    await lose(one);
    await lose(two);
    expect(await outcomeOf(await one.redial(url))).toBe('unknown_session');
    expect(running?.callCount).toBe(2);
    expect(log.entries.find((entry) => entry.message.includes('resumption was rejected'))?.fields).toEqual({
      fits: 'several',
    });
  });

  it.each([
    ['another path', (url: string) => `${url}/other`, {}],
    ['another agent name', (url: string) => url, { agent: 'other' }],
    ['another session id', (url: string) => url, { session_id: '7' }],
  ])('is not resumed by a start with %s', async (_case, change, fields) => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    await lose(client);
    expect(await outcomeOf(await client.redial(change(url), fields))).toBe('unknown_session');
    await accepted(await client.redial(url));
  });

  it('is ended by a new start of the same carrier call', async () => {
    const { url } = await serve();
    const call = { carrier: 'sip', carrier_call_id: 'abc' };
    const client = await VoiceServerClient.call(url, { call });
    const next = await VoiceServerClient.call(url, { call, session_id: '2' });
    expect(await client.whenClosed).toMatchObject({ code: 1000 });
    next.toolCall(1, 'ping');
    await next.result(1);
    expect([...journal].sort()).toEqual(['end call_ended', 'start', 'start']);
    expect(running?.callCount).toBe(1);
  });

  it('ends when the application closes while it is parked', async () => {
    const { url } = await serve();
    const client = await VoiceServerClient.call(url);
    await lose(client);
    await running?.close();
    expect(journal).toEqual(['start', 'end shutdown']);
  });
});
