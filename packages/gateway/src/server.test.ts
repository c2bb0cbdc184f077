import { createServer as createNetServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import { makeCertificateFiles } from './certificate.test-support';
import type { GatewayOptions } from './options';
import { type Connection, GatewayServer, listeningHint } from './server';
import { RawClient, statusOf, tlsClientHello, upgradeRequest } from './server.test-support';
import { readSettings } from './settings';

const silent = { sink: { write: () => undefined } };

interface Started {
  readonly server: GatewayServer;
  readonly connections: Connection[];
  isReady: boolean;
}

const running: GatewayServer[] = [];

async function start(options: GatewayOptions = {}): Promise<Started> {
  const { settings, problems } = readSettings({ port: 0, log: silent, ...options }, {});
  expect(problems).toEqual([]);
  const connections: Connection[] = [];
  const started: Started = {
    server: new GatewayServer(settings, {
      isOpen: () => started.isReady,
      judge: () => undefined,
      connected: (connection) => {
        connection.webSocket.on('error', () => undefined);
        connections.push(connection);
      },
    }),
    connections,
    isReady: true,
  };
  running.push(started.server);
  await started.server.listen();
  return started;
}

afterEach(() => {
  for (const server of running.splice(0)) {
    server.stopListening();
    server.terminate();
  }
});

const answerTo = async (url: string, request: string | Buffer): Promise<string> =>
  new RawClient(url).send(request).closed;

describe('the server', () => {
  it('upgrades a voice server with the right token', async () => {
    const { server, connections } = await start({ token: ['old', 'new'] });
    const client = new RawClient(server.url).send(upgradeRequest({ Authorization: 'bearer new' }));
    expect(await client.received(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 101 /);
    expect(connections).toHaveLength(1);
  });

  it.each([
    ['a wrong token', { Authorization: 'Bearer wrong' }, 401],
    ['no token', {}, 401],
    ['two tokens', { Authorization: ['Bearer right', 'Bearer right'] }, 401],
    ['an empty token', { Authorization: 'Bearer ' }, 401],
    ['an origin', { Authorization: 'Bearer right', Origin: 'https://evil.test' }, 403],
    ['the null origin', { Authorization: 'Bearer right', Origin: 'null' }, 403],
    ['an origin on this machine', { Authorization: 'Bearer right', Origin: 'http://localhost:3000' }, 403],
    ['an empty origin', { Authorization: 'Bearer right', Origin: '' }, 403],
    [
      'two origins',
      { Authorization: 'Bearer right', Origin: ['https://good.test', 'https://good.test'] },
      403,
    ],
    ['another version', { Authorization: 'Bearer right', 'Sec-WebSocket-Version': '8' }, 426],
    ['no version', { Authorization: 'Bearer right', 'Sec-WebSocket-Version': undefined }, 426],
    ['another upgrade', { Authorization: 'Bearer right', Upgrade: 'h2c' }, 426],
    ['no key', { Authorization: 'Bearer right', 'Sec-WebSocket-Key': undefined }, 400],
  ])('refuses %s and closes', async (_case, headers, status) => {
    const { server, connections } = await start({ token: 'right', allowedOrigins: ['https://good.test'] });
    expect(statusOf(await answerTo(server.url, upgradeRequest(headers)))).toBe(status);
    expect(connections).toEqual([]);
  });

  it('says how to authenticate', async () => {
    const { server } = await start({ token: 'right' });
    expect(await answerTo(server.url, upgradeRequest())).toMatch(/\r\nWWW-Authenticate: Bearer\r\n/);
  });

  it('lets an allowed origin in', async () => {
    const { server } = await start({ allowedOrigins: ['https://good.test'] });
    const client = new RawClient(server.url).send(upgradeRequest({ Origin: 'https://good.test' }));
    expect(statusOf(await client.received(/\r\n\r\n/))).toBe(101);
  });

  it('answers 503 while it is not ready', async () => {
    const started = await start();
    started.isReady = false;
    expect(statusOf(await answerTo(started.server.url, upgradeRequest()))).toBe(503);
  });

  it.each([
    ['GET', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 426],
    ['HEAD', 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n', 426],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 426],
    ['an absolute URI', 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n', 426],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an upgrade by POST', upgradeRequest({}, 'POST / HTTP/1.1'), 405],
    ['no HTTP', 'hello there\r\n\r\n', 400],
    ['a header of 9 KiB', upgradeRequest({ 'X-Long': 'x'.repeat(9_000) }), 431],
  ])('answers plain HTTP and closes: %s', async (_case, request, status) => {
    const { server } = await start();
    const answer = await answerTo(server.url, request);
    expect(statusOf(answer)).toBe(status);
    expect(answer).toMatch(/Connection: close/i);
  });

  it('says in its debug log that something spoke plain HTTP', async () => {
    const entries: unknown[] = [];
    const sink = { write: (entry: unknown) => void entries.push(entry) };
    const { server } = await start({ log: { sink, level: 'debug' } });
    await answerTo(server.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(entries).toContainEqual(
      expect.objectContaining({
        level: 'debug',
        message: 'a connection was refused',
        fields: { status: 426 },
      }),
    );
  });

  it('does not wait for the body of a plain request', async () => {
    const { server } = await start();
    const answer = await answerTo(
      server.url,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\nstart',
    );
    expect(statusOf(answer)).toBe(426);
  });

  it('drops TLS on the plain port and serves on', async () => {
    const { server } = await start();
    const answer = await answerTo(server.url, tlsClientHello);
    expect(answer === '' || statusOf(answer) === 400).toBe(true);
    expect(statusOf(await answerTo(server.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'))).toBe(426);
  });

  it('refuses more than 16 KiB before the upgrade', async () => {
    const { server, connections } = await start({ token: 'right' });
    const request = upgradeRequest({ Authorization: 'Bearer right' });
    const client = new RawClient(server.url).send(
      Buffer.concat([Buffer.from(request), Buffer.alloc(16_385)]),
    );
    await client.closed;
    expect(connections).toEqual([]);
  });

  it('drops silent, dribbling and half-greeted sockets within 3 s and serves others meanwhile', async () => {
    const { server } = await start();
    const beganMs = performance.now();
    const idle = Array.from({ length: 20 }, () => new RawClient(server.url));
    const dribbling = new RawClient(server.url).send('GET / HT');
    const interval = setInterval(() => dribbling.send('T'), 200);
    const served = new RawClient(server.url).send(upgradeRequest());
    expect(statusOf(await served.received(/\r\n\r\n/))).toBe(101);
    expect(performance.now() - beganMs).toBeLessThan(1_500);
    await Promise.all([...idle, dribbling].map((client) => client.closed));
    clearInterval(interval);
    expect(performance.now() - beganMs).toBeLessThan(3_000);
  });

  it('outlives a reset in the middle of a request', async () => {
    const { server } = await start();
    const client = new RawClient(server.url).send('GET / HTTP/1.1\r\nHost');
    client.socket.on('connect', () => client.socket.resetAndDestroy());
    await client.closed;
    expect(statusOf(await answerTo(server.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'))).toBe(426);
  });

  it('closes a link that sends more fragments than a message needs, or a message over 1 MiB', async () => {
    const { server } = await start();
    const closedWith = async (send: (socket: WebSocket) => void): Promise<number> => {
      const socket = new WebSocket(server.url);
      socket.on('error', () => undefined);
      socket.on('open', () => send(socket));
      return new Promise((resolve) => socket.on('close', resolve));
    };
    const fragments = (socket: WebSocket): void => {
      for (let count = 0; count < 2_000; count += 1) socket.send('', { fin: false });
    };
    expect(await closedWith(fragments)).toBe(1008);
    expect(await closedWith((socket) => socket.send('x'.repeat(1_048_577)))).toBe(1009);
  });
});

describe('listening', () => {
  const codeOf = async (options: GatewayOptions): Promise<string> =>
    start(options).then(
      () => 'it listens',
      (error) => error.code,
    );

  it('rejects for a port in use, and the port can be used later', async () => {
    const { server } = await start();
    const port = Number(new URL(server.url).port);
    await expect(start({ port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
    server.stopListening();
    expect((await start({ port })).server.url).toBe(server.url);
  });

  it('rejects for a host that is not of this machine', async () => {
    expect(await codeOf({ host: '192.0.2.1', token: 'x' })).toBe('CW_HOST_UNUSABLE');
    expect(await codeOf({ host: 'no-such-host.invalid', token: 'x' })).toBe('CW_HOST_UNUSABLE');
  });

  it('rejects for a bad certificate', async () => {
    const files = makeCertificateFiles();
    expect(await codeOf({ tls: { certFile: files.keyFile, keyFile: files.keyFile } })).toBe(
      'CW_TLS_UNUSABLE',
    );
  });

  it('serves both address families on ::', async () => {
    const { server } = await start({ host: '::', token: 'x' });
    expect(server.url).toMatch(/^ws:\/\/\[::\]:\d+$/);
    const { port } = new URL(server.url);
    for (const host of ['127.0.0.1', '[::1]']) {
      expect(statusOf(await answerTo(`ws://${host}:${port}`, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'))).toBe(426);
    }
  });

  it('says whom it serves', () => {
    const hint = (options: GatewayOptions): string => listeningHint(readSettings(options, {}).settings);
    expect(hint({})).toBe('serves this machine only, WITHOUT AUTHENTICATION');
    expect(hint({ host: '::', token: 'x' })).toMatch(/every machine .* with a bearer token/);
  });

  it('frees its port at once when it stops', async () => {
    const { server } = await start();
    const { port, hostname } = new URL(server.url);
    const client = new RawClient(server.url).send(upgradeRequest());
    await client.received(/\r\n\r\n/);
    server.stopListening();
    const other = createNetServer();
    await new Promise<void>((resolve, reject) => {
      other.once('error', reject);
      other.listen(Number(port), hostname, resolve);
    });
    other.close();
  });
});

describe('wss', () => {
  it('serves TLS and refuses plain HTTP at the same port', async () => {
    const { server } = await start({ tls: makeCertificateFiles() });
    expect(server.url).toMatch(/^wss:\/\/127\.0\.0\.1:\d+$/);
    const socket = new WebSocket(server.url, { rejectUnauthorized: false });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    await answerTo(server.url.replace('wss', 'ws'), upgradeRequest());
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close();
    await closed;
  });

  it('drops a socket that is silent before or behind the TLS handshake within 3 s', async () => {
    const { server } = await start({ tls: makeCertificateFiles() });
    const beganMs = performance.now();
    const silentSocket = new RawClient(server.url.replace('wss', 'ws'));
    const greeted = connectTls({
      port: Number(new URL(server.url).port),
      host: '127.0.0.1',
      rejectUnauthorized: false,
    });
    greeted.on('error', () => undefined);
    greeted.resume();
    await Promise.all([silentSocket.closed, new Promise((resolve) => greeted.on('close', resolve))]);
    expect(performance.now() - beganMs).toBeLessThan(3_000);
  });
});
