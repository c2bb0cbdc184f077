import 'reflect-metadata';
import { ArrayOf, Describe, InTimeZone, Nested, Schema, Sensitive } from '@callwright/schema';
import { Expose, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPhoneNumber,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Guest, Level, Mixed, Seating, Tree, type Weekday, weekdays } from './corpus-types';

/** One class of arguments, with arguments that it takes. */
export interface CorpusEntry {
  readonly name: string;
  readonly type: new () => object;
  readonly valid: Readonly<Record<string, unknown>>;
}

/** What the README shows. */
class BookTable {
  @Describe('Date and time of the visit') @IsDate() time!: Date;
  @IsInt() @Min(1) @Max(12) partySize: number = 2;
  @IsOptional() @IsEnum(Seating) seating?: Seating;
  @Nested(() => Guest) guest!: Guest;
}

class Scalars {
  @IsString() text!: string;
  @IsBoolean() flag!: boolean;
  @IsNumber() number!: number;
  @IsNotEmpty() byType!: string;
  @IsNotEmpty() numberByType!: number;
  @Describe('only described') described!: boolean;
  @Length(2, 40) length!: string;
  @Matches(/^[a-z]+$/) pattern!: string;
  @IsEmail() mail!: string;
  @IsPhoneNumber() phone!: string;
  @Sensitive() @IsString() pin!: string;
  @IsString() wrapped!: Sensitive<string>;
}

class Enums {
  @IsEnum(Seating) text!: Seating;
  @IsEnum(Level) numeric!: Level;
  @IsEnum(Mixed) mixed!: Mixed;
  @IsEnum(Level, { each: true }) many!: Level[];
  @IsIn(weekdays) day!: Weekday;
}

class Optional {
  @IsOptional() @IsString() text?: string;
  @IsOptional() @IsString() orNull?: string | null;
  @IsOptional() @IsDate() when?: Date | undefined;
  @IsOptional() @Nested(() => Guest) guest?: Guest;
  @IsInt() five: number = 5;
  @IsString() word: string = 'word';
  @IsOptional() @IsInt() both: number = 1;
}

class Collections {
  @ArrayOf(String) @ArrayNotEmpty() words!: string[];
  @ArrayOf(() => Guest) @ArrayMaxSize(9) guests!: Guest[];
  @IsString({ each: true }) readonlyWords!: readonly string[];
  @IsArray() @ArrayUnique() @IsInt({ each: true }) numbers!: number[];
  @ArrayOf(() => Guest) set!: Set<Guest>;
  @IsInt({ each: true }) map!: Map<string, number>;
  @Schema({ type: 'object', additionalProperties: { type: 'number' } }) record!: Record<string, number>;
  @IsObject() free!: object;
}

class Dates {
  @IsDate() time!: Date;
  @InTimeZone('Europe/Rome') @IsDate() local!: Date;
  @IsArray() @ArrayOf(Date) days!: Date[];
  byItsType!: Date;
}
Describe('a date by its type')(Dates.prototype, 'byItsType');
Schema({ type: Date })(Dates.prototype, 'byItsType');

class Base {
  @IsInt() id!: number;
}

class Inherited extends Base {
  @Expose({ name: 'party_size' }) @IsInt() partySize!: number;
  @ValidateNested() @Type(() => Guest) guest!: Guest;
}

class Recursive {
  @Nested(() => Tree) tree!: Tree;
}

class Card {
  @IsString() number!: string;
}
class Cash {
  @IsInt() amount!: number;
}
class Discriminated {
  @ValidateNested()
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'card', value: Card },
        { name: 'cash', value: Cash },
      ],
    },
  })
  payment!: Card | Cash;
}

const time = '2026-03-01T19:30:00+01:00';
const guest = { name: 'Ada' };

/**
 * Classes of arguments of every kind. Each compiler must give the same schemas for them, and each schema must be
 * taken by whatever is told about it: a test against a real voice server declares them as tools.
 */
export const corpus: readonly CorpusEntry[] = [
  { name: 'book_table', type: BookTable, valid: { time, guest, seating: 'terrace' } },
  {
    name: 'scalars',
    type: Scalars,
    valid: {
      text: 'a',
      flag: true,
      number: 1.5,
      byType: 'a',
      numberByType: 1,
      described: false,
      length: 'ab',
      pattern: 'ab',
      mail: 'ada@example.com',
      phone: '+390212345678',
      pin: '1234',
      wrapped: '5678',
    },
  },
  {
    name: 'enums',
    type: Enums,
    valid: { text: 'indoor', numeric: 5, mixed: 'text', many: [0, 5], day: 'mon' },
  },
  { name: 'optional', type: Optional, valid: { text: null, guest } },
  {
    name: 'collections',
    type: Collections,
    valid: {
      words: ['a'],
      guests: [guest],
      readonlyWords: [],
      numbers: [1, 2],
      set: [guest],
      map: { a: 1 },
      record: { a: 0.5 },
      free: { any: ['thing'] },
    },
  },
  { name: 'dates', type: Dates, valid: { time, local: '2026-03-01T19:30', days: [time], byItsType: time } },
  { name: 'inherited', type: Inherited, valid: { id: 1, party_size: 2, guest } },
  { name: 'recursive', type: Recursive, valid: { tree: { value: 1, children: [{ value: 2 }] } } },
  { name: 'discriminated', type: Discriminated, valid: { payment: { kind: 'card', number: '1' } } },
];
