import { CommandError } from '@callwright/core';
import { VirtualClock } from '@callwright/testing';
import { type Connected, ConnectionServer } from './connected.test-support';
import { BrisvoxLink, MAX_UNSENT_BYTES } from './link';
import { WRITE_TIMEOUT_MS } from './write-watch';

let server: ConnectionServer;

beforeEach(async () => {
  server = await ConnectionServer.start();
});

afterEach(() => server.stop());

/** Resolves when the client got everything that was sent before. */
async function delivered({ client, raw }: Connected): Promise<void> {
  await new Promise<void>((resolve) => {
    client.once('ping', () => resolve());
    setImmediate(() => raw.webSocket.ping());
  });
}

const FRAME_OF_64_KIB = 'x'.repeat(65_532); // with its header of 4 bytes

describe('a link', () => {
  it('sends what one turn of the loop says in one write', async () => {
    const connected = await server.connect();
    const { link } = connected.connection;
    // `_writev` and `_write` are where a Node stream hands bytes to the system.
    const writes = jest.spyOn(connected.raw.transport as never, '_writev');
    const singleWrites = jest.spyOn(connected.raw.transport as never, '_write');
    link.sendToolError(1, 'one');
    link.sendCommand({ type: 'say', text: 'two' }, 'c1', undefined);
    await Promise.resolve().then(() => link.sendToolResult(3, '"three"'));
    const inOneTurn = writes.mock.calls.length + singleWrites.mock.calls.length;
    await new Promise((resolve) => setImmediate(resolve));
    const afterTheTurn = writes.mock.calls.length + singleWrites.mock.calls.length;
    await delivered(connected);
    expect([inOneTurn, afterTheTurn]).toEqual([0, 1]);
    expect(connected.received.map((frame) => JSON.parse(frame))).toEqual([
      { type: 'tool.result', id: 1, error: 'one' },
      { type: 'say', text: 'two', id: 'c1' },
      { type: 'tool.result', id: 3, result: 'three' },
    ]);
  });

  it('builds every command', async () => {
    const connected = await server.connect();
    const { link } = connected.connection;
    link.sendCommand({ type: 'say', text: 'Hi', interrupt: true }, undefined, 7);
    link.sendCommand({ type: 'end', say: 'Bye', reason: 'done' }, 'c1', undefined);
    link.sendCommand(
      { type: 'transfer', destination: '+391234567890', mode: 'warm', summary: 's', reason: 'r' },
      'c2',
      8,
    );
    link.sendCommand(
      { type: 'context.update', systemPrompt: 'p', append: [{ role: 'user', text: 't' }] },
      'c3',
      undefined,
    );
    link.sendCommand({ type: 'tools.set', enabled: null }, 'c4', undefined);
    await delivered(connected);
    expect(connected.received.map((frame) => JSON.parse(frame))).toEqual([
      { type: 'say', text: 'Hi', interrupt: true, re: 7 },
      { type: 'end', say: 'Bye', reason: 'done', id: 'c1' },
      {
        type: 'transfer',
        destination: '+391234567890',
        mode: 'warm',
        summary: 's',
        reason: 'r',
        id: 'c2',
        re: 8,
      },
      { type: 'context.update', system_prompt: 'p', append: [{ role: 'user', text: 't' }], id: 'c3' },
      { type: 'tools.set', enabled: null, id: 'c4' },
    ]);
  });

  it('refuses a bad command before anything is sent', async () => {
    const connected = await server.connect();
    const { link } = connected.connection;
    const refusal = (text: string): unknown => {
      try {
        link.sendCommand({ type: 'say', text }, undefined, undefined);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(refusal('half \ud83d')).toBeInstanceOf(CommandError);
    expect(refusal(' ')).toMatchObject({
      command: 'say',
      code: 'invalid_argument',
      message: expect.stringMatching(/^say\(\) failed: invalid_argument \([^()\n]+\)\.\nMend: [^\n]+$/),
    });
    const blank = { type: 'context.update', append: [{ role: 'system', text: ' ' }] } as const;
    const update = (): void => link.sendCommand(blank, undefined, undefined);
    expect(update).toThrow(/^updateContext\(\) failed/); // as the program's method is called, not the wire's message
    expect(refusal('é'.repeat(2_049))).toMatchObject({ code: 'invalid_argument' });
    expect(refusal('é'.repeat(2_048))).toBeUndefined();
    await delivered(connected);
    expect(connected.received).toHaveLength(1);
  });

  it('says which results are too large, and sends one of exactly 65,536 bytes', async () => {
    const connected = await server.connect();
    const { link } = connected.connection;
    const envelope = Buffer.byteLength(JSON.stringify({ type: 'tool.result', id: 1, result: '' }));
    const result = (bytes: number): string => JSON.stringify('x'.repeat(bytes - envelope));
    expect(link.sendToolResult(1, result(65_536))).toBe(true);
    expect(link.sendToolResult(2, result(65_537))).toBe(false);
    expect(link.sendToolResult(3, JSON.stringify('é'.repeat(33_000)))).toBe(false);
    await delivered(connected);
    expect(connected.received.map((frame) => Buffer.byteLength(frame))).toEqual([65_536]);
  });

  it('answers a result that no voice server could read with an error', async () => {
    const connected = await server.connect();
    expect(connected.connection.link.sendToolResult(1, '"\\ud800"')).toBe(true);
    await delivered(connected);
    expect(JSON.parse(connected.received[0] ?? '')).toMatchObject({ id: 1, error: expect.any(String) });
  });

  it.each([
    ['x', FRAME_OF_64_KIB],
    ['é', 'é'.repeat(32_766)],
  ])('may leave 1 MiB unsent, and is lost with one frame more (%s)', async (_case, frame) => {
    const { connection, raw, receiver } = await server.connect();
    const { link } = connection;
    for (let count = 0; count < 16; count += 1) link.send(frame);
    expect(raw.transport.writableLength).toBe(MAX_UNSENT_BYTES);
    expect(link.isOpen).toBe(true);
    link.send('x');
    expect(link.isOpen).toBe(false);
    await receiver.whenClosed;
  });

  it('is lost when its peer stops reading, and leaves no error behind', async () => {
    const { client, connection, receiver } = await server.connect();
    client.pause();
    const sendMore = (): void => {
      if (!connection.link.isOpen) return;
      for (let count = 0; count < 8; count += 1) connection.link.send(FRAME_OF_64_KIB);
      setImmediate(sendMore);
    };
    sendMore();
    await receiver.whenClosed;
    connection.link.sendToolError(1, 'too late');
    connection.link.ping();
    expect(receiver.closedCount).toBe(1);
    client.terminate();
  });

  it('is lost 2 s after its peer stopped reading, also when that one goes on to ping', async () => {
    const { client, raw } = await server.connect();
    const clock = new VirtualClock();
    const link = new BrisvoxLink(raw, clock);
    client.pause();
    while (raw.transport.writableLength === 0) {
      link.send(FRAME_OF_64_KIB);
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.ping();
    await clock.advance(WRITE_TIMEOUT_MS - 1);
    expect(link.isOpen).toBe(true);
    client.ping();
    await clock.advance(1);
    expect(link.isGivenUp).toBe(true);
    expect(clock.pendingTimerCount).toBe(0);
    client.terminate();
  });

  it.each([
    ['é'.repeat(200), 'é'.repeat(61)],
    [`${'x'.repeat(122)}😀`, 'x'.repeat(122)],
    ['half \ud83d', 'half \ufffd'],
    ['', ''],
  ])('cuts a close reason at 123 bytes and a code point: %j', async (reason, expected) => {
    const { connection, whenClosed } = await server.connect();
    connection.link.close(1000, reason);
    expect(await whenClosed).toEqual({ code: 1000, reason: expected });
  });

  it('delivers what was sent before it was closed', async () => {
    const { connection, whenClosed, received } = await server.connect();
    connection.link.sendToolError(1, 'last words');
    connection.link.close(1000, 'done');
    await whenClosed;
    expect(received).toHaveLength(1);
    connection.link.close(1000, 'again');
  });
});
