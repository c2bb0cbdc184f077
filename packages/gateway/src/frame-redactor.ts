import type { ToolPlan } from '@callwright/core';

/** So many hidden values of one call are looked for in its later frames. */
const MAX_SECRETS = 256;
/** Shorter values stand in too many texts by chance. */
const MIN_SECRET_CHARACTERS = 4;
const CARRIER_CALL = '[carrier-call]';
const DIGITS = '[digits]';
/** Fields that hold what somebody says, or what the model is told. */
const WORDS: ReadonlySet<string> = new Set([
  'text',
  'say',
  'summary',
  'reason',
  'message',
  'greeting',
  'system_prompt',
  'error',
]);
/** A phone or card number as somebody writes it: seven digits and more. */
const LONG_NUMBER = /\+?\d(?:[\s().-]?\d){6,}/g;

type Json = Readonly<Record<string, unknown>>;

interface Secret {
  readonly pattern: RegExp;
  readonly mask: string;
}

/**
 * Takes out of the frames of one call what must not be recorded: the numbers of caller and called, the carrier's name of the
 * call, sensitive arguments by their type, all of these wherever they stand in later words, arguments and results, and every
 * long number in words.
 */
export class FrameRedactor {
  readonly #tools: ReadonlyMap<string, { readonly plan: ToolPlan }>;
  readonly #secrets: Secret[] = [];

  constructor(tools: ReadonlyMap<string, { readonly plan: ToolPlan }>) {
    this.#tools = tools;
  }

  /** The frame as it may be recorded; one that is no JSON object is recorded by its size alone. */
  redact(text: string): Json {
    let frame: unknown;
    try {
      frame = JSON.parse(text);
    } catch {
      frame = undefined;
    }
    if (!isObject(frame)) return { type: 'unreadable', bytes: Buffer.byteLength(text) };
    switch (frame.type) {
      case 'session.start':
        return isObject(frame.call) ? { ...frame, call: this.#identity(frame.call) } : frame;
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

  #identity(call: Json): Json {
    const { from, to } = call;
    this.#addNumber(from, '[caller]');
    this.#addNumber(to, '[called]');
    return {
      ...call,
      ...(from === undefined ? {} : { from: '[caller]' }),
      ...(to === undefined ? {} : { to: '[called]' }),
      ...('carrier_call_id' in call ? { carrier_call_id: CARRIER_CALL } : {}),
    };
  }

  #arguments(name: string, args: unknown): unknown {
    const plan = this.#tools.get(name)?.plan;
    const hidden = (value: unknown): void => this.#addValue(value);
    return this.#values(plan?.args.redact === undefined ? args : plan.args.redact(args, hidden));
  }

  /** Any number that ends like this one: with a country code, with a zero, or bare. */
  #addNumber(number: unknown, mask: string): void {
    const digits = typeof number === 'string' ? number.replace(/\D/g, '') : '';
    if (digits.length < MIN_SECRET_CHARACTERS) return;
    const end = [...digits.slice(-7)].join('[\\s().-]?');
    this.#add({ pattern: new RegExp(`\\+?(?:\\d[\\s().-]?)*${end}(?!\\d)`, 'g'), mask });
  }

  #addValue(value: unknown): void {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text.length < MIN_SECRET_CHARACTERS) return;
    const isNumber = /^[\d\s().+-]+$/.test(text);
    const characters = isNumber ? [...text.replace(/\D/g, '')] : [...text].map(escapeForPattern);
    if (characters.length < MIN_SECRET_CHARACTERS) return;
    const pattern = characters.join(isNumber ? '[\\s().-]?' : '');
    this.#add({ pattern: new RegExp(pattern, 'gi'), mask: '[sensitive]' });
  }

  #add(secret: Secret): void {
    const isKnown = this.#secrets.some(({ pattern }) => pattern.source === secret.pattern.source);
    if (!isKnown && this.#secrets.length < MAX_SECRETS) this.#secrets.push(secret);
  }

  /** Words are cleaned wherever they stand; ids, keys and counts stay as they are. */
  #words(json: unknown, key = ''): unknown {
    if (typeof json === 'string')
      return WORDS.has(key) ? this.#clean(json).replace(LONG_NUMBER, DIGITS) : json;
    if (Array.isArray(json)) return json.map((item) => this.#words(item, key));
    if (!isObject(json)) return json;
    return mapped(json, (value, name) => this.#words(value, name));
  }

  /** Arguments and results keep their numbers, but for those that are known to be somebody's secret. */
  #values(json: unknown): unknown {
    if (typeof json === 'string') return this.#clean(json);
    if (typeof json === 'number') return this.#clean(String(json)) === String(json) ? json : '[sensitive]';
    if (Array.isArray(json)) return json.map((item) => this.#values(item));
    return isObject(json) ? mapped(json, (value) => this.#values(value)) : json;
  }

  #clean(text: string): string {
    return this.#secrets.reduce((clean, { pattern, mask }) => clean.replace(pattern, mask), text);
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
