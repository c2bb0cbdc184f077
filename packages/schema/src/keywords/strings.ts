import { type RegularExpression, readExpression, readStringExpression } from '../regular-expression';
import { type DecoratorImage, fixed, hinted, type Image, patterned } from './image';

const fullWidth = '[^\\u0020-\\u007E\\uFF61-\\uFF9F\\uFFA0-\\uFFDC\\uFFE8-\\uFFEE0-9a-zA-Z]';
const halfWidth = '[\\u0020-\\u007E\\uFF61-\\uFF9F\\uFFA0-\\uFFDC\\uFFE8-\\uFFEE0-9a-zA-Z]';

/** Decorators that speak of strings and that keywords can express, in full or in part. */
export const strings: readonly DecoratorImage[] = [
  { decorator: 'Length', rule: 'isLength', example: [2, 40], image: ([min, max]) => lengthImage(min, max) },
  { decorator: 'MinLength', rule: 'minLength', example: [2], image: ([min]) => lengthImage(min, undefined) },
  { decorator: 'MaxLength', rule: 'maxLength', example: [40], image: ([max]) => lengthImage(undefined, max) },
  { decorator: 'Matches', rule: 'matches', example: [/^[a-z]+$/], image: matchesImage },
  { decorator: 'Contains', rule: 'contains', example: ['a.b'], image: ([seed]) => containsImage(seed) },
  {
    decorator: 'NotContains',
    rule: 'notContains',
    example: ['a.b'],
    image: ([seed]) => notContainsImage(seed),
  },
  {
    decorator: 'IsAlpha',
    rule: 'isAlpha',
    example: [],
    image: ([locale]) => letters('^[A-Za-z]+$', 'letters', locale),
  },
  {
    decorator: 'IsAlphanumeric',
    rule: 'isAlphanumeric',
    example: [],
    image: ([locale]) => letters('^[0-9A-Za-z]+$', 'letters and digits', locale),
  },
  patterned('IsAscii', 'isAscii', 'made of ASCII characters', '^[\\x00-\\x7F]+$'),
  fixed('IsMongoId', 'isMongoId', {
    types: ['string'],
    keywords: { pattern: '^(?:0[xXhH])?[0-9A-Fa-f]+$', minLength: 24, maxLength: 24 },
    exact: true,
    expects: 'a MongoDB id of 24 hexadecimal digits',
  }),
  patterned('IsMilitaryTime', 'isMilitaryTime', 'a time such as 19:30', '^([01]\\d|2[0-3]):?([0-5]\\d)$'),
  patterned(
    'IsHexColor',
    'isHexColor',
    'a colour such as #ff8800',
    '^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$',
  ),
  patterned('IsHexadecimal', 'isHexadecimal', 'a hexadecimal number', '^(0x|0h|0X|0H)?[0-9A-Fa-f]+$'),
  patterned('IsOctal', 'isOctal', 'an octal number', '^(0[oO])?[0-7]+$'),
  patterned('IsFullWidth', 'isFullWidth', 'with a full-width character', fullWidth),
  patterned('IsHalfWidth', 'isHalfWidth', 'with a half-width character', halfWidth),
  fixed('IsVariableWidth', 'isVariableWidth', {
    types: ['string'],
    keywords: { allOf: [{ pattern: fullWidth }, { pattern: halfWidth }] },
    exact: true,
    expects: 'with full-width and half-width characters',
  }),
  patterned('IsMultibyte', 'isMultibyte', 'with a character outside ASCII', '[^\\x00-\\x7F]'),
  patterned(
    'IsSurrogatePair',
    'isSurrogatePair',
    'with a character outside the basic plane, such as an emoji',
    '[\\u{10000}-\\u{10FFFF}]',
  ),
  // A necessary condition only: other scripts have cases too, and JavaScript's rules for them are not a pattern's.
  hinted('IsLowercase', 'isLowercase', 'in lower case', { pattern: '^[^A-Z]*$' }),
  hinted('IsUppercase', 'isUppercase', 'in upper case', { pattern: '^[^a-z]*$' }),
  fixed('IsBooleanString', 'isBooleanString', {
    types: ['string'],
    keywords: { enum: ['true', 'false', '1', '0'] },
    exact: true,
    expects: '"true" or "false"',
  }),
  { decorator: 'IsNumberString', rule: 'isNumberString', example: [], image: numberStringImage },
  {
    decorator: 'IsEmail',
    rule: 'isEmail',
    example: [],
    image: () => formatted('an e-mail address', { format: 'email' }),
  },
  { decorator: 'IsUUID', rule: 'isUuid', example: [4], image: ([version]) => uuidImage(version) },
  { decorator: 'IsIP', rule: 'isIp', example: [], image: ([version]) => ipImage(version) },
  {
    decorator: 'IsFQDN',
    rule: 'isFqdn',
    example: [],
    image: () => formatted('a host name', { format: 'hostname' }),
  },
  {
    decorator: 'IsRFC3339',
    rule: 'isRFC3339',
    example: [],
    image: () => formatted('an RFC 3339 date and time', { format: 'date-time' }),
  },
  { decorator: 'IsHash', rule: 'isHash', example: ['sha256'], image: ([algorithm]) => hashImage(algorithm) },
  patterned('IsEthereumAddress', 'isEthereumAddress', 'an Ethereum address', '^0[xX][0-9A-Fa-f]{40}$'),
  patterned('IsISRC', 'isISRC', 'an ISRC code', '^[A-Z]{2}[0-9A-Z]{3}\\d{7}$'),
  patterned('IsBase58', 'isBase58', 'in base 58', '^[A-HJ-NP-Za-km-z1-9]*$'),
];

