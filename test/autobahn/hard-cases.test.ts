import { type Application, createApplication } from '@callwright/gateway';
import { type CallEnd, Module, OnEvent, Tool, UserText, VoiceAgent } from 'callwright';
import { version as webSocketVersion } from 'ws/package.json';
import { BINARY, CLOSE, CONTINUATION, closeFrame, frameOf, PING, PONG, RawCall, TEXT } from './raw-call';

/** The cases that the fuzzing client finds most faults with, recorded as bytes, so that they run where no Python is. */

let ends: string[] = [];
let heard: string[] = [];
let application: Application;

@VoiceAgent({ name: 'a' })
class PingAgent {
  @Tool('Answers.')
  ping(): string {
    return 'pong';
  }

  @OnEvent(UserText)
  heard(event: UserText): void {
    heard.push(event.text);
  }

  onCallEnd(end: CallEnd): void {
    ends.push(end.reason);
  }
}

@Module({ agents: [PingAgent] })
class PingModule {}

beforeAll(async () => {
  application = await createApplication(PingModule, { port: 0, log: { level: 'fatal' } });
  await application.listen();
});

/** Calls of earlier tests must not end in later ones. */
afterEach(() => untilCalls(0));

afterAll(() => application.close());

beforeEach(() => {
  ends = [];
  heard = [];
});

async function untilCalls(count: number): Promise<void> {
  while (application.callCount > count) await new Promise((resolve) => setImmediate(resolve));
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const userText = (text: string): Buffer =>
  Buffer.from(`{"type":"user.text","seq":2,"t_ms":1,"epoch":1,"text":"${text}"}`);
const repeated = (frame: Buffer, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => frame));

/** A message cut into fragments of so many bytes. */
function fragments(payload: Buffer, size: number, opcode = TEXT): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < payload.length; at += size) {
    const isLast = at + size >= payload.length;
    frames.push(frameOf(at === 0 ? opcode : CONTINUATION, payload.subarray(at, at + size), { isLast }));
  }
  return Buffer.concat(frames);
}

const invalidUtf8: readonly (readonly [string, Buffer])[] = [
  ['a broken sequence', bytes(0xc3, 0x28)],
  ['a continuation without a start', bytes(0x80)],
  ['an overlong slash', bytes(0xc0, 0xaf)],
  ['an overlong NUL', bytes(0xe0, 0x80, 0x80)],
  ['half of a surrogate pair', bytes(0xed, 0xa0, 0x80)],
  ['a surrogate pair in six bytes', bytes(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)],
  ['a code point beyond the last', bytes(0xf4, 0x90, 0x80, 0x80)],
  ['a start of five bytes', bytes(0xf8, 0x88, 0x80, 0x80, 0x80)],
  ['the byte FF', bytes(0xff)],
  ['an unfinished sequence', bytes(0x22, 0xf0, 0x9f, 0x98)],
];

