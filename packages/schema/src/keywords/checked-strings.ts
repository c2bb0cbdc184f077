import { type DecoratorImage, hinted, type Image } from './image';

/** Decorators of strings that no keyword expresses: a description for the model, class-validator's check for the value. */
export const checkedStrings: readonly DecoratorImage[] = [
  {
    decorator: 'IsByteLength',
    rule: 'isByteLength',
    example: [1, 100],
    image: ([min, max]) =>
      hint(
        max === undefined
          ? `at least ${String(min)} bytes in UTF-8`
          : `${String(min)} to ${String(max)} bytes in UTF-8`,
      ),
  },
  hinted('IsUrl', 'isUrl', 'a URL'),
  hinted('IsISO8601', 'isIso8601', 'an ISO 8601 date, with or without a time'),
  hinted('IsDateString', 'isDateString', 'an ISO 8601 date, with or without a time'),
  hinted('IsBase64', 'isBase64', 'in base 64'),
  hinted('IsBase32', 'isBase32', 'in base 32', { pattern: '^[A-Z2-7]+=*$' }),
  hinted('IsCreditCard', 'isCreditCard', 'a credit card number'),
  hinted('IsCurrency', 'isCurrency', 'an amount of money, such as $1,200.50'),
  hinted('IsISBN', 'isIsbn', 'an ISBN'),
  hinted('IsISIN', 'isIsin', 'an ISIN'),
  hinted('IsJSON', 'isJson', 'JSON as a string'),
  localised('IsMobilePhone', 'isMobilePhone', 'a mobile phone number'),
  hinted('IsDecimal', 'isDecimal', 'a string with a decimal number'),
  hinted('IsPort', 'isPort', 'a string with a port number', { pattern: '^[-+]?[0-9]+$' }),
  hinted('IsMACAddress', 'isMacAddress', 'a MAC address'),
  hinted('IsHSL', 'isHSL', 'a colour as hsl()'),
  hinted('IsRgbColor', 'isRgbColor', 'a colour as rgb()'),
  hinted('IsSemVer', 'isSemVer', 'a semantic version, such as 1.2.3'),
  hinted('IsJWT', 'isJwt', 'a JSON web token'),
  hinted('IsMimeType', 'isMimeType', 'a media type, such as text/plain'),
  hinted('IsDataURI', 'isDataURI', 'a data URI'),
  hinted('IsMagnetURI', 'isMagnetURI', 'a magnet URI'),
  hinted('IsISO31661Alpha2', 'isISO31661Alpha2', 'an ISO 3166-1 country code of two letters'),
  hinted('IsISO31661Alpha3', 'isISO31661Alpha3', 'an ISO 3166-1 country code of three letters'),
  hinted('IsISO31661Numeric', 'isISO31661Numeric', 'an ISO 3166-1 country code of three digits', {
    pattern: '^[0-9]{3}$',
  }),
  hinted('IsISO4217CurrencyCode', 'isISO4217CurrencyCode', 'an ISO 4217 currency code'),
  hinted('IsISO6391', 'isISO6391', 'an ISO 639-1 language code', { pattern: '^[a-z]{2}$' }),
  hinted('IsLocale', 'isLocale', 'a locale, such as en-GB'),
  hinted('IsTimeZone', 'isTimeZone', 'an IANA time zone, such as Europe/Rome'),
  hinted('IsBIC', 'isBIC', 'a BIC', { pattern: '^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$' }),
  hinted('IsIBAN', 'isIBAN', 'an IBAN'),
  hinted('IsEAN', 'isEAN', 'an EAN'),
  hinted('IsISSN', 'isISSN', 'an ISSN'),
  hinted('IsBtcAddress', 'isBtcAddress', 'a Bitcoin address'),
  hinted('IsFirebasePushId', 'IsFirebasePushId', 'a Firebase push id'),
  localised('IsIdentityCard', 'isIdentityCard', 'an identity card number'),
  localised('IsPassportNumber', 'isPassportNumber', 'a passport number'),
  localised('IsPostalCode', 'isPostalCode', 'a postal code'),
  localised('IsTaxId', 'isTaxId', 'a tax number'),
  {
    decorator: 'IsPhoneNumber',
    rule: 'isPhoneNumber',
    example: [],
    image: ([region]) =>
      hint(
        region === undefined
          ? 'a phone number in international form, such as +39 02 1234 5678'
          : `a phone number of ${String(region)}`,
      ),
  },
  hinted('IsStrongPassword', 'isStrongPassword', 'a strong password'),
  hinted('IsLatLong', 'isLatLong', 'a latitude and a longitude, such as 41.9,12.5'),
];

function hint(expects: string): Image {
  return { types: ['string'], exact: false, expects, hint: true };
}

function localised(decorator: string, rule: string, expects: string): DecoratorImage {
  const image = ([locale]: readonly unknown[]) =>
    hint(typeof locale === 'string' && locale !== 'any' ? `${expects} of ${locale}` : expects);
  return { decorator, rule, example: [], image };
}