function lengthImage(min: unknown, max: unknown): Image {
  const atLeast = typeof min === 'number' && min > 0 ? Math.ceil(min) : undefined;
  const atMost = typeof max === 'number' && Number.isFinite(max) && max >= 0 ? Math.floor(max) : undefined;
  return {
    types: ['string'],
    keywords: {
      ...(atLeast === undefined ? {} : { minLength: atLeast }),
      ...(atMost === undefined ? {} : { maxLength: atMost }),
    },
    exact: true,
    expects: lengthText(atLeast, atMost),
  };
}

function lengthText(atLeast: number | undefined, atMost: number | undefined): string {
  if (atLeast === undefined) return atMost === undefined ? 'a string' : `at most ${atMost} characters long`;
  return atMost === undefined
    ? `at least ${atLeast} characters long`
    : `${atLeast} to ${atMost} characters long`;
}

function matchesImage([pattern, modifiers]: readonly unknown[]): Image {
  const read: RegularExpression =
    pattern instanceof RegExp ? readExpression(pattern) : readStringExpression(String(pattern), modifiers);
  const expects = `matching ${read.text}`;
  if (read.refusal !== undefined) return { types: ['string'], exact: false, expects, refusal: read.refusal };
  if (read.pattern === undefined) return { types: ['string'], exact: false, expects, hint: true };
  return { types: ['string'], keywords: { pattern: read.pattern }, exact: read.exact, expects };
}

/** The text with every character that has a meaning in a pattern escaped. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function containsImage(seed: unknown): Image {
  const text = String(seed);
  return {
    types: ['string'],
    keywords: { pattern: escaped(text) },
    exact: true,
    expects: `containing ${JSON.stringify(text)}`,
  };
}

function notContainsImage(seed: unknown): Image {
  const text = String(seed);
  return {
    types: ['string'],
    keywords: { not: { type: 'string', pattern: escaped(text) } },
    exact: true,
    expects: `without ${JSON.stringify(text)}`,
  };
}

function letters(pattern: string, words: string, locale: unknown): Image {
  if (locale === undefined || locale === null || locale === 'en-US')
    return { types: ['string'], keywords: { pattern }, exact: true, expects: `made of ${words} only` };
  return {
    types: ['string'],
    exact: false,
    expects: `made of ${words} of ${String(locale)} only`,
    hint: true,
  };
}

function numberStringImage([options]: readonly unknown[]): Image {
  const { no_symbols: noSymbols, locale } = (options ?? {}) as { no_symbols?: boolean; locale?: string };
  const expects = noSymbols ? 'a string of digits' : 'a string with a number';
  if (noSymbols) return { types: ['string'], keywords: { pattern: '^[0-9]+$' }, exact: true, expects };
  if (locale !== undefined) return { types: ['string'], exact: false, expects, hint: true };
  return { types: ['string'], keywords: { pattern: '^[+-]?([0-9]*[.])?[0-9]+$' }, exact: true, expects };
}

/** A format is an annotation: class-validator's own check stays the judge, because it takes more, or less. */
function formatted(expects: string, keywords: Image['keywords'] & object): Image {
  return { types: ['string'], keywords, exact: false, expects };
}

function uuidImage(version: unknown): Image {
  const named =
    version === undefined || version === null || version === 'all' ? '' : ` of version ${String(version)}`;
  return formatted(`a UUID${named}`, { format: 'uuid' });
}

function ipImage(version: unknown): Image {
  const number = String(version ?? '');
  if (number === '4') return formatted('an IPv4 address', { format: 'ipv4' });
  if (number === '6') return formatted('an IPv6 address', { format: 'ipv6' });
  return formatted('an IP address', { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] });
}

const hashLengths: Readonly<Record<string, number>> = {
  md5: 32,
  md4: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  ripemd128: 32,
  ripemd160: 40,
  tiger128: 32,
  tiger160: 40,
  tiger192: 48,
  crc32: 8,
  crc32b: 8,
};

function hashImage(algorithm: unknown): Image {
  const length = hashLengths[String(algorithm)];
  const expects = `a ${String(algorithm)} hash in hexadecimal`;
  if (length === undefined) return { types: ['string'], exact: false, expects, hint: true };
  return { types: ['string'], keywords: { pattern: `^[a-fA-F0-9]{${length}}$` }, exact: true, expects };
}