const closing: readonly (readonly [string, number, Buffer])[] = [
  ...invalidUtf8.map(([name, text]) => [`text with ${name}`, 1007, frameOf(TEXT, text)] as const),
  ...invalidUtf8
    .filter(([, text]) => text.length > 1)
    .map(([name, text]) => [`text with ${name}, in fragments of a byte`, 1007, fragments(text, 1)] as const),
  ...invalidUtf8.map(
    ([name, text]) => [`a close reason with ${name}`, 1007, closeFrame(1000, text)] as const,
  ),
  ...[0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map(
    (code) => [`the close code ${code}`, 1002, closeFrame(code)] as const,
  ),
  ['a close frame of one byte', 1002, frameOf(CLOSE, bytes(3))],
  ['a close frame of 126 bytes', 1002, closeFrame(1000, 'x'.repeat(124))],
  ['a fragmented close frame', 1002, frameOf(CLOSE, bytes(3, 232), { isLast: false })],
  ['a ping of 126 bytes', 1002, frameOf(PING, 'x'.repeat(126))],
  ['a fragmented ping', 1002, frameOf(PING, 'x', { isLast: false })],
  ...[1, 2, 3, 4, 5, 6, 7].map(
    (reserved) => [`the reserved bits ${reserved}`, 1002, frameOf(TEXT, 'x', { reserved })] as const,
  ),
  ...[4, 2].map(
    (reserved) =>
      [`a ping with the reserved bits ${reserved}`, 1002, frameOf(PING, 'x', { reserved })] as const,
  ),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map(
    (opcode) => [`the opcode ${opcode}`, 1002, frameOf(opcode, 'x')] as const,
  ),
  ['a frame without a mask', 1002, frameOf(TEXT, userText('x'), { isMasked: false })],
  ['a continuation of nothing', 1002, frameOf(CONTINUATION, 'x')],
  ['a last continuation of nothing', 1002, frameOf(CONTINUATION, '', { isLast: false })],
  [
    'text inside a fragmented text',
    1002,
    Buffer.concat([frameOf(TEXT, '{', { isLast: false }), frameOf(TEXT, '}')]),
  ],
  [
    'binary inside a fragmented text',
    1002,
    Buffer.concat([frameOf(TEXT, '{', { isLast: false }), frameOf(BINARY, '}')]),
  ],
  ['text of 1 MiB and a byte', 1009, frameOf(TEXT, Buffer.alloc(2 ** 20 + 1, 0x78))],
  ['binary of 1 MiB and a byte', 1009, frameOf(BINARY, Buffer.alloc(2 ** 20 + 1))],
  ['fragments of 1 MiB and a byte together', 1009, fragments(Buffer.alloc(2 ** 20 + 1, 0x78), 2 ** 18)],
  ['a length of 2^63 - 1', 1009, bytes(0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255)],
  ['a length of 2^64 - 1', 1009, bytes(0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255)],
];

const harmless: readonly (readonly [string, Buffer, readonly string[]])[] = [
  ['text in two fragments', fragments(userText('two'), 40), ['two']],
  ['text in fragments of a byte', fragments(userText('bytes'), 1), ['bytes']],
  ['characters cut by fragments', fragments(userText('grün 😀'), 1), ['grün 😀']],
  [
    'a ping between fragments',
    Buffer.concat([
      frameOf(TEXT, userText('a').subarray(0, 9), { isLast: false }),
      frameOf(PING, 'now'),
      frameOf(CONTINUATION, userText('a').subarray(9)),
    ]),
    ['a'],
  ],
  [
    'empty fragments around text',
    Buffer.concat([
      frameOf(TEXT, '', { isLast: false }),
      frameOf(CONTINUATION, '', { isLast: false }),
      frameOf(CONTINUATION, userText('b')),
    ]),
    ['b'],
  ],
  ['empty text', frameOf(TEXT), []],
  ['binary', frameOf(BINARY, userText('binary')), []],
  ['binary in fragments', fragments(userText('binary'), 5, BINARY), []],
  ['invalid UTF-8 in binary', frameOf(BINARY, bytes(0xc3, 0x28)), []],
  ['the last code point', frameOf(TEXT, userText('\u{10ffff}')), ['\u{10ffff}']],
  ['a byte order mark', frameOf(TEXT, Buffer.concat([bytes(0xef, 0xbb, 0xbf), userText('bom')])), []],
  ['pongs that nobody asked for', repeated(frameOf(PONG, 'x'), 5_000), []],
  ['text of exactly 1 MiB', frameOf(TEXT, Buffer.alloc(2 ** 20, 0x78)), []],
];

describe('a link', () => {
  it.each(closing)(
    'that carries %s is closed with %d, and its call ends once',
    async (_name, code, frames) => {
      const call = await RawCall.open(application.url);
      call.send(frames);
      expect(await call.closeCode()).toBe(code);
      call.socket.end();
      await call.whenClosed;
      while (application.callCount > 0) await new Promise((resolve) => setImmediate(resolve));
      expect(ends).toEqual(['link_closed']);
    },
  );

  it.each(harmless)('that carries %s goes on', async (_name, frames, expected) => {
    const call = await RawCall.open(application.url);
    expect(await call.send(frames).isServed()).toBe(true);
    expect(heard).toEqual(expected);
    call.socket.destroy();
  });

  it.each([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])(
    'that its peer closes with %d is closed with the same code',
    async (code) => {
      const call = await RawCall.open(application.url);
      call.send(closeFrame(code, 'grün'));
      expect(await call.closeCode()).toBe(code);
      await call.whenClosed;
    },
  );

  it('answers pings of any size one after the other, and serves meanwhile', async () => {
    const call = await RawCall.open(application.url);
    for (let count = 1; count <= 200; count += 1) {
      call.send(frameOf(PING, 'p'.repeat(count % 126)));
      await call.first(({ opcode }) => opcode === PONG && call.pongCount === count);
    }
    expect(await call.isServed()).toBe(true);
    call.socket.destroy();
  });

  it('over which 5,000 pings come at once is cut or answers all of them, and its call ends once', async () => {
    const call = await RawCall.open(application.url);
    const other = await RawCall.open(application.url, '2');
    call.send(repeated(frameOf(PING, 'p'.repeat(125)), 5_000));
    if (await call.isServed()) expect(call.pongCount).toBe(5_000);
    expect(await other.isServed()).toBe(true);
    call.socket.destroy();
    await untilCalls(1);
    expect(ends).toEqual(['link_closed']);
    other.socket.destroy();
  });

  it('ignores what comes behind a close frame', async () => {
    const call = await RawCall.open(application.url);
    call.send(closeFrame(1000), frameOf(TEXT, userText('too late')), frameOf(PING, 'x'));
    expect(await call.closeCode()).toBe(1000);
    await call.whenClosed;
    expect(heard).toEqual([]);
    expect(call.pongCount).toBe(0);
  });

  it.each([
    ['100,000 fragments of a byte', frameOf(CONTINUATION, 'x', { isLast: false })],
    ['100,000 empty fragments', frameOf(CONTINUATION, '', { isLast: false })],
  ])('that carries %s is closed, with little memory spent', async (_name, fragment) => {
    const call = await RawCall.open(application.url);
    const before = process.memoryUsage().rss;
    call.send(frameOf(TEXT, '{', { isLast: false }), repeated(fragment, 100_000));
    expect(await call.closeCode()).toBe(1008);
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * 2 ** 20);
    call.socket.destroy();
  });

  it('is served by a ws that bounds fragments', () => {
    const [major = 0, minor = 0] = webSocketVersion.split('.').map(Number);
    expect(major * 1_000 + minor).toBeGreaterThanOrEqual(8_021);
  });
});
