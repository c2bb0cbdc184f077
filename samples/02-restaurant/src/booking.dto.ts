import { Describe, Nested } from 'callwright';
import {
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

export enum Seating {
  Indoor = 'indoor',
  Terrace = 'terrace',
}

export class Guest {
  @IsString()
  @MaxLength(80)
  name!: string;

  @IsOptional()
  @IsPhoneNumber()
  phone?: string;
}

export class BookTable {
  @Describe('Date and time of the visit')
  @IsDate()
  time!: Date;

  @IsInt()
  @Min(1)
  @Max(12)
  partySize: number = 2;

  @IsOptional()
  @IsEnum(Seating)
  seating?: Seating;

  @Nested(() => Guest)
  guest!: Guest;
}

/** What the model is told of a booking. */
export class Reservation {
  constructor(
    readonly number: number,
    readonly time: Date,
    readonly partySize: number,
    readonly seating: Seating,
  ) {}
}
