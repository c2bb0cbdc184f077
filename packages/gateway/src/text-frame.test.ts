import type { Writable } from 'node:stream';
import * as ws from 'ws';
import { asciiTextFrame } from './text-frame';

// ws exports its reader of frames; its published types do not have it.
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable };

/** What a client of the `ws` library reads from those bytes. */
async function readByClient(frame: string): Promise<string[]> {
  const texts: string[] = [];
  const receiver = new Receiver({ isServer: false });
  receiver.on('message', (data: Buffer) => texts.push(data.toString()));
  const finished = new Promise((resolve) => receiver.on('finish', resolve));
  receiver.end(Buffer.from(frame, 'latin1'));
  await finished;
  return texts;
}

test.each([0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 70_000])(
  'a text of %i characters is one frame that ws reads',
  async (length) => {
    const text = 'x'.repeat(length);
    expect(await readByClient(asciiTextFrame(text))).toEqual([text]);
  },
);
