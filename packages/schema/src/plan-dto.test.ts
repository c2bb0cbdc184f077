import { inspect } from 'node:util';
import {
  Contains,
  IsCreditCard,
  IsDate,
  IsEnum,
  IsInt,
  IsOptional,
  IsPhoneNumber,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ArrayOf, Describe, InTimeZone, Nested, planDto, Sensitive } from './index';

enum Seating {
  Indoor = 'indoor',
  Terrace = 'terrace',
}

class Guest {
  @IsString() @MaxLength(80) name!: string;
  @IsOptional() @IsPhoneNumber() phone?: string;
}

class BookTable {
  @Describe('Date and time of the visit') @IsDate() time!: Date;
  @IsInt() @Min(1) @Max(12) partySize: number = 2;
  @IsOptional() @IsEnum(Seating) seating?: Seating;
  @Nested(() => Guest) guest!: Guest;
  @IsOptional() @ArrayOf(String) dishes?: string[];
}

const plan = planDto(BookTable);
const valid = { time: '2026-03-01T19:30:00+01:00', guest: { name: 'Ada', phone: '+390669824567' } };

function messageFor(args: unknown): string {
  const bound = plan.bind(args);
  return bound.ok ? 'accepted' : bound.message;
}

describe('planDto', () => {
  test('the schema says what the class says', () => {
    expect(plan.problems).toEqual([]);
    expect(plan.warnings).toEqual([]);
    expect(plan.jsonSchema).toEqual({
      type: 'object',
      properties: {
        time: {
          type: 'string',
          format: 'date-time',
          description:
            'Date and time of the visit (ISO 8601 date and time with an offset, such as 2026-03-01T19:30:00+01:00)',
        },
        partySize: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
        seating: { type: ['string', 'null'], enum: ['indoor', 'terrace', null] },
        guest: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 80 },
            phone: {
              type: ['string', 'null'],
              description: 'a phone number in international form, such as +39 02 1234 5678',
            },
          },
          required: ['name'],
          additionalProperties: false,
        },
        dishes: { type: ['array', 'null'], items: { type: 'string' } },
      },
      required: ['time', 'guest'],
      additionalProperties: false,
    });
  });

  test('valid arguments become an instance with nested instances, dates and defaults', () => {
    const bound = plan.bind({ ...valid, dishes: ['risotto'] });
    expect(bound.ok).toBe(true);
    if (!bound.ok) return;
    const booking = bound.value as BookTable;
    expect(booking).toBeInstanceOf(BookTable);
    expect(booking.guest).toBeInstanceOf(Guest);
    expect(booking.time).toEqual(new Date('2026-03-01T18:30:00Z'));
    expect(booking.partySize).toBe(2);
    expect(booking.dishes).toEqual(['risotto']);
  });

  test('each refusal names the path and what was expected, and no received value', () => {
    expect(messageFor({ ...valid, partySize: 99 })).toBe('partySize must be at most 12');
    expect(messageFor({ ...valid, partySize: '4' })).toBe('partySize must be an integer');
    expect(messageFor({ ...valid, guest: { name: 'Ada', phone: '123' } })).toBe(
      'guest.phone must be a phone number in international form, such as +39 02 1234 5678',
    );
    expect(messageFor({ ...valid, time: '2026-02-30T10:00:00Z' })).toMatch(
      /^time must be an existing ISO 8601/,
    );
    expect(messageFor({ ...valid, time: '2026-03-01T10:00:00' })).toMatch(
      /^time must be an existing ISO 8601/,
    );
    expect(messageFor({ ...valid, seating: 'roof' })).toBe(
      'seating must be one of "indoor", "terrace", null',
    );
    expect(messageFor({ time: valid.time })).toBe('guest is required');
    expect(messageFor(null)).toBe('arguments must be an object');
  });

  test('at most five problems are told', () => {
    class Many {
      @IsInt() a!: number;
      @IsInt() b!: number;
      @IsInt() c!: number;
      @IsInt() d!: number;
      @IsInt() e!: number;
      @IsInt() f!: number;
    }
    const bound = planDto(Many).bind({});
    expect(bound.ok === false && bound.message.split('\n')).toHaveLength(5);
  });

  test('null on an optional property means absent, and the default applies', () => {
    class Note {
      @IsOptional() @IsInt() size: number = 5;
      @IsOptional() @IsString() text?: string;
    }
    const bound = planDto(Note).bind({ size: null, text: null });
    expect(bound).toEqual({ ok: true, value: Object.assign(new Note(), {}) });
    expect(planDto(Note).bind({ text: '' })).toEqual({
      ok: true,
      value: Object.assign(new Note(), { text: '' }),
    });
  });

  test('a time without offset is read in the zone of the property', () => {
    class Visit {
      @InTimeZone('Europe/Rome') @IsDate() time!: Date;
    }
    const bound = planDto(Visit).bind({ time: '2026-03-01T19:30' });
    expect(bound.ok && (bound.value as Visit).time).toEqual(new Date('2026-03-01T18:30:00Z'));
  });

  test('a sensitive value is never shown', () => {
    class Payment {
      @IsInt() amount!: number;
      @Sensitive() @IsCreditCard() card!: string;
      @Contains('7') pin!: Sensitive<string>;
    }
    const payment = planDto(Payment);
    const bound = payment.bind({ amount: 3, card: '4111111111111111', pin: '1737' });
    expect(bound.ok).toBe(true);
    if (!bound.ok) return;
    const value = bound.value as Payment;
    expect(value.card).toBe('4111111111111111');
    expect(value.pin.reveal()).toBe('1737');
    for (const shown of [
      inspect(value),
      JSON.stringify(value),
      inspect({ value }, { depth: 9 }),
      `${value.pin}`,
    ])
      expect(shown).not.toMatch(/4111|1737/);
    expect(JSON.parse(JSON.stringify(value))).toEqual({ amount: 3, card: '[sensitive]', pin: '[sensitive]' });
    const refusal = payment.bind({ amount: 3, card: '4111111111111112', pin: '1111' });
    expect(refusal.ok === false && refusal.message).not.toMatch(/4111|1111/);
  });
});
