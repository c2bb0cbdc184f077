import type { ToolPlan } from '@callwright/core';
import {
  ALWAYS_SENT_TYPES,
  COMMAND_TYPES,
  isJsonTextDeeper,
  MAX_INCOMING_DEPTH,
  SUBSCRIBABLE_EVENTS,
} from '@callwright/protocol';

/** So many hidden values of one call are looked for in its later frames. */
const MAX_SECRETS = 256;
/** Shorter values stand in too many texts by chance. */
const MIN_SECRET_CHARACTERS = 4;
const CARRIER_CALL = '[carrier-call]';
const DIGITS = '[digits]';
const SENSITIVE = '[sensitive]';
/** Fields that name things on the wire, and stay as they are: a replay needs them. */
const NAMES: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'session_id',
  'idempotency_key',
  'name',
]);
/** Fields that hold a number which is the program's own, unless it is the caller's. */
const NUMBERS: ReadonlySet<string> = new Set(['destination']);
/** Messages of another version may hold anything: nothing is known of where. */
const KNOWN_TYPES: ReadonlySet<unknown> = new Set([
  ...SUBSCRIBABLE_EVENTS,
  ...ALWAYS_SENT_TYPES,
  ...COMMAND_TYPES,
  'session.start',
  'session.accept',
  'session.reject',
  'tool.result',
]);
/** A phone or card number as somebody writes it: seven digits and more. */
const LONG_NUMBER = /\+?\d(?:[\s().-]?\d){6,}/g;
/** All digits that stand together: one pass over the text, however many there are. */
const NUMBER = /\+?\d(?:[\s().-]{0,2}\d)*/g;
/** So many last digits tell a telephone number, written with a country code, with a zero, or bare. */
const TELLING_DIGITS = 7;

type Json = Readonly<Record<string, unknown>>;

/**
 * Takes out of the frames of one call what must not be recorded: the numbers of caller and called, the carrier's name of the
 * call, sensitive arguments by their type, all of these wherever they stand in later words, arguments and results, and every
 * long number in words.
 */
export class FrameRedactor {
  readonly #tools: ReadonlyMap<string, { readonly plan: ToolPlan }>;
  readonly #secrets: RegExp[] = [];
  /** Masks of telephone numbers, by their last digits. */
  readonly #numbers = new Map<string, string>();

  constructor(tools: ReadonlyMap<string, { readonly plan: ToolPlan }>) {
    this.#tools = tools;
  }

  /** The frame as it may be recorded; one that is no JSON object, or nests too deep to be read, is recorded by its size alone. */
  redact(text: string): Json {
    let frame: unknown;
    try {
      frame = isJsonTextDeeper(text, MAX_INCOMING_DEPTH) ? undefined : JSON.parse(text);
    } catch {
      frame = undefined;
    }
    if (!isObject(frame)) return { type: 'unreadable', bytes: Buffer.byteLength(text) };
    if (!KNOWN_TYPES.has(frame.type)) return { type: 'unknown', bytes: Buffer.byteLength(text) };
    switch (frame.type) {
      case 'session.start':
        return this.#start(frame);
      case 'session.accept':
        // The tools are the program's own, and their schemas hold patterns that must stay as they are.
        return { ...(this.#words(frame) as Json), ...('tools' in frame ? { tools: frame.tools } : {}) };
      case 'tool.call':
        return { ...frame, arguments: this.#arguments(String(frame.name), frame.arguments) };
      case 'tool.result':
        return {
          ...(this.#words(frame) as Json),
          ...('result' in frame ? { result: this.#values(frame.result) } : {}),
        };
      default:
        return this.#words(frame) as Json; // an object gives an object
    }
  }

  #start({ call, ...frame }: Json): Json {
    if (!isObject(call)) return frame;
    const { carrier, from, to, pii_redacted: isRedacted } = call;
    this.#addNumber(from, '[caller]');
    this.#addNumber(to, '[called]');
    const identity = {
      carrier,
      carrier_call_id: CARRIER_CALL,
      ...(from === undefined ? {} : { from: '[caller]' }),
      ...(to === undefined ? {} : { to: '[called]' }),
      pii_redacted: isRedacted,
    };
    return { ...frame, call: identity };
  }

  #arguments(name: string, args: unknown): unknown {
    const plan = this.#tools.get(name)?.plan;
    const hidden = (value: unknown): void => this.#addValue(value);
    return this.#values(plan?.args.redact === undefined ? args : plan.args.redact(args, hidden));
  }

  #addNumber(number: unknown, mask: string): void {
    const digits = typeof number === 'string' ? number.replace(/\D/g, '') : '';
    if (digits.length < MIN_SECRET_CHARACTERS || this.#numbers.size >= MAX_SECRETS) return;
    this.#numbers.set(digits.slice(-TELLING_DIGITS), mask);
  }

  #addValue(value: unknown): void {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text.length < MIN_SECRET_CHARACTERS) return;
    const isNumber = /^[\d\s().+-]+$/.test(text);
    const characters = isNumber ? [...text.replace(/\D/g, '')] : [...text].map(escapeForPattern);
    if (characters.length < MIN_SECRET_CHARACTERS) return;
    const pattern = characters.join(isNumber ? '[\\s().-]?' : '');
    const isKnown = this.#secrets.some(({ source }) => source === pattern);
    if (!isKnown && this.#secrets.length < MAX_SECRETS) this.#secrets.push(new RegExp(pattern, 'gi'));
  }

  /** Every text is cleaned, wherever it stands, but for names. */
  #words(json: unknown, key = ''): unknown {
    if (typeof json === 'string') {
      if (NAMES.has(key)) return json;
      const clean = this.#clean(json);
      return NUMBERS.has(key) ? clean : clean.replace(LONG_NUMBER, DIGITS);
    }
    if (Array.isArray(json)) return json.map((item) => this.#words(item, key));
    if (!isObject(json)) return json;
    return mapped(json, (value, name) => this.#words(value, name));
  }

  /** Arguments and results keep their numbers, but for those that are known to be somebody's secret. */
  #values(json: unknown): unknown {
    if (typeof json === 'string') return this.#clean(json);
    if (typeof json === 'number') return this.#clean(String(json)) === String(json) ? json : SENSITIVE;
    if (Array.isArray(json)) return json.map((item) => this.#values(item));
    return isObject(json) ? mapped(json, (value) => this.#values(value)) : json;
  }

  #clean(text: string): string {
    const withoutNumbers = text.replace(NUMBER, (written) => this.#maskOf(written) ?? written);
    return this.#secrets.reduce((clean, secret) => clean.replace(secret, SENSITIVE), withoutNumbers);
  }

  /** Other digits may stand right beside a number, so it is looked for anywhere in them. */
  #maskOf(written: string): string | undefined {
    const digits = written.replace(/\D/g, '');
    for (const [end, mask] of this.#numbers) if (digits.includes(end)) return mask;
    return undefined;
  }
}

function escapeForPattern(character: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped(json: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, change(value, key)]));
}
