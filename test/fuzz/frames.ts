import { exampleFrames, serverExamples } from '../../packages/protocol/src/examples.test-support';
import { anyObject, anyValue } from './hostile-values';
import type { Random } from './random';

/** What byte mutation puts into a frame: where parsers, counters and prototypes break. */
const tokens = [
  '{', '}', '[', ']', '"', '\\', ':', ',', 'null', 'true', '-0', '1e999', '0.1e-999', '2.0', '9007199254740993', '\u0000', '\ufeff',
  '\\ud800', '\\udc00', '\ud83d', '\\u0000', '"__proto__":{"x":1},', '"constructor":1,', '"then":1,', '"type":1,', '"id":7,', '/*', '//',
  '}{', '[[[[[[[[', '{"a":{"a":', '\u2028',
]; // biome-ignore format: a list of small things
const toolNames = ['book', 'hours', 'slow', 'echo', 'broken', 'nope', 'constructor', '__proto__'];
const kinds = ['side_effect', 'read_only'];
/** Each of these once in so many frames. */
const hugeFrameOdds = 4_000;
const mutatedShare = 0.5;
const toolCallShare = 0.2;
const endOdds = 0.03;

const examples = Object.values(serverExamples);

/** The frames that everything is made from. */
export const seeds: readonly string[] = exampleFrames;

/** One frame: of the grammar with wrong values, or an example or such a frame with its bytes changed. */
export function anyFrame(random: Random): string {
  if (random.below(hugeFrameOdds) === 0) return hugeFrame(random);
  if (random.chance(mutatedShare))
    return mutated(random, random.chance(0.5) ? random.pick(seeds) : frameOfGrammar(random));
  return frameOfGrammar(random);
}

/** A message of the wire, its fields right, wrong, missing, or with company. */
export function frameOfGrammar(random: Random): string {
  const example = random.chance(toolCallShare) ? serverExamples['tool.call'] : random.pick(examples);
  // Most calls go on.
  if (example.type === 'session.end' && !random.chance(endOdds)) return JSON.stringify(toolCall(random));
  const message: Record<string, unknown> = example.type === 'tool.call' ? toolCall(random) : { ...example };
  if ('id' in message && example.type === 'tool.cancel') message.id = random.below(40);
  message.seq = random.below(1_000);
  for (const field of Object.keys(message)) {
    if (random.chance(0.04)) message[field] = anyValue(random);
    else if (random.chance(0.02)) delete message[field];
  }
  return JSON.stringify(random.chance(0.05) ? { ...anyObject(random), ...message } : message);
}

function toolCall(random: Random): Record<string, unknown> {
  const isPlausible = random.chance(0.7);
  return {
    ...serverExamples['tool.call'],
    id: random.below(5_000),
    name: random.pick(toolNames),
    kind: random.pick(kinds),
    arguments: isPlausible
      ? { party_size: random.below(14), name: 'Ada', guest: { name: 'Ada' } }
      : anyObject(random),
    idempotency_key: random.below(200).toString(16).padStart(16, '0'),
    timeout_ms: random.pick([0, 1, 5_000, 2 ** 32]),
  };
}

/** The text with one to four of its places changed. */
export function mutated(random: Random, text: string): string {
  let changed = text;
  for (let count = 1 + random.below(4); count > 0; count -= 1) changed = mutatedOnce(random, changed);
  return changed;
}

function mutatedOnce(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.below(12));
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + random.pick(tokens) + text.slice(at);
    case 1:
      return text.slice(0, at) + random.pick(tokens) + text.slice(end);
    case 2:
      return text.slice(0, at) + text.slice(end);
    case 3:
      return text.slice(0, end) + text.slice(at);
    case 4: {
      const other = random.pick(seeds);
      return text.slice(0, at) + other.slice(random.below(other.length));
    }
    default: {
      const code = text.charCodeAt(at) ^ (1 << random.below(7));
      return Number.isNaN(code)
        ? text.slice(0, -1)
        : text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
    }
  }
}

function hugeFrame(random: Random): string {
  const call = JSON.stringify(toolCall(random));
  switch (random.below(5)) {
    case 0:
      return '['.repeat(20_000);
    case 1:
      return call.replace(
        /"arguments":\{/,
        `"arguments":{"deep":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)},`,
      );
    case 2:
      return `{"type":"user.text","seq":1,"t_ms":1,"epoch":1,"text":${JSON.stringify('\u0001'.repeat(65_536))}}`;
    case 3:
      return call.replace(/"call_id":"/, `"call_id":"${'é'.repeat(600_000)}`);
    default:
      return `{"type":"user.text","epoch":1,"text":"${'\\'.repeat(60_001)}`;
  }
}
