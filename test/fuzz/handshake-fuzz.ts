import { connect } from 'node:net';
import { createApplication } from '@callwright/gateway';
import { VoiceServerClient } from '../../packages/gateway/src/voice-server.test-support';
import { anyFrame, mutated, seeds } from './frames';
import { FuzzedModule } from './fuzzed-agent';
import { Random } from './random';

const token = 'token-of-the-fuzzer';
const atOnce = 64;
const callsBetween = 500;
/** A peer that sends nothing more waits so long for an answer. */
const patienceMs = 300;
/** While sockets are fuzzed, a call is accepted within this time. */
const acceptLimitMs = 1_500;

export interface HandshakeFuzzReport {
  readonly handshakes: number;
  readonly violations: number;
  readonly described: readonly string[];
  /** How many connections got which status; `none` were closed or left without an answer. */
  readonly answers: Readonly<Record<string, number>>;
}

/** Opens connections with damaged upgrades and damaged WebSocket frames, and asks for a good call in between and behind. */
export async function fuzzHandshakes(options: {
  readonly handshakes: number;
  readonly seed: number;
}): Promise<HandshakeFuzzReport> {
  const { handshakes, seed } = options;
  const random = new Random(seed);
  const violations: string[] = [];
  const answers: Record<string, number> = {};
  if (handshakes === 0) return { handshakes, violations: 0, described: [], answers };
  const application = await createApplication(FuzzedModule, { port: 0, token, log: { level: 'fatal' } });
  const url = await application.listen();
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < handshakes) {
      begun += 1;
      if (begun % callsBetween === 0) await requireGoodCall(url, violations);
      const bytes = handshakeBytes(random);
      const { status, answer } = await answerTo(url, bytes, random);
      answers[status] = (answers[status] ?? 0) + 1;
      if (status === '101' && !bytes.includes(token))
        violations.push('a connection without the token was let in');
      if (answer !== '' && !/^HTTP\/1\.1 \d{3} /.test(answer))
        violations.push(`an answer that is no HTTP: ${JSON.stringify(answer.slice(0, 80))}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await requireGoodCall(url, violations);
  await application.close();
  return { handshakes, violations: violations.length, described: violations.slice(0, 20), answers };
}

async function requireGoodCall(url: string, violations: string[]): Promise<void> {
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, acceptLimitMs).unref();
  });
  const accepted = await Promise.race([goodCall(url), limit]);
  if (accepted !== true) violations.push(`a good call was not served within ${acceptLimitMs} ms`);
}

async function goodCall(url: string): Promise<boolean> {
  const client = await VoiceServerClient.connect(url, { authorization: `Bearer ${token}` });
  client.start();
  await client.next(({ type }) => type === 'session.accept');
  client.toolCall(1, 'hours');
  const { result } = await client.result(1);
  client.send({ type: 'session.end', reason: 'call_ended' });
  client.socket.close();
  return result === 'nine to five';
}

const goodRequest = [
  'GET /agent HTTP/1.1',
  'Host: agent.internal',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  `Authorization: Bearer ${token}`,
  '',
  '',
].join('\r\n');

const oddHeaders = [
  'Content-Length: 99999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Origin: https://evil.example\r\n',
  'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99\r\n',
  'Sec-WebSocket-Protocol: ,,\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: h2c\r\n',
  'X:\r\n folded\r\n',
  `Cookie: ${'x'.repeat(9_000)}\r\n`,
  'Host: a\r\nHost: b\r\n',
];

/** Text in which each character is one byte. */
function handshakeBytes(random: Random): string {
  if (random.chance(0.5)) return goodRequest + damagedFrames(random);
  const at = goodRequest.indexOf('\r\n') + 2;
  const request = random.chance(0.4)
    ? goodRequest.slice(0, at) + random.pick(oddHeaders) + goodRequest.slice(at)
    : goodRequest;
  return mutated(random, request);
}

/** A start and frames behind it, some of their headers and bytes changed. */
function damagedFrames(random: Random): string {
  const texts = [random.pick(seeds), anyFrame(random).slice(0, 2_000)];
  let bytes = '';
  for (const text of texts) bytes += maskedFrame(random, Buffer.from(text).toString('latin1'));
  return random.chance(0.8) ? mutated(random, bytes) : bytes;
}

function maskedFrame(random: Random, payload: string): string {
  const first = random.chance(0.8) ? 0x81 : random.below(256);
  const { length } = payload;
  const header = length < 126 ? [first, 0x80 | length] : [first, 0xfe, length >> 8, length & 0xff];
  return `${String.fromCharCode(...header, 0, 0, 0, 0)}${payload}`;
}

function answerTo(url: string, text: string, random: Random): Promise<{ status: string; answer: string }> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const bytes = Buffer.from(text, 'latin1');
    const at = random.below(bytes.length);
    let answer = '';
    const patience = setTimeout(() => socket.destroy(), patienceMs);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      resolve({ status: /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'none', answer });
    });
    if (random.chance(0.1)) {
      socket.write(bytes.subarray(0, at), () => socket.resetAndDestroy());
      return;
    }
    socket.write(bytes.subarray(0, at));
    setImmediate(() => socket.write(bytes.subarray(at)));
  });
}
