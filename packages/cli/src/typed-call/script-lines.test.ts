import { PassThrough } from 'node:stream';
import { ScriptLines } from './script-lines';

describe('the lines of a script', () => {
  it('are all there, in order, though the input has ended before the first is taken', async () => {
    const input = new PassThrough();
    const lines = new ScriptLines(input);
    const wanted = Array.from({ length: 2_500 }, (_, index) => `line ${index}`);
    input.end(`${wanted.join('\n')}\n`);
    await new Promise((resolve) => setImmediate(resolve));
    const taken: string[] = [];
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) taken.push(line);
    expect(taken).toEqual(wanted);
  });

  it('are waited for', async () => {
    const input = new PassThrough();
    const lines = new ScriptLines(input);
    const next = lines.next();
    input.write('hello\n');
    await expect(next).resolves.toBe('hello');
    input.end();
    await expect(lines.next()).resolves.toBeUndefined();
  });

  it('are no more once it is closed', async () => {
    const input = new PassThrough();
    const lines = new ScriptLines(input);
    const next = lines.next();
    lines.close();
    await expect(next).resolves.toBeUndefined();
  });
});
