import type { JsonObject } from './recording';

/** What stands for values that a recording does not have. */
export interface ReplayValues {
  /** The caller's number. @default '+12025550100' */
  readonly caller?: string | undefined;
  /** The number that was called. @default '+12025550199' */
  readonly called?: string | undefined;
  /** Sensitive arguments by tool and place, such as `{ 'pay.card.number': '4242424242424242' }`. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** A recorded frame with what stands for what was taken out of it. */
export interface FilledFrame {
  readonly frame: JsonObject;
  /** Places of arguments for which nothing was given. */
  readonly missing: readonly string[];
}

const SENSITIVE = '[sensitive]';

/** Puts stand-ins in the place of what a recording does not have. */
export class RecordedValues {
  readonly #texts: readonly (readonly [mask: string, text: string])[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor({ caller = '+12025550100', called = '+12025550199', values = {} }: ReplayValues) {
    this.#texts = [
      ['[caller]', caller],
      ['[called]', called],
      ['[carrier-call]', 'CA00000000000000000000000000000000'],
    ];
    this.#values = values;
  }

  fill(frame: JsonObject): FilledFrame {
    const missing: string[] = [];
    const filled = mapped(frame, (value, key) => {
      const isArguments = frame.type === 'tool.call' && key === 'arguments';
      return isArguments ? this.#argument(value, String(frame.name), '', missing) : this.#text(value);
    });
    return { frame: filled, missing };
  }

  /** A whole value that was sensitive is needed; in a longer text the mask may stay. */
  #argument(json: unknown, tool: string, path: string, missing: string[]): unknown {
    if (json === SENSITIVE) {
      const given = this.#values[`${tool}.${path}`];
      if (given === undefined) missing.push(path);
      return given;
    }
    const inner = (value: unknown, key: string): unknown =>
      this.#argument(value, tool, path === '' ? key : `${path}.${key}`, missing);
    if (Array.isArray(json)) return json.map((item, index) => inner(item, String(index)));
    return isObject(json) ? mapped(json, inner) : this.#text(json);
  }

  #text(json: unknown): unknown {
    if (typeof json === 'string') {
      return this.#texts.reduce((text, [mask, stand]) => text.replaceAll(mask, () => stand), json);
    }
    if (Array.isArray(json)) return json.map((item) => this.#text(item));
    return isObject(json) ? mapped(json, (value) => this.#text(value)) : json;
  }
}

function mapped(json: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, change(value, key)]));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
