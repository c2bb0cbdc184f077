import { ToolError } from '../failures';
import type { Pipe, PipeTarget } from '../pipe';

const E164 = /^\+[1-9]\d{7,14}$/;
/** What people and models write between digits. */
const SEPARATORS = /[\s().\-/\u00a0\u2010-\u2015]/g;
/** More is no number, and not worth a look. */
const LENGTH_LIMIT = 64;

/** Options of {@link ParseE164Pipe}. */
export interface ParseE164Options {
  /** Put before a number without country code, in place of one leading 0: `'+39'`. @default such a number is refused */
  readonly countryCode?: string | undefined;
}

/**
 * A telephone number in E.164, as carriers take it: `+` and 8 to 15 digits. `+39 06 123-4567` and `0039 06 1234567` become
 * `+39061234567`; anything else is refused, with a text that does not repeat it. `undefined` stays `undefined`.
 */
export class ParseE164Pipe implements Pipe<string | undefined, string> {
  readonly #countryCode: string | undefined;

  /** @throws TypeError when the country code is none. */
  constructor(options: ParseE164Options = {}) {
    const { countryCode } = options;
    if (countryCode !== undefined && !/^\+[1-9]\d{0,3}$/.test(countryCode)) {
      throw new TypeError('ParseE164Pipe: a countryCode is + and 1 to 4 digits, such as +39');
    }
    this.#countryCode = countryCode;
  }

  transform(value: string | undefined, target: PipeTarget): string {
    // An argument that is optional and left out: the parameter's own type says that it may be.
    if (value === undefined) return value as unknown as string;
    const number = typeof value === 'string' ? this.#parse(value) : undefined;
    if (number !== undefined) return number;
    throw new ToolError(`${target.name ?? 'the value'} must be a telephone number with its country code`);
  }

  #parse(value: string): string | undefined {
    if (value.length > LENGTH_LIMIT) return undefined;
    const digits = value.replace(SEPARATORS, '').replace(/^00/, '+');
    if (E164.test(digits)) return digits;
    if (this.#countryCode === undefined || !/^\d+$/.test(digits)) return undefined;
    const national = `${this.#countryCode}${digits.replace(/^0/, '')}`;
    return E164.test(national) ? national : undefined;
  }
}
