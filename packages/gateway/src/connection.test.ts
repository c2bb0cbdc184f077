import { connect } from 'node:net';
import { systemClock } from '@callwright/core';
import { ConnectionServer, clientFrame, RecordingReceiver } from './connected.test-support';
import { BrisvoxConnection } from './connection';
import { upgradeRequest } from './server.test-support';

let server: ConnectionServer;

beforeEach(async () => {
  server = await ConnectionServer.start();
});

afterEach(() => server.stop());

/** A connection whose other end is a bare socket. */
async function connectRaw() {
  const { port } = new URL(server.server.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.write(upgradeRequest());
  const raw = await server.next();
  const receiver = new RecordingReceiver();
  const connection = new BrisvoxConnection(raw, systemClock, server.logger, receiver);
  return { socket, raw, receiver, connection, received: () => received };
}

describe('a connection', () => {
  it('hands text frames over in order, fragmented ones whole', async () => {
    const { socket, receiver } = await connectRaw();
    const [a, b] = [Buffer.from('hé').subarray(0, 2), Buffer.from('hé').subarray(2)];
    socket.write(
      Buffer.concat([clientFrame(Buffer.from('one')), clientFrame(a, 1, false), clientFrame(b, 0)]),
    );
    await receiver.whenTexts(2);
    expect(receiver.texts).toEqual(['one', 'hé']);
    socket.destroy();
  });

  it('ignores binary frames and says so once', async () => {
    const { client, receiver } = await server.connect();
    client.send(Buffer.from([1]));
    client.send(Buffer.from([2]));
    client.send('text');
    await receiver.whenTexts(1);
    expect(receiver.texts).toEqual(['text']);
    expect(server.log.messages().filter((message) => message.includes('binary'))).toHaveLength(1);
  });

  it('is cut when what it says cannot be handled; the process goes on', async () => {
    const { client, connection, receiver, whenClosed } = await server.connect();
    const faulty = {
      text: () => {
        throw new Error('secret');
      },
      closed: () => receiver.closed(),
    };
    connection.handTo(faulty);
    client.send('text');
    await receiver.whenClosed;
    expect((await whenClosed).code).toBe(1006);
    expect(JSON.stringify(server.log.entries.at(-1))).toMatch(/could not be handled/);
    expect(JSON.stringify(server.log.entries)).not.toContain('secret');
  });

  it.each([
    ['whole', [clientFrame(Buffer.from([0xc3, 0x28]))]],
    ['over two fragments', [clientFrame(Buffer.from([0xc3]), 1, false), clientFrame(Buffer.from([0x28]), 0)]],
    ['in a close reason', [clientFrame(Buffer.from([0x03, 0xe8, 0xc3, 0x28]), 8)]],
  ])('closes with 1007 on invalid UTF-8 %s', async (_case, frames) => {
    const { socket, receiver, received } = await connectRaw();
    socket.write(Buffer.concat(frames));
    const ended = new Promise((resolve) => socket.once('end', resolve));
    await ended;
    socket.end();
    await receiver.whenClosed;
    expect(received().subarray(-4)).toEqual(Buffer.from([0x88, 0x02, 0x03, 0xef]));
    expect(receiver.closedCount).toBe(1);
  });

  it('counts a half-close as lost at once and sends nothing more', async () => {
    const { socket, receiver, connection, received } = await connectRaw();
    socket.end();
    await receiver.whenClosed;
    const before = received().length;
    connection.link.sendToolError(1, 'too late');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received().length).toBe(before);
    expect(receiver.closedCount).toBe(1);
  });

  it('counts a half-close as lost at once even while the peer reads nothing of what waits', async () => {
    const { socket, raw, receiver, connection } = await connectRaw();
    socket.pause();
    await new Promise<void>((resolve) => {
      const fill = (): void => {
        if (raw.transport.writableLength > 0) return resolve();
        connection.link.send('x'.repeat(60_000));
        setImmediate(() => setImmediate(fill));
      };
      fill();
    });
    socket.end();
    await receiver.whenClosed;
    socket.destroy();
  });

  it('is lost once when its peer resets', async () => {
    const { socket, receiver } = await connectRaw();
    socket.resetAndDestroy();
    await receiver.whenClosed;
    expect(receiver.closedCount).toBe(1);
  });

  it('counts silent checks, and none once something came after the last one', async () => {
    const { client, connection, receiver } = await server.connect();
    expect(connection.countSilentChecks()).toBe(0);
    expect(connection.countSilentChecks()).toBe(1);
    expect(connection.silentChecks).toBe(1);
    client.send('here');
    await receiver.whenTexts(1);
    expect(connection.silentChecks).toBe(0);
  });

  it('answers pings while nobody reads its frames', async () => {
    const { client } = await server.connect();
    const pong = new Promise((resolve) => client.once('pong', resolve));
    client.ping();
    await pong;
  });
});
