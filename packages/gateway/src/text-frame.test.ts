import { Receiver } from 'ws';
import { asciiTextFrame } from './text-frame';

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
