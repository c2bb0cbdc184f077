import fc from 'fast-check';
import type { CommandMessage, ContextMessage } from './agent-messages';
import { buildAccept } from './build-accept';
import { buildCommand, buildReject, buildToolError, buildToolResult } from './build-agent';
import { buildServerMessage } from './build-server';
import { ProtocolError } from './errors';
import { exampleFrames, serverExamples } from './examples.test-support';
import { MAX_OUTGOING_MESSAGE_BYTES } from './limits';
import { parseAgentMessage } from './parse-agent';
import { parseServerMessage } from './parse-server';
import { parseSessionStart } from './parse-start';
import { reviewAccept, reviewCommand } from './review';
import type { ServerMessage } from './server-messages';
import { isWellFormed, utf8ByteLength } from './text';
import { SUBSCRIBABLE_EVENTS } from './vocabulary';

/** Reads `text` with every parser; anything thrown but a ProtocolError is a failure. */
function readEverywhere(text: string): void {
  for (const parse of [parseServerMessage, parseAgentMessage]) {
    try {
      const message = parse(text);
      if (message.type === 'session.accept') reviewAccept(message);
      if (message.type === 'say' || message.type === 'context.update')
        reviewCommand(message as CommandMessage);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  }
  expect(['start', 'unreadable', 'other_type', 'other_protocol']).toContain(parseSessionStart(text).outcome);
}

/** One UTF-16 code unit of any kind, so that halves of pairs come up too. */
const anyUnit = fc.oneof(
  fc.constantFrom('x', ' ', 'é', '€', '😀', '"', '\\', '\u0000'),
  fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
  fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
);
const anyText = fc.oneof(fc.string({ unit: anyUnit }), fc.string(), fc.constantFrom('', '__proto__'));
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, true, -1, 2.5, 1e300, '', [], {}, [[]], [null], { type: 'object' }),
);

/** A path into a JSON value, as a list of choices, and the place it leads to. */
function mutate(frame: string, choices: readonly number[], replacement: unknown): string {
  const root = JSON.parse(frame) as Record<string, unknown>;
  let place: Record<string, unknown> = root;
  for (const [index, choice] of choices.entries()) {
    const keys = Object.keys(place);
    const key = keys[choice % keys.length] ?? '__proto__';
    const next = place[key];
    if (typeof next !== 'object' || next === null || index === choices.length - 1) {
      if (replacement === undefined) delete place[key];
      else Object.defineProperty(place, key, { value: replacement, enumerable: true, configurable: true });
      break;
    }
    place = next as Record<string, unknown>;
  }
  return JSON.stringify(root);
}

