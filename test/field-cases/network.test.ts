import { systemClock } from '@callwright/core';
import { createApplication } from '@callwright/gateway';
import { Module, Tool, VoiceAgent } from 'callwright';
import { RawClient, upgradeRequest } from '../../packages/gateway/src/server.test-support';
import { VoiceServerClient } from '../../packages/gateway/src/voice-server.test-support';
import { closeAll, dealtWith, serve } from './served';

@VoiceAgent({ name: 'network' })
class NetworkAgent {
  @Tool('Answers.')
  ping(): string {
    return 'pong';
  }
}

@Module({ agents: [NetworkAgent] })
class NetworkModule {}

afterEach(closeAll);

it('B92: silent, dribbling and half-greeted sockets are gone in 3 s, and a real call is accepted meanwhile', async () => {
  const { application } = await serve(NetworkAgent);
  const { url } = application;
  const eachKind = 100;
  const beganMs = performance.now();
  const sockets = Array.from({ length: eachKind }, () => [
    new RawClient(url),
    new RawClient(url).send('GET / HTTP/1.1\r\nX: '),
    new RawClient(url).send(upgradeRequest()),
  ]).flat();
  const dribble = setInterval(() => {
    for (let at = 1; at < sockets.length; at += 3) sockets[at]?.send('x');
  }, 500);
  const client = await VoiceServerClient.call(url);
  expect(performance.now() - beganMs).toBeLessThan(1_500);
  await Promise.all(sockets.map(({ closed }) => closed));
  clearInterval(dribble);
  expect(performance.now() - beganMs).toBeLessThan(4_000);
  await dealtWith(client, 'ping');
});

it.each([
  ['127.0.0.1', 'ws://127.0.0.1:', ['127.0.0.1']],
  ['localhost', 'ws://localhost:', ['localhost']],
  ['::1', 'ws://[::1]:', ['[::1]']],
  ['[::1]', 'ws://[::1]:', ['[::1]']],
  ['0.0.0.0', 'ws://0.0.0.0:', ['127.0.0.1']],
  ['::', 'ws://[::]:', ['127.0.0.1', '[::1]']],
])('B95: the host %s is served at %s', async (host, prefix, reachable) => {
  const application = await createApplication(NetworkModule, {
    port: 0,
    host,
    token: 'a-token',
    lameDuckMs: 0,
    drainMs: 0,
    log: { level: 'fatal' },
  });
  const url = await application.listen();
  expect(url.startsWith(prefix)).toBe(true);
  const { port } = new URL(url);
  for (const name of reachable) {
    const client = await VoiceServerClient.connect(`ws://${name}:${port}`, {
      authorization: 'Bearer a-token',
    });
    client.socket.close();
    await client.whenClosed;
  }
  await application.close();
});

it('B94: a port in use and a host of another machine reject with a code and a sentence, and leave nothing behind', async () => {
  const first = await createApplication(NetworkModule, { port: 0, drainMs: 0, log: { level: 'fatal' } });
  const { port } = new URL(await first.listen());
  const second = await createApplication(NetworkModule, { port: Number(port), log: { level: 'fatal' } });
  await expect(second.listen()).rejects.toMatchObject({ code: 'CW_PORT_IN_USE' });
  const elsewhere = await createApplication(NetworkModule, {
    port: 0,
    host: '192.0.2.1',
    token: 'a-token',
    log: { level: 'fatal' },
  });
  await expect(elsewhere.listen()).rejects.toMatchObject({ code: 'CW_HOST_UNUSABLE' });
  await first.close();
  const third = await createApplication(NetworkModule, { port: Number(port), log: { level: 'fatal' } });
  await third.listen();
  await third.close();
});

it.each([2 ** 31 - 1, 2 ** 31, 30 * 24 * 3_600_000, Number.MAX_SAFE_INTEGER])(
  'B96: a timer of %d ms does not fire at once',
  async (delayMs) => {
    const fired: number[] = [];
    const timer = systemClock.setTimer(() => fired.push(delayMs), delayMs);
    // One that is set later and due sooner; the platform would fire the other one first, after 1 ms.
    await new Promise<void>((resolve) => setTimeout(resolve, 20));
    timer.cancel();
    expect(fired).toEqual([]);
  },
);

it.each([
  ['maxCalls', Number.NaN],
  ['maxCalls', Number.POSITIVE_INFINITY],
  ['maxCalls', -1],
  ['handshakeTimeoutMs', 2 ** 31],
  ['handshakeTimeoutMs', Number.NaN],
  ['handshakeTimeoutMs', -1],
  ['drainMs', Number.POSITIVE_INFINITY],
  ['drainMs', -1],
])('B96: the option %s: %d is a boot error', async (option, value) => {
  const booting = createApplication(NetworkModule, { port: 0, log: { level: 'fatal' }, [option]: value });
  await expect(booting).rejects.toThrow(option);
});

it('B96: a tool call that may take 49 days is not given up at once', async () => {
  @VoiceAgent({ name: 'patient' })
  class PatientAgent {
    @Tool('Takes its time.')
    async wait(): Promise<string> {
      await new Promise<void>((resolve) => setTimeout(resolve, 30));
      return 'done';
    }
  }
  const client = await (await serve(PatientAgent)).call();
  client.toolCall(1, 'wait', {}, { timeout_ms: 4e9 });
  expect(await client.result(1)).toMatchObject({ result: 'done' });
});
