import { connect, type Socket } from 'node:net';

const start = JSON.stringify({
  type: 'session.start',
  seq: 1,
  t_ms: 0,
  protocol: 'brisvox.agent',
  versions: [1],
  session_id: '1',
  agent: 'served',
  capabilities: { transfer: true, tools: true },
});

function toolCall(id: number, name: string, kind: string): string {
  return JSON.stringify({
    type: 'tool.call',
    seq: id + 1,
    t_ms: id,
    id,
    call_id: `t1.${id}`,
    name,
    arguments: { key: 'a key' },
    kind,
    epoch: 1,
    idempotency_key: id.toString(16).padStart(16, '0'),
    timeout_ms: 5_000,
  });
}

const upgrade = [
  'GET / HTTP/1.1',
  'Host: agent.internal',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
  '',
].join('\r\n');

/** Everything that a voice server says up to its farewell, as the bytes of a socket. */
const opening = Buffer.concat([Buffer.from(upgrade), frame(start)]);
const work = Buffer.concat([
  frame(toolCall(1, 'look', 'read_only')),
  frame(toolCall(2, 'book', 'side_effect')),
  frame('{"type":"user.text","seq":4,"t_ms":4,"epoch":1,"text":"hello"}'),
]);
const farewell = Buffer.concat([
  frame('{"type":"session.end","seq":5,"t_ms":5,"reason":"call_ended"}'),
  Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]),
]);

/** How a call ends. */
export type Ending = 'farewell' | 'reset';

/** One whole call over a socket of its own: start, two tools, an event, and the end. */
export function wholeCall(port: number, ending: Ending): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    let isWorking = false;
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (!isWorking && heard.includes('session.accept')) {
        isWorking = true;
        socket.write(work);
      }
      if (!hasEverything(heard)) return;
      heard = '';
      if (ending === 'reset') socket.resetAndDestroy();
      else socket.write(farewell);
    });
    socket.write(opening);
  });
}

/** A call that was accepted and says nothing. */
export function idleCall(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (heard.includes('session.accept')) resolve(socket);
    });
    socket.write(opening);
  });
}

function hasEverything(heard: string): boolean {
  return heard.includes('"id":1,') && heard.includes('"id":2,') && heard.includes('"type":"say"');
}

/** A masked text frame; a mask of zeros leaves the payload as it is. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const header = length < 126 ? [0x81, 0x80 | length] : [0x81, 0xfe, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}
