import 'callwright';
import { ArrayOf, Nested } from 'callwright';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';

export enum Seating {
  Indoor = 'indoor',
  Terrace = 'terrace',
  Bar = 'bar',
}

export class Guest {
  @IsString() @MinLength(1) @MaxLength(80) name!: string;
  @IsOptional() @Matches(/^\+[1-9]\d{7,14}$/) phone?: string;
}

export class Dish {
  @IsString() @MaxLength(60) name!: string;
  @IsInt() @Min(1) @Max(20) count!: number;
}

/** The arguments of `book_table`: every rule has an image in JSON Schema. */
export class BookTable {
  @Matches(/^\d{4}-\d{2}-\d{2}$/) date!: string;
  @Matches(/^\d{2}:\d{2}$/) time!: string;
  @IsInt() @Min(1) @Max(12) partySize!: number;
  @IsEnum(Seating) seating!: Seating;
  @IsDefined() @Nested(() => Guest) guest!: Guest;
  @IsArray() @ArrayMaxSize(20) @ArrayOf(() => Dish) dishes!: Dish[];
}
