import { closeFrame, FrameReader, OPCODE, textFrame } from './frames';

/** Turns a client's masked frame into the unmasked one an agent would send. */
function unmask(frame: Buffer): Buffer {
  const short = (frame[1] ?? 0) & 0x7f;
  const headerBytes = short < 126 ? 2 : 4;
  const mask = frame.subarray(headerBytes, headerBytes + 4);
  const payload = Buffer.from(frame.subarray(headerBytes + 4)).map((byte, at) => byte ^ (mask[at & 3] ?? 0));
  const header = Buffer.from(frame.subarray(0, headerBytes));
  header[1] = short;
  return Buffer.concat([header, payload]);
}

function read(...chunks: Buffer[]): string[] {
  const texts: string[] = [];
  const reader = new FrameReader((opcode, payload) => texts.push(`${opcode}:${payload.toString('latin1')}`));
  for (const chunk of chunks) reader.push(chunk);
  return texts;
}

test.each([0, 1, 125, 126, 420, 65_535])('a text frame of %i bytes comes out as it went in', (length) => {
  const text = 'x'.repeat(length);
  expect(read(unmask(textFrame(text)))).toEqual([`${OPCODE.TEXT}:${text}`]);
});

test('a frame over the bound is refused', () => {
  expect(() => textFrame('x'.repeat(65_536))).toThrow(RangeError);
});

test('a close frame carries its code', () => {
  expect(read(unmask(closeFrame(1000)))).toEqual([`${OPCODE.CLOSE}:\u0003\u00e8`]);
});

test('frames cut at every byte are read whole and in order', () => {
  const stream = Buffer.concat([unmask(textFrame('first')), unmask(textFrame('y'.repeat(200)))]);
  for (let cut = 0; cut <= stream.length; cut++) {
    expect(read(stream.subarray(0, cut), stream.subarray(cut))).toEqual([
      `${OPCODE.TEXT}:first`,
      `${OPCODE.TEXT}:${'y'.repeat(200)}`,
    ]);
  }
});