describe('parsing throws nothing but ProtocolError', () => {
  test('on arbitrary strings', () => {
    fc.assert(fc.property(anyText, readEverywhere), { numRuns: 2_000 });
  });

  test('on arbitrary JSON', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 6 }), readEverywhere), { numRuns: 2_000 });
  });

  test('on arbitrary objects of every known type', () => {
    const types = exampleFrames.map((frame) => (JSON.parse(frame) as { type: string }).type);
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.dictionary(fc.string(), anyValue), (type, fields) => {
        readEverywhere(JSON.stringify({ ...fields, type }));
      }),
      { numRuns: 2_000 },
    );
  });

  test('on every message with a value changed or taken away, at any depth', () => {
    const choices = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.constantFrom(...exampleFrames),
        choices,
        fc.option(anyValue, { nil: undefined }),
        (frame, path, value) => {
          readEverywhere(mutate(frame, path, value));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('on every message with bytes cut out and put in', () => {
    const text = fc.oneof(
      fc.string({ unit: anyUnit, maxLength: 6 }),
      fc.constantFrom('[', '}', '"', '\\', '\\ud83d', '1e999', ','),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...exampleFrames),
        fc.nat(),
        fc.nat(12),
        text,
        (frame, at, length, inserted) => {
          const start = at % (frame.length + 1);
          readEverywhere(frame.slice(0, start) + inserted + frame.slice(start + length));
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('what is built is read back', () => {
  const examples = Object.values(serverExamples);
  const count = fc.maxSafeNat();

  test('server messages, whatever their texts, numbers and arguments', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...examples),
        count,
        fc.string(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (example, number, text, args) => {
          const changed: Record<string, unknown> = {};
          for (const [key, value] of Object.entries(example)) {
            if (typeof value === 'number') changed[key] = number;
            else if (typeof value === 'string' && !['type', 'kind'].includes(key)) changed[key] = text;
            else if (key === 'arguments') changed[key] = args;
            else changed[key] = value;
          }
          const message = changed as unknown as ServerMessage;
          const read = parseServerMessage(buildServerMessage(message));
          // JSON has no negative zero; both sides are compared as JSON.
          expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(message)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  const line = fc.oneof(fc.string({ maxLength: 80 }), fc.string({ unit: anyUnit, maxLength: 12 }));
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const role = fc.constantFrom<ContextMessage['role']>('system', 'user', 'assistant');
  const envelope = { id: maybe(line), re: maybe(count) };
  const messages = fc.array(fc.record({ role, text: line }), { maxLength: 34 });
  const destination = fc.oneof(line, fc.stringMatching(/^\+[0-9]{7,16}$/));
  const command: fc.Arbitrary<CommandMessage> = fc.oneof(
    fc.record({ type: fc.constant('say' as const), ...envelope, text: line, interrupt: maybe(fc.boolean()) }),
    fc.record({ type: fc.constant('end' as const), ...envelope, say: maybe(line), reason: maybe(line) }),
    fc.record({
      type: fc.constant('transfer' as const),
      ...envelope,
      destination,
      mode: maybe(fc.constantFrom('cold' as const, 'warm' as const)),
      summary: maybe(line),
      reason: maybe(line),
    }),
    fc.record({
      type: fc.constant('context.update' as const),
      ...envelope,
      system_prompt: maybe(line),
      append: maybe(messages),
    }),
    fc.record({
      type: fc.constant('tools.set' as const),
      ...envelope,
      enabled: fc.oneof(fc.constant(null), fc.array(line)),
    }),
  );

  test('a command is refused here or carried out there, never refused by the server', () => {
    fc.assert(
      fc.property(command, (sent) => {
        let frame: string;
        try {
          frame = buildCommand(sent);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
          return;
        }
        expect(utf8ByteLength(frame)).toBeLessThanOrEqual(MAX_OUTGOING_MESSAGE_BYTES);
        const read = parseAgentMessage(frame) as CommandMessage;
        expect(reviewCommand(read)).toBeUndefined();
        const { interrupt, ...rest } = sent as CommandMessage & { interrupt?: boolean };
        expect(read).toEqual(interrupt === true ? { ...rest, interrupt } : rest);
      }),
      { numRuns: 3_000 },
    );
  });

  test('an accept is refused here or taken whole there', () => {
    const parts = fc.record({
      version: fc.constant(1),
      system_prompt: maybe(line),
      greeting: maybe(line),
      context: maybe(messages),
      events: maybe(fc.subarray([...SUBSCRIBABLE_EVENTS])),
      resume: maybe(fc.constant(true as const)),
    });
    fc.assert(
      fc.property(parts, (sent) => {
        let frame: string;
        try {
          frame = buildAccept(sent);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
          return;
        }
        const read = parseAgentMessage(frame);
        if (read.type !== 'session.accept') throw new Error('another type');
        expect(reviewAccept(read).breaks).toEqual([]);
        expect(read.events).toEqual(sent.events);
        expect(read.resume).toBe(sent.resume);
      }),
    );
  });

  test('rejects and tool errors are sendable whatever they are made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyUnit, maxLength: 2_000 }), (text) => {
        for (const frame of [buildReject(text, text), buildToolError(1, text)]) {
          expect(isWellFormed(frame)).toBe(true);
          parseAgentMessage(frame);
        }
      }),
    );
  });

  test('a tool result is refused here or read there', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyUnit }), (result) => {
        const json = JSON.stringify(result);
        let frame: string;
        try {
          frame = buildToolResult(7, json);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
          return;
        }
        expect(parseAgentMessage(frame)).toEqual({ type: 'tool.result', id: 7, result: JSON.parse(json) });
      }),
    );
  });
});
