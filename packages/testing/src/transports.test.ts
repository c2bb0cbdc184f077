import { createServer } from 'node:http';
import { type Connection, type FrameReceiver, memoryTransport, VirtualClock, webSocketTransport } from '.';
import { memoryPair } from './memory-transport';
import { serveTinyAgent, TinyAgent } from './tiny-agent.test-support';

class Heard implements FrameReceiver {
  readonly frames: string[] = [];
  text = (text: string): void => void this.frames.push(text);
  binary = (byteLength: number): void => void this.frames.push(`binary ${byteLength}`);
  ping = (): void => void this.frames.push('ping');
  pong = (): void => void this.frames.push('pong');
  closed = (code: number, reason: string): void => void this.frames.push(`closed ${code} ${reason}`.trim());
}

describe('an in-memory connection', () => {
  const connected = (): {
    clock: VirtualClock;
    left: Connection;
    right: Connection;
    heard: [Heard, Heard];
  } => {
    const clock = new VirtualClock();
    const [left, right] = memoryPair(clock);
    const heard: [Heard, Heard] = [new Heard(), new Heard()];
    left.listen(heard[0]);
    right.listen(heard[1]);
    return { clock, left, right, heard };
  };

  it('delivers frames in order, never inside the call that sends them', async () => {
    const { clock, left, heard } = connected();
    left.sendText('one');
    left.sendBinary(new Uint8Array(3));
    left.sendText('two');
    expect(heard[1].frames).toEqual([]);
    await clock.settle();
    expect(heard[1].frames).toEqual(['one', 'binary 3', 'two']);
  });

  it('answers a ping with a pong', async () => {
    const { clock, left, heard } = connected();
    left.ping();
    await clock.settle();
    expect([heard[0].frames, heard[1].frames]).toEqual([['pong'], ['ping']]);
  });

  it('tells both ends of a close, behind the frames before it, and sends nothing after it', async () => {
    const { clock, left, right, heard } = connected();
    left.sendText('last');
    left.close(1000, 'session ended');
    left.sendText('too late');
    await clock.settle();
    right.sendText('too late');
    await clock.settle();
    expect(heard[1].frames).toEqual(['last', 'closed 1000 session ended']);
    expect(heard[0].frames).toEqual(['closed 1000 session ended']);
  });

  it('tells both ends of a reset, with code 1006', async () => {
    const { clock, right, heard } = connected();
    right.terminate();
    await clock.settle();
    expect([heard[0].frames, heard[1].frames]).toEqual([['closed 1006'], ['closed 1006']]);
  });

  it('that is frozen neither sends nor receives, and tells nobody', async () => {
    const { clock, left, right, heard } = connected();
    left.freeze();
    left.sendText('into the void');
    right.sendText('into the void');
    right.ping();
    await clock.settle();
    expect([heard[0].frames, heard[1].frames]).toEqual([[], []]);
  });

  it('keeps frames for an end that does not listen yet', async () => {
    const clock = new VirtualClock();
    const [left, right] = memoryPair(clock);
    left.sendText('early');
    await clock.settle();
    const heard = new Heard();
    right.listen(heard);
    await clock.settle();
    expect(heard.frames).toEqual(['early']);
  });

  it('is refused when the agent throws', async () => {
    const transport = memoryTransport(() => {
      throw new Error('not now');
    });
    await expect(transport.dial(new Heard())).rejects.toMatchObject({
      name: 'DialError',
      cause: { message: 'not now' },
    });
  });
});

describe('a connection over a real socket', () => {
  it('sends the token, and nothing a voice server does not send', async () => {
    const upgrade = await new Promise<{ headers: Record<string, unknown>; refused: Promise<unknown> }>(
      (resolve) => {
        const http = createServer();
        http.on('upgrade', (request, socket) => {
          socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
          http.close();
          resolve({ headers: request.headers, refused });
        });
        let refused: Promise<unknown> = Promise.resolve();
        http.listen(0, '127.0.0.1', () => {
          const address = http.address();
          const port = typeof address === 'object' ? address?.port : 0;
          refused = webSocketTransport(`ws://127.0.0.1:${port}/agent`, { token: 'secret' })
            .dial(new Heard())
            .catch((error: unknown) => error);
        });
      },
    );
    expect(Object.keys(upgrade.headers).sort()).toEqual([
      'authorization',
      'connection',
      'host',
      'sec-websocket-key',
      'sec-websocket-version',
      'upgrade',
    ]);
    expect(upgrade.headers.authorization).toBe('Bearer secret');
    await expect(upgrade.refused).resolves.toMatchObject({ name: 'DialError', status: 401 });
  });

  it('that is frozen hears nothing more', async () => {
    const agent = new TinyAgent();
    const served = await serveTinyAgent(agent);
    const heard = new Heard();
    const accepted = new Promise<void>((resolve) => {
      heard.text = (text) => {
        heard.frames.push(text);
        resolve();
      };
    });
    const connection = await webSocketTransport(served.url).dial(heard);
    connection.sendText(
      '{"type":"session.start","seq":1,"t_ms":0,"protocol":"brisvox.agent","versions":[1],"session_id":"1","agent":"a","capabilities":{"transfer":false,"tools":true}}',
    );
    await accepted;
    connection.freeze();
    agent.sendText('unheard');
    agent.connection.ping();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(heard.frames).toHaveLength(1);
    connection.terminate();
    await served.close();
  });
});
