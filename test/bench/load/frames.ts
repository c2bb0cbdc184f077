/**
 * The few WebSocket frames a load needs, written and read without a library, so that the driver costs less than
 * the agent it drives. Texts are ASCII, as everything a load sends is.
 */

export const OPCODE = { TEXT: 0x1, CLOSE: 0x8, PING: 0x9, PONG: 0xa } as const;

/** Not zero: WebSocket servers skip the unmasking of a zero key, which no real client sends. */
const MASK = [0x3a, 0x91, 0x5c, 0xe7] as const;
const LARGEST_SHORT_BYTES = 125;
const LARGEST_MEDIUM_BYTES = 65_535;

/** One masked text frame, as a voice server (a WebSocket client) sends it. */
export function textFrame(text: string): Buffer {
  return maskedFrame(OPCODE.TEXT, text, 'latin1');
}

/** A masked close frame with a code and no reason. */
export function closeFrame(code: number): Buffer {
  return maskedFrame(OPCODE.CLOSE, Buffer.from([code >> 8, code & 0xff]).toString('latin1'), 'latin1');
}

/** A masked pong that answers a ping with the same payload. */
export function pongFrame(payload: Buffer): Buffer {
  return maskedFrame(OPCODE.PONG, payload.toString('latin1'), 'latin1');
}

function maskedFrame(opcode: number, text: string, encoding: 'latin1'): Buffer {
  const length = text.length;
  if (length > LARGEST_MEDIUM_BYTES)
    throw new RangeError(`a load frame has at most 65,535 bytes, not ${length}`);
  const headerBytes = length <= LARGEST_SHORT_BYTES ? 6 : 8;
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame[0] = 0x80 | opcode;
  if (length <= LARGEST_SHORT_BYTES) {
    frame[1] = 0x80 | length;
  } else {
    frame[1] = 0x80 | 126;
    frame.writeUInt16BE(length, 2);
  }
  frame.set(MASK, headerBytes - 4);
  frame.write(text, headerBytes, encoding);
  for (let at = 0; at < length; at++) {
    const index = headerBytes + at;
    frame[index] = (frame[index] ?? 0) ^ (MASK[at & 3] ?? 0);
  }
  return frame;
}

/** Called once per whole frame; `payload` is only valid during the call. */
export type FrameListener = (opcode: number, payload: Buffer) => void;

/** Cuts what a socket reads into frames. An agent's frames are unmasked; fragments do not occur in a load. */
export class FrameReader {
  readonly #listener: FrameListener;
  #rest: Buffer | undefined;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    const data = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    let offset = 0;
    while (offset < data.length) {
      const end = this.#readFrame(data, offset);
      if (end === undefined) break;
      offset = end;
    }
    this.#rest = offset < data.length ? data.subarray(offset) : undefined;
  }

  /** Reads the frame at `offset`; the offset behind it, or undefined when it is not whole yet. */
  #readFrame(data: Buffer, offset: number): number | undefined {
    if (data.length < offset + 2) return undefined;
    const head = data[offset] ?? 0;
    const short = data[offset + 1] ?? 0;
    if ((head & 0x80) === 0 || (short & 0x80) !== 0) throw new Error('an agent sends whole, unmasked frames');
    const headerBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (data.length < offset + headerBytes) return undefined;
    const length = lengthOf(data, offset, short);
    const start = offset + headerBytes;
    if (data.length < start + length) return undefined;
    this.#listener(head & 0x0f, data.subarray(start, start + length));
    return start + length;
  }
}

function lengthOf(data: Buffer, offset: number, short: number): number {
  if (short < 126) return short;
  if (short === 126) return data.readUInt16BE(offset + 2);
  return Number(data.readBigUInt64BE(offset + 2));
}
