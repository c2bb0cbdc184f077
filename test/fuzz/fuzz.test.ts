import { fuzzFrames } from './frame-fuzz';
import { fuzzHandshakes } from './handshake-fuzz';

const seed = Math.floor(Math.random() * 2 ** 31);

describe('damaged frames', () => {
  it('break nothing in the parsers and in live calls', async () => {
    const report = await fuzzFrames({ frames: 10_000, seed });
    expect({ seed, described: report.described }).toEqual({ seed, described: [] });
    // Were all of them refused, the calls would have seen nothing.
    expect(report.readable).toBeGreaterThan(3_000);
    expect(report.calls).toBeGreaterThan(20);
    expect(report.resumed).toBeGreaterThan(2);
    expect(report.sent).toBeGreaterThan(1_000);
  });

  it('find a parser that throws anything but a ProtocolError', async () => {
    const parsers = [(text: string): unknown => JSON.parse(text)];
    const report = await fuzzFrames({ frames: 500, seed, parsers });
    expect(report.violations).toBeGreaterThan(10);
    expect(report.described[0]).toContain('SyntaxError');
  });
});

describe('damaged handshakes', () => {
  it('break nothing, let nobody in without the token, and leave the server at work', async () => {
    const report = await fuzzHandshakes({ handshakes: 500, seed });
    expect({ seed, described: report.described }).toEqual({ seed, described: [] });
    expect(report.answers['101']).toBeGreaterThan(100);
  });
});
