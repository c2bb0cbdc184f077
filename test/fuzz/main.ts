import { parseArgs } from 'node:util';
import { fuzzFrames } from './frame-fuzz';
import { fuzzHandshakes } from './handshake-fuzz';

/** `npm run fuzz -- --frames N --handshakes N --seed S --json`: exit code 1 when a rule was broken. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      frames: { type: 'string', default: '100000' },
      handshakes: { type: 'string', default: '0' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      json: { type: 'boolean', default: false },
    },
  });
  const seed = wholeNumber(values.seed, '--seed');
  const escaped: string[] = [];
  const note = (error: unknown): void =>
    void escaped.push(error instanceof Error ? String(error.stack) : typeof error);
  process.on('uncaughtException', note).on('unhandledRejection', note);
  const beganMs = performance.now();
  const frames = await fuzzFrames({ frames: wholeNumber(values.frames, '--frames'), seed });
  const handshakes = await fuzzHandshakes({
    handshakes: wholeNumber(values.handshakes, '--handshakes'),
    seed,
  });
  const described = [...escaped, ...frames.described, ...handshakes.described];
  const violations = escaped.length + frames.violations + handshakes.violations;
  const seconds = Math.round((performance.now() - beganMs) / 100) / 10;
  if (values.json)
    console.log(
      JSON.stringify({
        ...frames,
        handshakes: handshakes.handshakes,
        answers: handshakes.answers,
        seconds,
        violations,
        described,
      }),
    );
  else {
    const { p50Us, p99Us, maxUs, readable, calls, resumed, sent } = frames;
    console.log(
      `seed ${seed}: ${frames.frames} frames (${readable} readable) into ${calls} calls (${resumed} resumed), which sent ${sent} messages, in ${seconds} s`,
    );
    console.log(`each frame: p50 ${p50Us} us, p99 ${p99Us} us, most ${maxUs} us`);
    console.log(`${handshakes.handshakes} handshakes, answered with ${JSON.stringify(handshakes.answers)}`);
    console.log(`violations: ${violations}`);
    for (const what of described) console.log(`  ${what}`);
  }
  if (violations > 0) process.exitCode = 1;
}

function wholeNumber(text: string, option: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`${option} is a whole number, not ${text}.`);
  return number;
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
